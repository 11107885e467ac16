/**
 * Money as integer nano-USD (1 USD = 1,000,000,000). A bigint, because sums must be exact at any size:
 * a number stops being exact at nine million dollars.
 */
export type NanoUsd = bigint

const NANO_PER_USD = 1_000_000_000

/** No request costs more, in USD: a larger amount is a mistake of the source. Stores hold sums of many such. */
export const HIGHEST_COST = 1_000_000

/**
 * An amount in USD, of any size, rounded to whole nano-USD.
 * @throws RangeError for what is no finite number
 */
export const nanoFromUsd = (usd: number): NanoUsd => {
  if (!Number.isFinite(usd)) throw new RangeError(`not an amount of money: ${usd}`)
  const nano = Math.round(usd * NANO_PER_USD)
  return Number.isFinite(nano) ? BigInt(nano) : BigInt(usd) * BigInt(NANO_PER_USD)
}

/**
 * The cost of a request that a source recorded in USD, in nano-USD; null for 0 (nothing was recorded), for what is no
 * number, below 0 or above `HIGHEST_COST`.
 */
export const recordedCost = (value: unknown): NanoUsd | null =>
  typeof value === 'number' && value > 0 && value <= HIGHEST_COST ? nanoFromUsd(value) : null

/**
 * Whether a value is the cost of a request in USD (from 0 to `HIGHEST_COST`), or is not there: what else stands in its
 * place should be named.
 */
export const isCostOrAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'number' && value >= 0 && value <= HIGHEST_COST)

/** The amount in USD as a number, for JSON output; exact to 15 digits, with its sign. */
export const usdFromNano = (nano: NanoUsd): number => {
  const whole = nano / 1_000_000_000n
  return (
    Number(`${whole}.${(nano < 0n ? -nano : nano).toString().padStart(10, '0').slice(-9)}`) *
    (nano < 0n && whole === 0n ? -1 : 1)
  )
}

/**
 * An amount for people, in English form: two digits after the point (`$1,234.57`), four for one below a dollar that is
 * not 0 (`$0.0042`).
 */
export const formatUsd = (nano: NanoUsd): string => {
  const usd = usdFromNano(nano)
  return usdFormat(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2).format(usd)
}

const usdFormats = new Map<number, Intl.NumberFormat>()

/**
 * The format of dollars with so many digits behind the point. A formatter takes as long to make as hundreds of amounts
 * take to format: each is made once, when it is needed.
 */
const usdFormat = (digits: number): Intl.NumberFormat => {
  const known = usdFormats.get(digits)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  usdFormats.set(digits, made)
  return made
}

/** An estimated amount: `~$128.00`; undefined where it is nothing, or too little to be told. */
export const formatEstimate = (estimate: NanoUsd): string | undefined =>
  estimate < SMALLEST_SHOWN ? undefined : `~${formatUsd(estimate)}`

/** Half of the last digit that `formatUsd` shows. */
const SMALLEST_SHOWN = 50_000n

/** A cost with the estimate of what was not recorded beside it, never in it: `$1,516.00 + ~$128.00`. */
export const formatCost = (cost: NanoUsd, estimate: NanoUsd): string =>
  [formatUsd(cost), formatEstimate(estimate)].filter((part) => part !== undefined).join(' + ')
