import { expect, it } from '@jest/globals'
import { withoutProgramTags } from './program-texts.ts'
import { taggedParts } from './tagged-parts.ts'

it.each([
  ['Fix it', [['Fix it']]],
  ['', [['']]],
  ['a < b and <b>bold</b>', [['a < b and <b>bold</b>']]],
  [
    'Fix it\n<system-reminder>\nThe todo list is empty\n</system-reminder>\nplease',
    [['Fix it\n'], ['The todo list is empty', 'Reminder by the agent’s program'], ['\nplease']],
  ],
  [
    '<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>12</command-args> now',
    [['/review 12', 'Command'], ['now']],
  ],
  ['<command-name>/clear</command-name>', [['/clear', 'Command']]],
  ['<local-command-stdout></local-command-stdout>', [['<local-command-stdout></local-command-stdout>']]],
  ['<my-hook>it rains</my-hook>', [['it rains', 'My hook']]],
  ['<past_sessions note="x">one</past_sessions>', [['one', 'Earlier sessions, from Cairn']]],
  [
    '<collaboration_mode># Default\nA new `<collaboration_mode>...</collaboration_mode>` changes it.\n</collaboration_mode>',
    [['# Default\nA new `<collaboration_mode>...</collaboration_mode>` changes it.', 'Collaboration mode']],
  ],
  [
    '<tick>1 <tick a="b">2 <tick>3</tick></tick></tick> and <ticks> <tick>4</tick>',
    [['1 <tick a="b">2 <tick>3</tick></tick>', 'Tick'], [' and <ticks> '], ['4', 'Tick']],
  ],
  ['<tick>one <tick> of two</tick> three', [['one <tick> of two', 'Tick'], [' three']]],
  [
    '<permissions instructions>\nFiles may be read.\n</permissions instructions>\nGo on',
    [['Files may be read.', 'Permissions'], ['\nGo on']],
  ],
  ['A <system-reminder> that never ends', [['A <system-reminder> that never ends']]],
])('tells the parts of %j', (text, parts) => {
  expect(taggedParts(text).map((part) => [part.text, ...(part.label === undefined ? [] : [part.label])])).toEqual(parts)
})

it('takes a time that grows with the text only', () => {
  const many = '<system-reminder>'.repeat(100_000)
  expect(taggedParts(many)).toEqual([{ text: many }])
  expect(taggedParts('<tick>x</tick>'.repeat(100_000)).length).toBeLessThanOrEqual(201)
  expect(taggedParts('<tick><tick>x</tick>'.repeat(100_000)).length).toBeLessThanOrEqual(201)
  expect(withoutProgramTags('<tick><tick>x</tick>'.repeat(50_000))).toBe('')
})
