/** What is said about a budget. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { BudgetCheck } from '@cairn/core'
import { counted } from './terminal/format.ts'

/** The check, for JSON. */
export const budgetJson = ({ exceeded, spent, limit, unpricedRequests }: BudgetCheck): Record<string, unknown> => ({
  exceeded,
  spentUsd: usdFromNano(spent),
  limitUsd: usdFromNano(limit),
  unpricedRequests,
})

/** The check in a sentence. */
export const budgetSentence = ({ exceeded, spent, limit, unpricedRequests }: BudgetCheck): string => {
  const verdict = exceeded ? `Over budget: ${formatUsd(spent)} of ${formatUsd(limit)}, ${formatUsd(spent - limit)} too much` : `Within budget: ${formatUsd(spent)} of ${formatUsd(limit)}`
  return `${verdict}${unpricedRequests > 0 ? `; ${counted(unpricedRequests, 'request')} without a known price not counted` : ''}.`
}
