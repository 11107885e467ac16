import { describe, expect, it } from '@jest/globals'
import { spendingLines } from './spending-report.ts'

const forecast = { month: '2026-11', spentNano: 1_560_000_000n, daysLeft: 7, perDayNano: 1_560_000_000n }
const lineOf = (lowNano: bigint, highNano: bigint): string | undefined => {
  const whole = { ...forecast, totalNano: 12_480_000_000n, lowNano, highNano }
  return spendingLines({ forecast: whole, unusualDays: [], unusualSessions: [], blocks: [] }, (id) => id)[0]
}

describe('the sentence about a month', () => {
  it('has the range that the forecast has', () => {
    expect(lineOf(10_000_000_000n, 15_500_000_000n)).toBe(
      '2026-11: $1.56 so far, about $12.48 by its end ($10.00 to $15.50; 7 days left).',
    )
  })

  it('has none where only one day is known', () => {
    expect(lineOf(12_480_000_000n, 12_480_000_000n)).toBe(
      '2026-11: $1.56 so far, about $12.48 by its end (7 days left).',
    )
  })
})
