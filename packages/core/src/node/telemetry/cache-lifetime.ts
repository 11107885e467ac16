/** Which lifetime cache writes had that were told without it: the one whose price makes the cost that was told. */
import type { NanoUsd } from '../../money.ts'
import type { PriceBook } from '../../ports/price-book.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { pricedRequest } from '../../usage/priced-request.ts'

/** Recorded costs are rounded, and sums of them by other programs, too. */
const TOLERANCE_NANO = 1_000n

/**
 * The request with its cache writes, which stand among those of five minutes, in the class of an hour where only that
 * class's price gives the cost that was told; else as it is.
 */
export const withLifetime = (fact: RequestFact, priceBook: PriceBook): RequestFact => {
  const { cacheWrite5mTokens: written, costNano, at } = fact
  if (written === 0 || costNano === null || at === null) return fact
  const unpriced: RequestFact = { ...fact, costNano: null, costState: 'unpriced' }
  const isCostOf = (one: RequestFact): boolean => isNear(pricedRequest(one, priceBook, at).costNano, costNano)
  const ofAnHour = { cacheWrite5mTokens: 0, cacheWrite1hTokens: written }
  return !isCostOf(unpriced) && isCostOf({ ...unpriced, ...ofAnHour }) ? { ...fact, ...ofAnHour } : fact
}

/** Whether a computed cost differs from the recorded one by no more than `TOLERANCE_NANO`; false if there is none. */
const isNear = (computed: NanoUsd | null, recorded: NanoUsd): boolean => {
  if (computed === null) return false
  const difference = computed - recorded
  return difference <= TOLERANCE_NANO && difference >= -TOLERANCE_NANO
}
