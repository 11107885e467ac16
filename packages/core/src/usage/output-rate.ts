/** What a model's output costs a token: for output that a transcript does not tell. */
import type { PriceBook, PriceQuery, TokenUsage } from '../ports/price-book.ts'

/** So many tokens that their price in nano-USD is that of one in femto-USD. */
const SAMPLE = 1_000_000
const FEMTO_PER_NANO = 1_000_000n

/**
 * The price of a token of output of a request, femto-USD (10⁻¹⁵); undefined where none is known. The size of the
 * request's input counts where the price depends on it.
 */
export const outputRateOf = (priceBook: PriceBook, query: PriceQuery, usage: TokenUsage): bigint | undefined => {
  const { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = usage
  const withOutput = (outputTokens: number): TokenUsage => ({
    inputTokens,
    cacheReadTokens,
    cacheWrite5mTokens,
    cacheWrite1hTokens,
    outputTokens,
  })
  const split = priceBook.split(query, withOutput(SAMPLE))
  if (split !== undefined) return (split.outputNano * FEMTO_PER_NANO) / BigInt(SAMPLE)
  const much = priceBook.cost(query, withOutput(SAMPLE))
  const none = much === undefined ? undefined : priceBook.cost(query, withOutput(0))
  return much === undefined || none === undefined ? undefined : ((much - none) * FEMTO_PER_NANO) / BigInt(SAMPLE)
}
