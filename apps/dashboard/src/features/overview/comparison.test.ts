import { emptyTotals } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'
import { comparison } from './comparison.ts'

const sum = (requests: number, usd: number, changes: Partial<UsageTotals> = {}): UsageTotals => ({
  ...emptyTotals,
  requests,
  costNano: BigInt(usd * 1e9),
  inputTokens: requests * 10,
  ...changes,
})
const days = { days: 30, isCut: true }

describe('a comparison', () => {
  it('says by how much each total changed, and against what', () => {
    const changed = comparison(sum(112, 90, { cacheReadTokens: 500 }), sum(100, 100, { cacheReadTokens: 1_000 }), days)
    expect(changed?.cost).toMatchObject({
      text: '−10% vs the 30 days before',
      notes: ['The 30 days before, up to this time of day: $100.00.'],
    })
    expect(changed?.requests?.text).toBe('+12% vs the 30 days before')
    expect(changed?.cacheHit?.text).toBe('−19.1 points vs the 30 days before')
  })

  it('is a factor for large changes, “new” where there was nothing, and no change for equal totals', () => {
    expect(comparison(sum(1_400, 1), sum(100, 0), { days: 1, isCut: false })).toMatchObject({
      requests: { text: '×14 vs the day before' },
      cost: { text: 'new, vs the day before', notes: ['The day before: $0.00.'] },
    })
    expect(comparison(sum(5, 1), sum(5, 1), days)?.cost.text).toBe('±0% vs the 30 days before')
  })

  it('says so where nothing came before, and is absent where nothing is now', () => {
    const text = 'nothing in the 30 days before'
    expect(comparison(sum(5, 1), emptyTotals, days)).toEqual({ cost: { text, notes: [], isIncomplete: false } })
    expect(comparison(emptyTotals, sum(5, 1), days)).toBeUndefined()
  })
})
