import type { NewLogEntry } from '../session-log.ts'

/** A user's message whose text is its id. */
export const userMessage = (
  id: string,
  more: Partial<Extract<NewLogEntry, { kind: 'message' }>> = {},
): NewLogEntry => ({
  kind: 'message',
  at: 0,
  id,
  role: 'user',
  content: [{ type: 'text', text: id }],
  ...more,
})
