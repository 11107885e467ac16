/** A session as an item of the task history: the facts of Cline's `HistoryItem`, from the store's. */
import { usdFromNano } from '../money.ts'
import { cacheWriteTokens, type TokenUsage } from '../ports/price-book.ts'
import type { SessionSummary } from '../ports/session-storage.ts'
import type { UsageTotals } from '../ports/usage-storage.ts'

export interface HistoryItem {
  readonly id: string
  /** Last change, ms; 0 when the session carries no time. */
  readonly ts: number
  /** What it was about: its title, else the words that it began with. */
  readonly task: string
  /** Input that was neither read from nor written to the cache. */
  readonly tokensIn: number
  readonly tokensOut: number
  readonly cacheWrites: number
  readonly cacheReads: number
  /** USD, of the requests whose cost is known. */
  readonly totalCost: number
  /** Bytes that the session takes. */
  readonly size?: number
  readonly cwdOnTaskInitialization?: string
  /** Indexes, in the conversation, of the first and last message that left the model's view. */
  readonly conversationHistoryDeletedRange?: readonly [number, number]
  readonly isFavorited: boolean
}

export interface HistoryItemDetails {
  /** The first words of the user, for a session without a title. */
  readonly firstWords?: string | undefined
  readonly size?: number | undefined
  readonly deletedRange?: readonly [number, number] | undefined
}

type SummedUsage = TokenUsage & Pick<UsageTotals, 'costNano'>

/**
 * The history item of a session with its usage (a report filtered by the session). A session without entries has the
 * time 0; without a title and first words the task is empty.
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
