/** Computes the cost of a request that has no recorded one. */
import type { PriceBook } from '../ports/price-book.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { outputRateOf } from './output-rate.ts'
import { isInputUnknown } from './totals.ts'

/**
 * Adds values from the price book to a request: the cost, what caching saved, and the price of further output. A
 * recorded cost stays, and of its parts only what was saved is added. A request stays unpriced if its model has no
 * price or its input is unknown.
 * @param now the time (ms) used for requests without one
 */
export const pricedRequest = (given: RequestFact, priceBook: PriceBook, now: number): RequestFact => {
  if (given.costState !== 'recorded' && isInputUnknown(given)) return given
  const query = { model: given.model, provider: given.provider, at: given.at ?? now }
  const outputRate = outputRateOf(priceBook, query, given)
  const request = outputRate === undefined ? given : { ...given, outputRate }
  const split = priceBook.split(query, request)
  if (request.costState === 'recorded') {
    if (split === undefined) return request
    return {
      ...request,
      costSplit: { cacheReadNano: 0n, cacheWriteNano: 0n, outputNano: 0n, savedNano: split.savedNano },
    }
  }
  if (split !== undefined) {
    const { inputNano, ...costSplit } = split
    const costNano = inputNano + split.cacheReadNano + split.cacheWriteNano + split.outputNano
    return { ...request, costNano, costState: 'computed', costSplit }
  }
  const costNano = priceBook.cost(query, request)
  return costNano === undefined ? request : { ...request, costNano, costState: 'computed' }
}
