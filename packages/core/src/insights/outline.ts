/** A session as turns: what each cost, how its context grew, and what made it dear. */
import type { NanoUsd } from '../money.ts'
import type { UsageTotals } from '../ports/usage-storage.ts'

/** What can be told of a turn or a subagent alike. */
interface OutlinePart {
  /** When it began, ms; null where no time was recorded. */
  readonly at: number | null
  /** From its beginning to its last message or request, ms; null where times are missing. */
  readonly durationMs: number | null
  readonly toolCalls: number
  /** Results that are errors. */
  readonly errors: number
  /** What is not stored with single requests is 0: `savedNano`, `missingOutputTokens`. */
  readonly totals: UsageTotals
}

export interface OutlineSubagent extends OutlinePart {
  readonly name: string
  /** The entry where it begins; null where the log has none of it. */
  readonly seq: number | null
}

/**
 * What a person said, and all that the agent did until they spoke again. Its totals hold those of the subagents that began
 * in it, also of what these did later.
 */
export interface OutlineTurn extends OutlinePart {
  /** From 1; 0 for what came before a person said anything. */
  readonly number: number
  /** The entry where it begins. */
  readonly seq: number
  /** What the person said, on one line and cut; '' where that was no text. */
  readonly text: string
  /** The main conversation's requests alone. */
  readonly own: UsageTotals
  /** Of the session's cost, 0 … 1. */
  readonly share: number
  /** Tokens of the main conversation's largest request. */
  readonly peakTokens: number
  /** In the order of their beginnings. */
  readonly subagents: readonly OutlineSubagent[]
}

/** A request of the main conversation. */
export interface OutlineRequest {
  /** From 1, among all requests of the session in order of time. */
  readonly number: number
  readonly at: number | null
  readonly model: string
  /** The entry with the first message of its reply; null where it is not known. */
  readonly seq: number | null
  /** The number of its turn. */
  readonly turn: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

/**
 * Why the context changed between two requests of the main conversation. `cleared-results`: the agent cleared old tool
 * results, and the messages stayed; `pause`: the cache was lost while nothing was
 * asked; `cache-break`: it was lost for another reason.
 */
export type OutlineMarkKind =
  'compaction' | 'cleared-results' | 'rewrite' | 'truncation' | 'pause' | 'cache-break' | 'model'

export interface OutlineMark {
  readonly kind: OutlineMarkKind
  /** The position in `requests` before which it stands; their number where none came after it. */
  readonly before: number
  /** The entry that tells of it, else that of the next reply; null where none is known. */
  readonly seq: number | null
  readonly at: number | null
  /** What set it off, or the model that was changed to; '' where that is not known. */
  readonly about: string
  /** Of a pause, ms. */
  readonly pauseMs: number | null
  /** Tokens that were written again, and what that cost beyond reading them; 0 where none were. */
  readonly rewrittenTokens: number
  readonly rewrittenNano: NanoUsd
  /**
   * Of `compaction` and `cleared-results`: tokens in the context before it, as the log says or the request before was
   * counted; null where neither is known, and for other kinds.
   */
  readonly tokensBefore: number | null
  /** Of the same kinds: tokens of the next request's input; null where none came after it. */
  readonly tokensAfter: number | null
}

export interface SessionOutline {
  /** In the order of the log. Their totals add up to `total`. */
  readonly turns: readonly OutlineTurn[]
  readonly total: UsageTotals
  /** In order of time. */
  readonly requests: readonly OutlineRequest[]
  /** In the order of `before`. */
  readonly marks: readonly OutlineMark[]
}
