import type { MonthlyBudget } from '@cairn/core/insights'
import { budgetText } from './budget-text.ts'

const budget = (
  project: string | null,
  [spent, limit, total]: readonly [number, number, number],
  state: MonthlyBudget['state'],
): MonthlyBudget => ({
  project,
  limitNano: BigInt(limit) * 1_000_000_000n,
  state,
  forecast: {
    month: '2026-06',
    spentNano: BigInt(spent) * 1_000_000_000n,
    daysLeft: 3,
    perDayNano: 0n,
    totalNano: BigInt(total) * 1_000_000_000n,
    lowNano: 0n,
    highNano: 0n,
    activeDays: 9,
    isUncertain: false,
  },
})

describe('the text of budgets', () => {
  it('is nothing without one', () => {
    expect(budgetText([])).toEqual({ text: '', notes: [], isExceeded: false })
  })

  it('names the one that is used up most, with a sentence for each', () => {
    const texts = budgetText([budget(null, [9, 20, 18], 'ok'), budget('/code/sh\u202eop', [8, 10, 12], 'warning')])
    expect(texts).toEqual({
      text: '80 % of $10.00 $(warning)',
      notes: [
        'Budget of all projects: $9.00 of $20.00 (45 %) in 2026-06. If it goes on like this, the month ends at about $18.00.',
        'Budget of sh\ufffdop: $8.00 of $10.00 (80 %) in 2026-06. If it goes on like this, the month ends at about $12.00, above the budget.',
      ],
      isExceeded: false,
    })
  })

  it('says that one is exceeded', () => {
    const { text, notes, isExceeded } = budgetText([
      budget(null, [25, 20, 30], 'exceeded'),
      budget('/a', [1, 9, 1], 'ok'),
    ])
    expect([text, isExceeded]).toEqual(['125 % of $20.00', true])
    expect(notes[0]).toContain('It is exceeded.')
  })
})
