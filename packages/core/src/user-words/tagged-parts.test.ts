import { expect, it } from '@jest/globals'
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
  ['A <system-reminder> that never ends', [['A <system-reminder> that never ends']]],
])('tells the parts of %j', (text, parts) => {
  expect(taggedParts(text).map((part) => [part.text, ...(part.label === undefined ? [] : [part.label])])).toEqual(parts)
})

it('takes a time that grows with the text only', () => {
  const many = '<system-reminder>'.repeat(100_000)
  expect(taggedParts(many)).toEqual([{ text: many }])
  expect(taggedParts('<tick>x</tick>'.repeat(100_000)).length).toBeLessThanOrEqual(201)
})
