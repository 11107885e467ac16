import { describe, expect, it } from '@jest/globals'
import type { JsonValue } from '../json.ts'
import { textAfterCall } from './text-after-call.ts'

const after = (input: JsonValue, before?: string) =>
  textAfterCall({ type: 'tool_call', id: 'c', name: 'x', input })(before)

describe('the text of a file after a call', () => {
  it.each([
    ['a whole text', { file_path: 'a', content: 'new' }, 'old', 'new'],
    ['an empty one', { path: 'a', file_text: '' }, 'old', ''],
    ['arguments as JSON text', '{"path":"a","content":"new"}', undefined, 'new'],
    ['a replacement, of the first occurrence', { old_string: 'x', new_string: '$&' }, 'x x', '$& x'],
    ['one of all', { oldString: 'x', newString: 'y', replaceAll: true }, 'x x', 'y y'],
    [
      'several in their order',
      {
        edits: [
          { old_string: 'a', new_string: 'b' },
          { old_string: 'b', new_string: 'c' },
        ],
      },
      'a',
      'c',
    ],
    ['a removal', { old_str: 'x', new_str: '' }, 'axb', 'ab'],
    ['nothing known before', { old_string: 'x', new_string: 'y' }, undefined, undefined],
    ['text that is not there', { old_string: 'x', new_string: 'y' }, 'abc', undefined],
    ['a secret that was replaced', { content: 'key=[redacted:github-token]' }, 'old', undefined],
    ['a patch', '*** Begin Patch\n*** Update File: a\n', 'old', undefined],
  ] as const)('%s', (_, input, before, expected) => {
    expect(after(input as JsonValue, before)).toBe(expected)
  })
})
