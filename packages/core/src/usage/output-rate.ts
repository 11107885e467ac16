/** The price of a model's output tokens, used for output that a transcript did not record. */
import { pickTokens, type PriceBook, type PriceQuery, type TokenUsage } from '../ports/price-book.ts'

/** The price of a million tokens in nano-USD is numerically that of one token in femto-USD. */
const SAMPLE = 1_000_000
const FEMTO_PER_NANO = 1_000_000n

/**
 * The price of one output token of a request, in femto-USD (10⁻¹⁵), rounded down; undefined if unknown. Takes the size
 * of the request's input into account if the price depends on it.
 */
export const outputRateOf = (priceBook: PriceBook, query: PriceQuery, usage: TokenUsage): bigint | undefined => {
  const { reasoningTokens, ...tokens } = pickTokens(usage)
  const withOutput = (outputTokens: number): TokenUsage => ({ ...tokens, outputTokens })
  const split = priceBook.split(query, withOutput(SAMPLE))
  if (split !== undefined) return (split.outputNano * FEMTO_PER_NANO) / BigInt(SAMPLE)
  const withSample = priceBook.cost(query, withOutput(SAMPLE))
  const withoutOutput = withSample === undefined ? undefined : priceBook.cost(query, withOutput(0))
  return withSample === undefined || withoutOutput === undefined
    ? undefined
    : ((withSample - withoutOutput) * FEMTO_PER_NANO) / BigInt(SAMPLE)
}
