import { describe, expect, it } from '@jest/globals'
import { spendingLines } from './spending-report.ts'

const forecast = {
  month: '2026-11',
  spentNano: 1_560_000_000n,
  daysLeft: 7,
  perDayNano: 1_560_000_000n,
  activeDays: 12,
  isUncertain: false,
}
const lineOf = (lowNano: bigint, highNano: bigint, days: Partial<typeof forecast> = {}): string | undefined => {
  const whole = { ...forecast, ...days, totalNano: 12_480_000_000n, lowNano, highNano }
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

describe('the sentence about a month of few days', () => {
  it('says that it is uncertain, and why', () => {
    const few = { activeDays: 1, isUncertain: true }
    expect(lineOf(12_480_000_000n, 12_480_000_000n, few)).toBe(
      '2026-11: $1.56 so far, about $12.48 by its end (uncertain, from 1 active day; 7 days left).',
    )
    expect(lineOf(10_000_000_000n, 15_500_000_000n, { activeDays: 4, isUncertain: true })).toContain(
      '($10.00 to $15.50; uncertain, from 4 active days; 7 days left)',
    )
  })
})

describe('the sentence about a block', () => {
  const month = { ...forecast, totalNano: 0n, lowNano: 0n, highNano: 0n }
  const block = {
    start: 0,
    firstAt: 0,
    lastAt: 3_600_000,
    requests: 3,
    tokens: 4_500,
    costNano: 2_500_000_000n,
    isActive: true,
  }
  const sentence = (burn: { readonly costNanoPerHour: bigint; readonly tokensPerMinute: number } | null) =>
    spendingLines({ forecast: month, unusualDays: [], unusualSessions: [], blocks: [{ ...block, burn }] }, (id) => id)

  it('has the rate, or a dash where the requests are too close together for one', () => {
    expect(sentence({ costNanoPerHour: 2_500_000_000n, tokensPerMinute: 75 })[0]).toContain(
      '$2.50 in 3 requests with 4.50k tokens, $2.50 an hour and 75 tokens a minute; 4 h were left',
    )
    expect(sentence(null)[0]).toContain('$2.50 in 3 requests with 4.50k tokens, – an hour; 4 h were left')
  })
})
