/** What the server bills: every token class of each request, and its price. */

/** Tokens of one request in disjoint classes; `reasoningTokens` is a part of `outputTokens`. */
export interface BilledTokens {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite30mTokens: number
  readonly cacheWrite1hTokens: number
  readonly cacheWrite12hTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

export const NOTHING_BILLED: BilledTokens = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite30mTokens: 0,
  cacheWrite1hTokens: 0,
  cacheWrite12hTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}

/** USD per million tokens, as decimal text: `3`, `0.30`, `18.75`. Reasoning costs what output does. */
export interface Prices {
  readonly input: string
  readonly cacheRead: string
  readonly cacheWrite5m?: string
  readonly cacheWrite30m?: string
  readonly cacheWrite1h?: string
  readonly cacheWrite12h?: string
  readonly output: string
}

export interface LedgerEntry {
  /** Index in `requests`. */
  readonly request: number
  readonly wire: string
  readonly model: string
  readonly responseId: string
  /** What is billed: of a reply that broke off, the output until then. */
  readonly tokens: BilledTokens
  /** What the reply had told of it when it ended; absent when nothing was. */
  readonly reported: BilledTokens | undefined
  /** The reply was sent to its end. */
  readonly isComplete: boolean
  /** Exact, in 10⁻¹⁵ USD. */
  readonly costFemto: bigint
  /** Rounded to the nearest nano-USD, halves up. */
  readonly costNano: bigint
}

const FEMTO_DIGITS = 9
const FEMTO_PER_NANO = 1_000_000n

/** Femto-USD per token of a price in USD per million. Throws a RangeError for what is no price. */
const femtoOf = (price: string): bigint => {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(price) ?? []
  if (whole === undefined) throw new RangeError(`not a price in USD per million tokens: ${price}`)
  return BigInt(whole + decimals.padEnd(FEMTO_DIGITS, '0'))
}

/**
 * Exact cost in femto-USD (10⁻¹⁵), not rounded.
 * @throws RangeError when tokens were billed that have no price
 */
export const costOf = (tokens: BilledTokens, prices: Prices): bigint => {
  const rows: readonly (readonly [number, string | undefined, string])[] = [
    [tokens.inputTokens, prices.input, 'input'],
    [tokens.cacheReadTokens, prices.cacheRead, 'cache reads'],
    [tokens.cacheWrite5mTokens, prices.cacheWrite5m, 'cache writes for 5 minutes'],
    [tokens.cacheWrite30mTokens, prices.cacheWrite30m, 'cache writes for 30 minutes'],
    [tokens.cacheWrite1hTokens, prices.cacheWrite1h, 'cache writes for 1 hour'],
    [tokens.cacheWrite12hTokens, prices.cacheWrite12h, 'cache writes for 12 hours'],
    [tokens.outputTokens, prices.output, 'output'],
  ]
  return rows.reduce((sum, [count, price, what]) => {
    if (count === 0) return sum
    if (price === undefined) throw new RangeError(`the server's price list has no price for ${what}`)
    return sum + BigInt(count) * femtoOf(price)
  }, 0n)
}

/** Femto-USD as nano-USD, rounded to the nearest; half up. */
export const nanoOf = (femto: bigint): bigint => (femto + FEMTO_PER_NANO / 2n) / FEMTO_PER_NANO
