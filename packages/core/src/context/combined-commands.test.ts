import { describe, expect, it } from '@jest/globals'
import type { JsonValue } from '../json.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { combinedCommands } from './combined-commands.ts'

const call = (id: string, name: string, input: JsonValue): NewLogEntry => ({
  kind: 'message',
  id: `call-${id}`,
  at: 1,
  role: 'assistant',
  content: [{ type: 'tool_call', id, name, input }],
})
const result = (callId: string, text: string): NewLogEntry => ({
  kind: 'message',
  id: `result-${callId}`,
  at: 2,
  role: 'user',
  content: [{ type: 'tool_result', callId, content: [{ type: 'text', text }] }],
})
const combined = (entries: readonly NewLogEntry[]) =>
  combinedCommands(entries.map((entry, seq): LogEntry => ({ ...entry, seq })))

describe('commands and their output', () => {
  it('are paired one to one, also when they ran in parallel', () => {
    const found = combined([
      call('a', 'Bash', { command: 'npm test' }),
      call('b', 'shell', { command: ['git', 'status'] }),
      result('b', 'clean'),
      result('a', '12 passed'),
    ])
    expect([...found].map(([{ id }, { command, text }]) => [id, command, text])).toEqual([
      ['a', 'npm test', 'npm test\nOutput:\n12 passed'],
      ['b', 'git status', 'git status\nOutput:\nclean'],
    ])
  })

  it('are only those that ran in a shell and printed something', () => {
    expect(
      combined([
        call('r', 'Read', { file_path: 'a.ts' }),
        result('r', 'text'),
        call('w', 'Bash', { command: 'sleep 9' }),
        call('n', 'Bash', { description: 'nothing to run' }),
        result('n', 'x'),
      ]).size,
    ).toBe(0)
  })
})
