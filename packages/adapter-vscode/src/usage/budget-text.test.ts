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

/** The same where the month has had requests on two days. */
const young = ({ forecast: { month, spentNano, daysLeft }, ...rest }: MonthlyBudget): MonthlyBudget => ({
  ...rest,
  forecast: {
    ...{ month, spentNano, daysLeft, activeDays: 2 },
    ...{ isUncertain: true, perDayNano: null, totalNano: null, lowNano: null, highNano: null },
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

  it('says how a month ends only where its days tell', () => {
    const texts = budgetText([young(budget(null, [9, 20, 0], 'ok')), young(budget('/a', [30, 4, 0], 'exceeded'))])
    expect(texts).toEqual({
      text: '750 % of $4.00',
      notes: [
        'Budget of all projects: $9.00 of $20.00 (45 %) in 2026-06. Too few days to tell how the month ends.',
        'Budget of a: $30.00 of $4.00 (750 %) in 2026-06. It is exceeded.',
      ],
      isExceeded: true,
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
