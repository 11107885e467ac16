/** What is said of this month's budgets. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { BudgetState, Forecast, MonthlyBudget } from '@cairn/core/insights'
import { neutraliseLine } from '../text/neutralise.ts'
import { projectName } from './project-usage.ts'

/** Monthly budgets as the status bar shows them. */
export interface BudgetText {
  /** `45 % of $20.00`, of the budget that is used up most; '' without a budget. */
  readonly text: string
  /** A sentence for each. */
  readonly notes: readonly string[]
  /** More was spent than one of them allows. */
  readonly isExceeded: boolean
}

/** Returns how much of a budget is spent, as a share; above 1 if it is exceeded. */
const share = ({ forecast, limitNano }: MonthlyBudget): number =>
  usdFromNano(forecast.spentNano) / usdFromNano(limitNano)

/** Returns how much of a budget is spent, in percent. */
const percent = (budget: MonthlyBudget): string => `${Math.round(100 * share(budget))} %`

/** Returns a sentence about a budget: whose, how much is spent, and what is forecast. */
const noteOf = (budget: MonthlyBudget): string => {
  const { project, forecast, limitNano, state } = budget
  const whose = project === null ? 'all projects' : neutraliseLine(projectName([project]) ?? project)
  const spent = `${formatUsd(forecast.spentNano)} of ${formatUsd(limitNano)} (${percent(budget)}) in ${forecast.month}`
  return `Budget of ${whose}: ${spent}. ${outlookOf(forecast, state)}`
}

/** Returns a sentence about how the month ends. Exceeded wins; without a forecast it says that. */
const outlookOf = ({ totalNano }: Forecast, state: BudgetState): string => {
  if (state === 'exceeded') return 'It is exceeded.'
  if (totalNano === null) return 'Too few days to tell how the month ends.'
  return `If it goes on like this, the month ends at about ${formatUsd(totalNano)}${state === 'warning' ? ', above the budget' : ''}.`
}

/**
 * Returns how much is spent of the budget that is used up most, the first of equal ones ('' without budgets), with a
 * sentence for each budget, and whether any is exceeded. Forecasts are estimates.
 */
export const budgetText = (budgets: readonly MonthlyBudget[]): BudgetText => {
  const [first, ...others] = budgets
  if (first === undefined) return { text: '', notes: [], isExceeded: false }
  const most = others.reduce((worst, each) => (share(each) > share(worst) ? each : worst), first)
  return {
    text: `${percent(most)} of ${formatUsd(most.limitNano)}${most.state === 'warning' ? ' $(warning)' : ''}`,
    notes: budgets.map(noteOf),
    isExceeded: budgets.some(({ state }) => state === 'exceeded'),
  }
}
