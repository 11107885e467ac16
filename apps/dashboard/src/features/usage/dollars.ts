/**
 * Returns an amount in USD as the label of an axis: `$1,200`, `$0.50`, `$0.0042`; from $10,000 on in short (`$12K`).
 */
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
