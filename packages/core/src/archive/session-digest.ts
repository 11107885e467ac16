/** A session in few words, without a model: what it was about, and its conversation within a size, the newest in full. */
import { CairnError } from '../errors.ts'
import { shownValue } from '../input.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { liveEntries } from '../session/live-entries.ts'
import { layeredSummary, type Layer } from '../summary/layered-summary.ts'
import type { ThreadSummary } from '../summary/thread-summary.ts'
import { estimateTokens } from '../tokens/estimate.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import { conversationMessage, sessionArchive } from './session-archive.ts'

/** Tokens, or a share of what the conversation takes, above 0 and at most 1. */
export type DigestTarget = { readonly tokens: number } | { readonly share: number }

export interface SessionDigest {
  readonly sessionId: string
  /** The session's threads and what all of them come to. */
  readonly threads: number
  readonly summary: ThreadSummary
  /** `summary` as text. */
  readonly summaryText: string
  /** Of the main conversation, what was taken back left out. */
  readonly messages: number
  /** Estimated tokens: of the conversation, asked for, and of `text`. */
  readonly conversationTokens: number
  readonly targetTokens: number
  readonly tokens: number
  /** The conversation within the target, oldest first; tags in it are escaped. */
  readonly text: string
  /** How many parts of the conversation (a message, or a reply with its results) are in `text` in which form. */
  readonly parts: Readonly<Record<Layer, number>>
}

/**
 * Condenses a session's main conversation (no subagents) to a target size in tokens, or a share of its own size. No
 * model is asked. `targetTokens` is the target rounded down; the text may be shorter.
 * @throws CairnError `usage` for a target below one token, unless the session has no messages.
 */
export const sessionDigest = (
  entries: readonly LogEntry[],
  sessionId: string,
  { target, charsPerToken }: { readonly target: DigestTarget; readonly charsPerToken: number },
): SessionDigest => {
  const messages = liveEntries(entries).filter(
    (entry): entry is MessageEntry => entry.kind === 'message' && entry.subagent === undefined,
  )
  const conversationTokens = estimateTokens(messages, { charsPerToken })
  const targetTokens = Math.floor('share' in target ? conversationTokens * target.share : target.tokens)
  if (!(targetTokens > 0) && conversationTokens > 0)
    throw new CairnError('usage', `A summary needs a target of at least one token, not ${shownValue(targetTokens)}.`)
  const { text, units } = layeredSummary(messages.map(conversationMessage), Math.floor(targetTokens * charsPerToken), {
    fileOperations: fileOperationsOf,
  })
  const { threads, merged, text: summaryText } = sessionArchive(entries, sessionId)
  const count = (layer: Layer): number => units.filter((unit) => unit.layer === layer).length
  return {
    sessionId,
    threads: threads.length,
    summary: merged,
    summaryText,
    messages: messages.length,
    conversationTokens,
    targetTokens,
    tokens: estimateTokens(text, { charsPerToken }),
    text,
    parts: { whole: count('whole'), shortened: count('shortened'), line: count('line'), counted: count('counted') },
  }
}
