/**
 * The rate of each token class in whole femto-USD, and the cost of a request at such rates. A price such as $0.0375 per
 * million is not a whole number of nano-USD per token, so a request is summed exactly and rounded once.
 */
import type { NanoUsd } from '../money.ts'
import { TOKEN_CLASSES, tokenCount, type CostSplit, type TokenClass, type TokenUsage } from '../ports/price-book.ts'
import { allInputTokens } from './totals.ts'

/** USD per million tokens → femto-USD (10⁻¹⁵) per token. */
const FEMTO_PER_USD_PER_MILLION = 1_000_000_000
const FEMTO_PER_NANO = 1_000_000n

/** A price that rises for requests whose input exceeds a number of tokens. */
export interface Rate {
  readonly base: bigint
  /** In ascending order of `above` (tokens of all input). */
  readonly tiers: readonly { readonly above: number; readonly rate: bigint }[]
}

/** The rate of each token class of one model. */
export type Rates = Readonly<Record<Exclude<TokenClass['rate'], 'output'>, Rate>> & {
  /** Undefined if the model has no price for output. */
  readonly output: Rate | undefined
  /** If reasoning has its own price. */
  readonly reasoning: Rate | undefined
  /** Fixed price per request, in femto-USD. */
  readonly request: bigint
}

/**
 * Converts a price in USD per million tokens to femto-USD (10⁻¹⁵) per token, rounded to a whole number. Throws a
 * RangeError if it is not a finite number.
 */
export const femtoRate = (usdPerMillion: number): bigint =>
  BigInt(Math.round(usdPerMillion * FEMTO_PER_USD_PER_MILLION))

/** A rate independent of the request's size, from a price in USD per million tokens. */
export const flatRate = (usdPerMillion: number): Rate => ({ base: femtoRate(usdPerMillion), tiers: [] })

/**
 * The rate for a request of this size. The rate of the highest tier that is below `allInput` (tokens), else the base.
 */
const rateFor = (rate: Rate, allInput: number): bigint => {
  let found = rate.base
  for (const tier of rate.tiers) if (allInput > tier.above) found = tier.rate
  return found
}

/** The cost of one request, rounded to nano-USD; undefined if it has output and the model has no price for output. */
export const costByRates = (rates: Rates, usage: TokenUsage): NanoUsd | undefined => {
  const split = splitByRates(rates, usage)
  return split === undefined
    ? undefined
    : split.inputNano + split.cacheReadNano + split.cacheWriteNano + split.outputNano
}

/**
 * The cost of one request by part, rounded so that the parts add up to the rounded total; undefined if it has output
 * and the model has no price for output.
 */
export const splitByRates = (rates: Rates, usage: TokenUsage): CostSplit | undefined => {
  if (rates.output === undefined && usage.outputTokens > 0) return undefined
  const allInput = allInputTokens(usage)
  const price = (tokens: number, rate: Rate | undefined): bigint =>
    tokens > 0 && rate !== undefined ? BigInt(tokens) * rateFor(rate, allInput) : 0n
  const reasoningTokens =
    rates.reasoning === undefined ? 0 : Math.min(tokenCount(usage, 'reasoningTokens'), usage.outputTokens)
  const exact = { inputNano: rates.request, cacheReadNano: 0n, cacheWriteNano: 0n, outputNano: 0n }
  for (const { field, rate, costPart } of TOKEN_CLASSES) {
    const tokens = tokenCount(usage, field)
    exact[costPart] +=
      rate === 'output'
        ? price(tokens - reasoningTokens, rates.output) + price(reasoningTokens, rates.reasoning)
        : price(tokens, rates[rate])
  }
  let femto = 0n
  let rounded = 0n
  /** The increase of the running sum, in whole nano-USD. */
  const part = (added: bigint): NanoUsd => {
    femto += added
    const before = rounded
    rounded = (femto + FEMTO_PER_NANO / 2n) / FEMTO_PER_NANO
    return rounded - before
  }
  const inputNano = part(exact.inputNano)
  const cacheReadNano = part(exact.cacheReadNano)
  const cacheWriteNano = part(exact.cacheWriteNano)
  const inputFemto = femto
  const outputNano = part(exact.outputNano)
  const savedFemto = rates.request + price(allInput, rates.input) - inputFemto
  const half = savedFemto < 0n ? -FEMTO_PER_NANO / 2n : FEMTO_PER_NANO / 2n
  return { inputNano, cacheReadNano, cacheWriteNano, outputNano, savedNano: (savedFemto + half) / FEMTO_PER_NANO }
}
