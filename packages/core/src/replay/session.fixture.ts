/** Small conversations for the replay's tests. Times are seconds. */
import type { JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, MessageEntry, NewLogEntry } from '../session-log.ts'

export type Entry = NewLogEntry

const message = (
  role: MessageEntry['role'],
  block: ContentBlock,
  seconds: number | null,
  more: Partial<MessageEntry> = {},
): Entry => ({
  kind: 'message',
  id: '',
  at: seconds === null ? null : seconds * 1000,
  role,
  content: [block],
  ...more,
})

export const userMessage = (text: string, seconds: number | null, more?: Partial<MessageEntry>): Entry =>
  message('user', { type: 'text', text }, seconds, more)
export const reply = (text: string, seconds: number | null, more?: Partial<MessageEntry>): Entry =>
  message('assistant', { type: 'text', text }, seconds, more)
export const call = (
  id: string,
  name: string,
  input: JsonValue,
  seconds: number | null,
  more?: Partial<MessageEntry>,
): Entry => message('assistant', { type: 'tool_call', id, name, input }, seconds, more)
export const result = (callId: string, text: string, seconds: number | null, more?: Partial<MessageEntry>): Entry =>
  message('tool', { type: 'tool_result', callId, content: [{ type: 'text', text }] }, seconds, more)

/** The entries as a log. */
export const conversation = (entries: readonly Entry[]): LogEntry[] =>
  entries.map((entry, seq): LogEntry =>
    entry.kind === 'message' ? { ...entry, seq, id: entry.id === '' ? `m${seq}` : entry.id } : { ...entry, seq },
  )
