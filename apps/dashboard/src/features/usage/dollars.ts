/** A sum of money on an axis, with as many digits as distinguish its ticks. */
export const dollars = (usd: number): string => {
  const digits = usd !== 0 && Math.abs(usd) < 0.1 ? 4 : Number.isInteger(usd) ? 0 : 2
  const notation = Math.abs(usd) >= 10_000 ? 'compact' : 'standard'
  return usd.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    notation,
    minimumFractionDigits: notation === 'compact' ? 0 : Math.min(2, digits),
    maximumFractionDigits: digits,
  })
}
