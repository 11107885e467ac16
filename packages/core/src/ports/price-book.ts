/** What models cost. Prices differ by model, provider and day, and some by the size of a request. */
import type { NanoUsd } from '../money.ts'

/** Tokens of one request in disjoint classes: no token stands in two of them. */
export interface TokenUsage {
  /** Input that was neither read from nor written to the provider's cache. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  /** Everything that the model produced, reasoning included. */
  readonly outputTokens: number
  /** The part of `outputTokens` that was reasoning, where told. */
  readonly reasoningTokens?: number
}

export interface PriceQuery {
  readonly model: string
  readonly provider?: string | undefined
  /** When the request was made (ms): historic prices apply. */
  readonly at: number
}

/** A cost by what it was paid for; the four parts add up to it exactly. */
export interface CostSplit {
  readonly inputNano: NanoUsd
  readonly cacheReadNano: NanoUsd
  /** Of both lifetimes. */
  readonly cacheWriteNano: NanoUsd
  readonly outputNano: NanoUsd
  /** What caching saved: the price of the same request with all of its input uncached, less its cost. Negative when writes cost more than reads saved. */
  readonly savedNano: NanoUsd
}

export interface PriceBook {
  /** What one request cost; undefined when the model has no known price (unpriced, never 0). */
  cost(query: PriceQuery, usage: TokenUsage): NanoUsd | undefined
  /** The same cost by its parts; undefined too where a price can't be told apart by class. */
  split(query: PriceQuery, usage: TokenUsage): CostSplit | undefined
}
