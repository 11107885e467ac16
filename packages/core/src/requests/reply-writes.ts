/** The entries that the end of an attempt becomes: its message and its bill, written together. */
import { visibleCharacters } from '../messages.ts'
import type { ModelError } from '../ports/language-model.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { NewLogEntry } from '../session-log.ts'
import type { Attempt } from './attempt.ts'
import type { AttemptEnd } from './request-fact.ts'

/** The id that a reply's message has as its response: by it a reply of ours is told from an agent's own. */
const RESPONSE_PREFIX = 'cairn:'

/** Whether a reply was made by a request of Cairn's own rather than imported, by its response id. */
export const isOwnReply = (responseId: string | undefined): boolean => responseId?.startsWith(RESPONSE_PREFIX) === true

/** What is written for a whole reply: one message entry, also for an empty reply, with the request that it cost. */
export const replyWrites = ({ attempt, id, at }: AttemptEnd, fact: RequestFact): readonly EntryWrite[] => [
  {
    entry: messageOf(id, at, fact, attempt.blocks),
    request: fact,
    visibleCharacters: visibleCharacters(attempt.blocks),
  },
]

/**
 * An attempt that was billed and failed, written at `seq`: what can be read of it, which no model is sent, and why it
 * failed. The bill is with the message, or, where nothing can be read, with the notice.
 */
export const brokenReplyWrites = (
  { attempt, id, at }: AttemptEnd,
  fact: RequestFact,
  error: ModelError,
  seq: number,
): readonly EntryWrite[] => {
  const content = attempt.readableBlocks
  const billed = { request: fact, visibleCharacters: attempt.visibleCharacters }
  if (content.length === 0) return [{ entry: noticeOf(error, at), ...billed }]
  return [
    { entry: messageOf(id, at, fact, content), ...billed },
    { entry: { kind: 'truncation', at, fromSeq: seq, toSeq: seq, reason: error.code } },
    { entry: noticeOf(error, at) },
  ]
}

/** The reply as an entry of the log. */
const messageOf = (id: string, at: number, { model, mode }: RequestFact, content: Attempt['blocks']): NewLogEntry => ({
  kind: 'message',
  id,
  at,
  role: 'assistant',
  content,
  responseId: `${RESPONSE_PREFIX}${id}`,
  model,
  ...(mode === undefined ? {} : { mode }),
})

/** The error of an attempt as a warning of the log. */
const noticeOf = ({ message }: ModelError, at: number): NewLogEntry => ({
  kind: 'notice',
  at,
  level: 'warning',
  text: message,
})
