/** When removing duplicate reads is enough, so that truncation can wait. */
import { CairnError } from '../../../errors.ts'

/** Cline's fixed share of characters, which the policy `cline` uses. */
export const CLINE_DEDUP_THRESHOLD = 0.3

export interface ConversationFeatures {
  /** Share of what the conversation grows by that is files read again: 0 to 1. */
  readonly rereadShare: number
  /** Tokens that a request adds to the context, on average. */
  readonly growthPerRequest: number
  /** Tokens that the context may hold (the allowed size, without the reserve). */
  readonly window: number
  /** Price of a cache write over that of a cache read, per token (Anthropic, 5 minutes: 12.5). */
  readonly writeReadRatio: number
  /** Requests that are expected before the session ends; left out: no end in sight. */
  readonly requestsLeft?: number
}

/**
 * The share of the context's characters (0 to 1) from which deduplication alone suffices.
 *
 * The context is full: L tokens. Deduplication frees the share s of it. A request adds g tokens, of which
 * the share q are files read again, and so will be freed again by the next deduplication: G = g·(1 − q) is
 * what stays. The room lasts n = s·L / G requests. It suffices in either of two cases:
 *
 * 1. It lasts to the end: n ≥ k requests left, so s ≥ k·G / L.
 * 2. It pays for itself: the rewrite rewrites the rest of the context, which costs (w − r)·(1 − s)·L more
 *    than reading it, and spares r·s·L in each of the n requests. With c = (w/r − 1)·G / L this is
 *    s² ≥ c·(1 − s), so s ≥ (√(c² + 4c) − c) / 2. Below it the cache would be thrown away again before
 *    the saving has paid for it, and a deeper cut by truncation is cheaper.
 *
 * The lesser of the two, but never less than what the next request adds, g / L. More growth, dearer writes
 * and a longer session raise it; a larger window and more repetition lower it.
 *
 * @throws CairnError `invalid-input` for a figure that is not a number in its range.
 */
export const predictDedupThreshold = (features: ConversationFeatures): number => {
  const { rereadShare, growthPerRequest, window, writeReadRatio, requestsLeft = Number.POSITIVE_INFINITY } = features
  assertFigure('rereadShare', rereadShare, rereadShare >= 0 && rereadShare <= 1, 'from 0 to 1')
  assertFigure('growthPerRequest', growthPerRequest, growthPerRequest >= 0, 'of tokens, 0 or more')
  assertFigure('window', window, window > 0, 'of tokens above 0')
  assertFigure('writeReadRatio', writeReadRatio, writeReadRatio >= 0, 'of 0 or more')
  if (Number.isNaN(requestsLeft) || requestsLeft < 0)
    throw new CairnError('invalid-input', 'predictDedupThreshold needs requestsLeft as a number of 0 or more.')

  const netGrowth = (growthPerRequest * (1 - rereadShare)) / window
  // What never grows lasts for any number of requests.
  const toTheEnd = netGrowth === 0 ? 0 : requestsLeft * netGrowth
  const cost = Math.max(writeReadRatio - 1, 0) * netGrowth
  const paysBack = (Math.sqrt(cost * cost + 4 * cost) - cost) / 2
  const nextRequest = growthPerRequest / window
  return Math.min(1, Math.max(nextRequest, Math.min(toTheEnd, paysBack)))
}

/** @throws CairnError `invalid-input`, naming the figure and its range, unless it is a finite number in its range */
const assertFigure = (name: string, value: number, isInRange: boolean, range: string): void => {
  if (typeof value !== 'number' || !Number.isFinite(value) || !isInRange)
    throw new CairnError('invalid-input', `predictDedupThreshold needs ${name} as a number ${range}.`)
}
