/** Stored requests with the price of their tokens. */
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

interface Prices {
  readonly read: number | undefined
  readonly unread: number | undefined
}

const NONE: Prices = { read: undefined, unread: undefined }

/**
 * The requests of a session with their prices: what each was charged, as the store has it; for a class that it had no
 * tokens of, what another request of its model was charged; else the price list of its day, scaled so that all parts add
 * up to a cost that was recorded. Both prices are 0 for a request without input or cost, or whose price nothing tells.
 * @param now the time (ms) of requests that have none
 */
export const pricedRequests = (
  stored: readonly StoredRequest[],
  book: PriceBook,
  now: number,
): readonly PricedRequest[] => {
  const charged = stored.map(chargedPrices)
  const known = new Map<string, Prices>()
  for (const [index, { model }] of stored.entries()) {
    const before = known.get(model) ?? NONE
    const { read, unread } = charged[index] ?? NONE
    known.set(model, { read: before.read ?? read, unread: before.unread ?? unread })
  }
  return stored.map((request, index): PricedRequest => {
    const input = allInputTokens(request)
    const priced = {
      stored: request,
      input,
      unread: input - request.cacheReadTokens,
      cost: Number(request.costNano ?? 0n),
    }
    if (input === 0 || priced.cost <= 0) return { ...priced, readPrice: 0, unreadPrice: 0 }
    const own = charged[index] ?? NONE
    const other = request.costSplit === undefined ? NONE : (known.get(request.model) ?? NONE)
    const [read, unread] = [own.read ?? other.read, own.unread ?? other.unread]
    const listed = read === undefined || unread === undefined ? listPrices(request, input, book, now) : NONE
    return {
      ...priced,
      readPrice: read ?? listed.read ?? 0,
      unreadPrice: unread ?? listed.unread ?? 0,
    }
  })
}

/**
 * What a request was charged for a token, nano-USD: undefined for a class that it had no tokens of, and for both where
 * the parts of its cost are not known.
 */
const chargedPrices = (request: StoredRequest): Prices => {
  const { costNano, costSplit, cacheReadTokens } = request
  if (costNano === null || costSplit === undefined) return NONE
  const unread = allInputTokens(request) - cacheReadTokens
  const unreadCost = costNano - costSplit.cacheReadNano - costSplit.outputNano
  return {
    read: cacheReadTokens > 0 ? Number(costSplit.cacheReadNano) / cacheReadTokens : undefined,
    unread: unread > 0 ? Number(unreadCost) / unread : undefined,
  }
}

/**
 * Prices of an input token, read from the cache or not, in nano-USD: the list's, scaled to what the request cost; both
 * undefined for a model that it does not have, or that is free.
 */
const listPrices = (request: StoredRequest, input: number, book: PriceBook, now: number): Prices => {
  const query: PriceQuery = { model: request.model, provider: request.provider ?? undefined, at: request.at ?? now }
  const split = book.split(query, request)
  if (split === undefined) return NONE
  const cost = split.inputNano + split.cacheReadNano + split.cacheWriteNano + split.outputNano
  if (cost <= 0n) return NONE
  const scale = Number(request.costNano ?? 0n) / Number(cost)
  const unread = input - request.cacheReadTokens
  // As large as the request is, so that a price by size is the same.
  const whole = (field: 'cacheReadTokens' | 'cacheWrite5mTokens') => book.split(query, { ...NO_TOKENS, [field]: input })
  const read = Number(whole('cacheReadTokens')?.cacheReadNano ?? 0n) / input
  const write = Number(whole('cacheWrite5mTokens')?.cacheWriteNano ?? 0n) / input
  const unreadCost = Number(split.inputNano + split.cacheWriteNano)
  return { read: read * scale, unread: (unread > 0 ? unreadCost / unread : write) * scale }
}
