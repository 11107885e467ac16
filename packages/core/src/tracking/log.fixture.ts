/** Logs for the tests of the folds in this folder. */
import type { JsonValue } from '../json.ts'
import type { LogEntry, NewLogEntry } from '../session-log.ts'

/** Assigns numbers to entries, from 0. */
export const numbered = (entries: readonly NewLogEntry[]): readonly LogEntry[] =>
  entries.map((entry, seq) => ({ ...entry, seq }))

let calls = 0

/** A call of a tool at a time, with its result. */
export const toolCall = (
  at: number,
  name: string,
  input: JsonValue,
  { text = 'done', isError = false, subagent }: { text?: string; isError?: boolean; subagent?: string } = {},
): readonly NewLogEntry[] => {
  calls += 1
  const id = `call-${calls}`
  const more = subagent === undefined ? {} : { subagent }
  return [
    {
      kind: 'message',
      at,
      id: `${id}-a`,
      role: 'assistant',
      content: [{ type: 'tool_call', id, name, input }],
      ...more,
    },
    {
      kind: 'message',
      at: at + 1,
      id: `${id}-r`,
      role: 'tool',
      content: [{ type: 'tool_result', callId: id, content: [{ type: 'text', text }], isError }],
      ...more,
    },
  ]
}

export const read = (at: number, path: string): readonly NewLogEntry[] => toolCall(at, 'Read', { file_path: path })
export const edit = (at: number, path: string): readonly NewLogEntry[] =>
  toolCall(at, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' })

/** An edit of a file by someone else. */
export const changed = (at: number, path: string, by?: string): NewLogEntry => ({
  kind: 'file',
  at,
  path,
  operation: 'external-edit',
  ...(by === undefined ? {} : { by }),
})
