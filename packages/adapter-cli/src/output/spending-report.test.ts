import { describe, expect, it } from '@jest/globals'
import type { Budget, Forecast } from '@cairn/core/insights'
import { monthlyBudgetSentence, spendingJson, spendingLines } from './spending-report.ts'

const forecast = {
  month: '2026-11',
  spentNano: 1_560_000_000n,
  daysLeft: 7,
  perDayNano: 1_560_000_000n,
  activeDays: 12,
  isUncertain: false,
} as const
const none = { isUncertain: true, perDayNano: null, totalNano: null, lowNano: null, highNano: null } as const
const rest = { unusualDays: [], unusualSessions: [], blocks: [] }
const lineOf = (lowNano: bigint, highNano: bigint): string | undefined =>
  spendingLines({ forecast: { ...forecast, totalNano: 12_480_000_000n, lowNano, highNano }, ...rest }, (id) => id)[0]

describe('the sentence about a month', () => {
  it('has the range that the forecast has', () => {
    expect(lineOf(10_000_000_000n, 15_500_000_000n)).toBe(
      '2026-11: $1.56 so far, about $12.48 by its end ($10.00 to $15.50; 7 days left).',
    )
  })

  it('has none where all days cost the same', () => {
    expect(lineOf(12_480_000_000n, 12_480_000_000n)).toBe(
      '2026-11: $1.56 so far, about $12.48 by its end (7 days left).',
    )
  })
})

describe('the sentence about a month of few days', () => {
  const few = (activeDays: number): Forecast => ({ ...forecast, ...none, activeDays })
  const lines = (activeDays: number) => spendingLines({ forecast: few(activeDays), ...rest }, (id) => id)

  it('says that they are too few to tell its end', () => {
    expect(lines(1)).toEqual([
      '2026-11: $1.56 so far; too few days to tell what it will be by its end (1 active day; 7 days left).',
    ])
    expect(lines(4)[0]).toContain('(4 active days; 7 days left)')
    expect(lines(0)).toEqual([])
  })

  it('has null for what they do not tell', () => {
    expect(spendingJson({ forecast: few(2), ...rest }).forecast).toEqual({
      month: '2026-11',
      daysLeft: 7,
      activeDays: 2,
      isUncertain: true,
      spentUsd: 1.56,
      perDayUsd: null,
      totalUsd: null,
      lowUsd: null,
      highUsd: null,
    })
  })

  it('says it of its budget, too, until more is spent', () => {
    const of = (limitNano: bigint, state: Budget['state']) => monthlyBudgetSentence(few(3), { limitNano, state })
    expect(of(20_000_000_000n, 'ok')).toBe(
      '2026-11: $1.56 of $20.00 were spent; too few days to tell how the month ends.',
    )
    expect(of(1_000_000_000n, 'exceeded')).toBe('2026-11: the budget of $1.00 is exceeded: $1.56 were spent.')
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
