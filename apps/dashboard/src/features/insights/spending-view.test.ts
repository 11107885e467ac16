import { describe, expect, it } from '@jest/globals'
import type { SpendingReport } from '@cairn/core/insights'
import { spendingView } from './spending-view.ts'

const USD = 1_000_000_000n
const report: SpendingReport = {
  forecast: {
    month: '2026-01',
    spentNano: 35n * USD,
    daysLeft: 1,
    perDayNano: 3n * USD,
    totalNano: 38n * USD,
    lowNano: 36n * USD,
    highNano: 40n * USD,
    activeDays: 20,
    isUncertain: false,
  },
  unusualDays: [{ day: '2026-01-16', costNano: 9n * USD, medianNano: USD }],
  unusualSessions: [{ sessionId: 'a:1', title: null, at: 5, costNano: 8n * USD, medianNano: USD }],
  blocks: [
    { start: 0, firstAt: 1, lastAt: 2, requests: 1, tokens: 10, costNano: USD, isActive: false, burn: null },
    {
      start: 0,
      firstAt: 1,
      lastAt: 2,
      requests: 2,
      tokens: 12_345,
      costNano: 2n * USD,
      isActive: true,
      burn: { costNanoPerHour: USD / 2n, tokensPerMinute: 7 },
    },
  ],
}

const ends = (usd: bigint) =>
  ({ isUncertain: false, totalNano: usd * USD, lowNano: usd * USD, highNano: usd * USD }) as const
const UNTOLD = { isUncertain: true, perDayNano: null, totalNano: null, lowNano: null, highNano: null } as const

describe('spendingView', () => {
  it('tells the month, the five hours under way, and what stands out', () => {
    const { facts, unusual } = spendingView(report)
    expect(facts.map(({ text, below }) => [text, below])).toEqual([
      ['$35.00', '$3.00 a day lately'],
      ['~$38.00', '$36.00 to $40.00; 1 day left'],
      ['$2.00', '2 requests, 12.3K tokens; $0.5000 an hour'],
    ])
    expect(unusual).toEqual([
      {
        name: '2026-01-16',
        text: '$9.00; half of the days before cost less than $1.00',
        sessionId: null,
        day: '2026-01-16',
      },
      { name: 'a:1', text: '$8.00; half of the sessions before cost less than $1.00', sessionId: 'a:1', day: null },
    ])
  })

  it('has no range where all days cost the same', () => {
    const forecast = { ...report.forecast, perDayNano: USD, ...ends(38n) }
    expect(spendingView({ ...report, forecast }).facts[1]?.below).toBe('1 day left')
  })

  it('says that few days are too few to tell', () => {
    const forecast = { ...report.forecast, ...UNTOLD, activeDays: 1 }
    expect(spendingView({ ...report, forecast }).facts.slice(0, 2)).toEqual([
      { name: 'Spent in 2026-01', text: '$35.00', below: '1 day left' },
      { name: 'By its end', text: '–', below: 'too few days to tell: 1 active day' },
    ])
    expect(spendingView({ ...report, forecast: { ...forecast, activeDays: 0 } }).facts).toEqual([])
  })

  it('has a dash for the rate of requests that are too close together', () => {
    const blocks = report.blocks.map((block) => ({ ...block, burn: null }))
    expect(spendingView({ ...report, blocks }).facts.at(-1)?.below).toBe('2 requests, 12.3K tokens; – an hour')
  })

  it('is silent where nothing was spent', () => {
    const forecast = { ...report.forecast, spentNano: 0n, perDayNano: 0n, ...ends(0n) }
    expect(spendingView({ forecast, unusualDays: [], unusualSessions: [], blocks: [] })).toEqual({
      facts: [],
      unusual: [],
    })
  })
})
