/** A stored request with the price of its tokens. */
import { NO_TOKENS, type PriceBook, type PriceQuery } from '../ports/price-book.ts'
import type { StoredRequest } from '../ports/usage-storage.ts'
import { allInputTokens } from '../usage/totals.ts'

/** Prices in nano-USD a token; 0 for a request without a known price, so that it adds to no leak. */
export interface PricedRequest {
  readonly stored: StoredRequest
  /** All input, tokens. */
  readonly input: number
  /** The input that was not read from the cache, tokens. */
  readonly unread: number
  readonly readPrice: number
  /** The mean price of the unread input; of a request without any, that of a cache write. */
  readonly unreadPrice: number
  /** Nano-USD. */
  readonly cost: number
}

/**
 * The request with its prices by the list of its day. Where its cost was recorded, they are scaled so that all parts add
 * up to that cost.
 * @param now the time (ms) of requests that have none
 */
export const pricedRequest = (stored: StoredRequest, book: PriceBook, now: number): PricedRequest => {
  const input = allInputTokens(stored)
  const unread = input - stored.cacheReadTokens
  const cost = Number(stored.costNano ?? 0n)
  const query: PriceQuery = { model: stored.model, provider: stored.provider ?? undefined, at: stored.at ?? now }
  const split = book.split(query, stored)
  const listed = split && Number(split.inputNano + split.cacheReadNano + split.cacheWriteNano + split.outputNano)
  if (split === undefined || listed === undefined || listed <= 0 || input === 0 || cost <= 0)
    return { stored, input, unread, readPrice: 0, unreadPrice: 0, cost }
  const scale = cost / listed
  const unreadCost = Number(split.inputNano + split.cacheWriteNano)
  // As large as the request is, so that a price by size is the same.
  const whole = (field: 'cacheReadTokens' | 'cacheWrite5mTokens') => book.split(query, { ...NO_TOKENS, [field]: input })
  const read = Number(whole('cacheReadTokens')?.cacheReadNano ?? 0n) / input
  const write = Number(whole('cacheWrite5mTokens')?.cacheWriteNano ?? 0n) / input
  return {
    stored,
    input,
    unread,
    cost,
    readPrice: read * scale,
    unreadPrice: (unread > 0 ? unreadCost / unread : write) * scale,
  }
}
