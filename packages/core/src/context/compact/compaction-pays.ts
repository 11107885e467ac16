/**
 * Whether a compaction is worth its money: what it spares every request to come, against what it costs to write
 * the rest of the prompt again and to have the summary written.
 */
import { CairnError } from '../../errors.ts'
import type { ContextPrices } from '../policy.ts'

export interface CompactionCase {
  /** USD per million tokens; `write` and `read` equal `input` where there is no cache. */
  readonly prices: ContextPrices
  /** Whether the provider's cache still has the last request. On a cold one everything is written again anyway. */
  readonly isWarm: boolean
  /** Tokens that every request is spared: what leaves, less the summary. */
  readonly removedTokens: number
  /** Tokens behind the first change, the summary included: what is written again. */
  readonly suffixTokens: number
  /** Requests that are still to come, the next one included. */
  readonly requestsToCome: number
  /** What it costs to have the summary written, USD; 0 for one that is made without a model. */
  readonly summaryUsd: number
}

export interface CompactionVerdict {
  readonly pays: boolean
  /** What all requests to come cost less, and what the compaction costs, USD. */
  readonly savedUsd: number
  readonly costUsd: number
  /** It pays when more requests than this are to come; Infinity when it never does. */
  readonly breakEvenRequests: number
}

const PER_MILLION = 1e-6

/**
 * Whether compacting pays, what it saves and costs (USD), and after how many requests it breaks even. With k requests
 * to come, d tokens removed, m behind the cut, and the prices r of a read and w of a write, it pays when k·r·d > (w −
 * r)·m + the summary's cost. On a cold cache nothing has to be written again because of it, and the next request is
 * spared d at the price of a write.
 * @throws CairnError `invalid-input` for what is no number from 0 on.
 */
export const compactionPays = (given: CompactionCase): CompactionVerdict => {
  const { prices, isWarm, removedTokens, suffixTokens, requestsToCome, summaryUsd } = given
  for (const [name, value] of Object.entries({
    removedTokens,
    suffixTokens,
    requestsToCome,
    summaryUsd,
    read: prices.read,
    write: prices.write,
  }))
    if (!(value >= 0))
      throw new CairnError('invalid-input', `${name} must be a number from 0 on, not ${String(value)}.`)
  const perRequest = prices.read * removedTokens * PER_MILLION
  const atOnce = isWarm || requestsToCome === 0 ? 0 : (prices.write - prices.read) * removedTokens * PER_MILLION
  const costUsd = (isWarm ? (prices.write - prices.read) * suffixTokens * PER_MILLION : 0) + summaryUsd
  const savedUsd = requestsToCome * perRequest + atOnce
  return { pays: savedUsd > costUsd, savedUsd, costUsd, breakEvenRequests: breakEven(costUsd - atOnce, perRequest) }
}

/** The number of requests after which the cost is saved: 0 without a cost, Infinity if a request saves nothing. */
const breakEven = (cost: number, perRequest: number): number => {
  if (cost <= 0) return 0
  return perRequest === 0 ? Infinity : cost / perRequest
}

export interface SummaryPrice {
  readonly prices: ContextPrices
  /** Whether the cache has the beginning that the summary's request shares with the conversation's own. */
  readonly isWarm: boolean
  /** Tokens of system prompt, tools and the messages that are summarised. */
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What it costs to have a summary written, USD. Only the instruction at its end is new to a warm cache. */
export const summaryCostUsd = ({ prices, isWarm, inputTokens, outputTokens }: SummaryPrice): number =>
  (inputTokens * (isWarm ? prices.read : prices.input) + outputTokens * prices.output) * PER_MILLION
