/**
 * Money as integer nano-USD (1 USD = 1,000,000,000). A bigint, because sums must be exact at any size:
 * a number stops being exact at nine million dollars.
 */
export type NanoUsd = bigint

const NANO_PER_USD = 1_000_000_000

/** Nearest nano-USD of an amount in USD, e.g. one that a transcript recorded. */
export const nanoFromUsd = (usd: number): NanoUsd => {
  if (!Number.isFinite(usd)) throw new RangeError(`not an amount of money: ${usd}`)
  return BigInt(Math.round(usd * NANO_PER_USD))
}

/** The amount in USD as a number, for JSON output; exact to 15 digits. */
export const usdFromNano = (nano: NanoUsd): number => {
  const whole = nano / 1_000_000_000n
  return (
    Number(`${whole}.${(nano < 0n ? -nano : nano).toString().padStart(10, '0').slice(-9)}`) *
    (nano < 0n && whole === 0n ? -1 : 1)
  )
}

/** `$1,234.57`; four digits below a cent's worth of rounding matters (`$0.0042`). */
export const formatUsd = (nano: NanoUsd): string => {
  const usd = usdFromNano(nano)
  const digits = usd !== 0 && Math.abs(usd) < 1 ? 4 : 2
  return usd.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
