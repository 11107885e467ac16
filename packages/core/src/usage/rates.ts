/**
 * What a token of each class costs, in whole femto-USD, and the cost of a request by such rates. Whole
 * numbers, because a price such as $0.0375 per million is no whole number of nano-USD a token: a request
 * is summed exactly and rounded once.
 */
import type { NanoUsd } from '../money.ts'
import type { CostSplit, TokenUsage } from '../ports/price-book.ts'

/** USD per million tokens → femto-USD (10⁻¹⁵) per token. */
const FEMTO_PER_USD_PER_MILLION = 1_000_000_000
const FEMTO_PER_NANO = 1_000_000n

/** A price that rises for whole requests whose input exceeds a number of tokens. */
export interface Rate {
  readonly base: bigint
  /** By rising `above` (tokens of all input). */
  readonly tiers: readonly { readonly above: number; readonly rate: bigint }[]
}

export interface Rates {
  readonly input: Rate
  readonly cacheRead: Rate
  readonly cacheWrite5m: Rate
  readonly cacheWrite1h: Rate
  /** Undefined where the model has no price for output. */
  readonly output: Rate | undefined
  /** Where reasoning has a price of its own. */
  readonly reasoning: Rate | undefined
  /** For each request, whatever its size; femto-USD. */
  readonly request: bigint
}

/** Femto-USD per token of a price in USD per million. */
export const femtoRate = (usdPerMillion: number): bigint =>
  BigInt(Math.round(usdPerMillion * FEMTO_PER_USD_PER_MILLION))

/** A rate that is the same for requests of any size. */
export const flatRate = (usdPerMillion: number): Rate => ({ base: femtoRate(usdPerMillion), tiers: [] })

const rateFor = (rate: Rate, allInput: number): bigint => {
  let found = rate.base
  for (const tier of rate.tiers) if (allInput > tier.above) found = tier.rate
  return found
}

/** The cost of one request; undefined when it has output and the model no price for that. */
export const costByRates = (rates: Rates, usage: TokenUsage): NanoUsd | undefined => {
  const split = splitByRates(rates, usage)
  return split === undefined
    ? undefined
    : split.inputNano + split.cacheReadNano + split.cacheWriteNano + split.outputNano
}

/** The cost of one request by its parts, which are rounded so that they add up to the rounded whole. */
export const splitByRates = (rates: Rates, usage: TokenUsage): CostSplit | undefined => {
  const { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, outputTokens } = usage
  if (rates.output === undefined && outputTokens > 0) return undefined
  const allInput = inputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens
  const reasoningTokens = rates.reasoning === undefined ? 0 : Math.min(usage.reasoningTokens ?? 0, outputTokens)
  const price = (tokens: number, rate: Rate | undefined): bigint =>
    tokens > 0 && rate !== undefined ? BigInt(tokens) * rateFor(rate, allInput) : 0n
  let femto = 0n
  let rounded = 0n
  /** What the running sum grows by, in whole nano-USD. */
  const part = (added: bigint): NanoUsd => {
    femto += added
    const before = rounded
    rounded = (femto + FEMTO_PER_NANO / 2n) / FEMTO_PER_NANO
    return rounded - before
  }
  const inputNano = part(rates.request + price(inputTokens, rates.input))
  const cacheReadNano = part(price(cacheReadTokens, rates.cacheRead))
  const cacheWriteNano = part(
    price(cacheWrite5mTokens, rates.cacheWrite5m) + price(cacheWrite1hTokens, rates.cacheWrite1h),
  )
  const inputFemto = femto
  const outputNano = part(price(outputTokens - reasoningTokens, rates.output) + price(reasoningTokens, rates.reasoning))
  const savedFemto = rates.request + price(allInput, rates.input) - inputFemto
  const half = savedFemto < 0n ? -FEMTO_PER_NANO / 2n : FEMTO_PER_NANO / 2n
  return { inputNano, cacheReadNano, cacheWriteNano, outputNano, savedNano: (savedFemto + half) / FEMTO_PER_NANO }
}
