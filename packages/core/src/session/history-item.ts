/** Converts a session to Cline's `HistoryItem`, an item of its task history. */
import { usdFromNano } from '../money.ts'
import { cacheWriteTokens, type TokenUsage } from '../ports/price-book.ts'
import type { SessionSummary } from '../ports/session-storage.ts'
import type { UsageTotals } from '../ports/usage-storage.ts'

export interface HistoryItem {
  readonly id: string
  /** Time of the last change, ms; 0 if the session has no time. */
  readonly ts: number
  /** The session's title, or else its first words. */
  readonly task: string
  /** Input tokens that were neither read from nor written to the cache. */
  readonly tokensIn: number
  readonly tokensOut: number
  readonly cacheWrites: number
  readonly cacheReads: number
  /** USD; the total of requests with a known cost. */
  readonly totalCost: number
  /** Size of the session in bytes. */
  readonly size?: number
  readonly cwdOnTaskInitialization?: string
  /** Indexes, in the conversation, of the first and last message removed from the model's view. */
  readonly conversationHistoryDeletedRange?: readonly [number, number]
  readonly isFavorited: boolean
}

export interface HistoryItemDetails {
  /** The user's first words, for a session without a title. */
  readonly firstWords?: string | undefined
  readonly size?: number | undefined
  readonly deletedRange?: readonly [number, number] | undefined
}

type SummedUsage = TokenUsage & Pick<UsageTotals, 'costNano'>

/**
 * The history item of a session and its usage (a report filtered by the session). A session without entries has the
 * time 0; without a title and first words, the task is empty.
 */
export const toHistoryItem = (
  session: SessionSummary,
  usage: SummedUsage,
  details: HistoryItemDetails = {},
): HistoryItem => ({
  id: session.id,
  ts: session.updatedAt ?? 0,
  task: session.title ?? details.firstWords ?? '',
  tokensIn: usage.inputTokens,
  tokensOut: usage.outputTokens,
  cacheWrites: cacheWriteTokens(usage),
  cacheReads: usage.cacheReadTokens,
  totalCost: usdFromNano(usage.costNano),
  ...(details.size === undefined ? {} : { size: details.size }),
  ...(session.workspace === null ? {} : { cwdOnTaskInitialization: session.workspace }),
  ...(details.deletedRange === undefined ? {} : { conversationHistoryDeletedRange: details.deletedRange }),
  isFavorited: session.favourite,
})
