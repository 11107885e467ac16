/** How the result of a budget check is reported. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { BudgetCheck } from '@cairn/core'
import { counted } from '../terminal/format.ts'

/**
 * Returns the result of a budget check for `--json`, amounts in USD: `{exceeded, spentUsd, limitUsd,
 * unpricedRequests}`.
 */
export const budgetJson = ({ exceeded, spent, limit, unpricedRequests }: BudgetCheck): Record<string, unknown> => ({
  exceeded,
  spentUsd: usdFromNano(spent),
  limitUsd: usdFromNano(limit),
  unpricedRequests,
})

/** Returns a sentence that says by how much a budget was exceeded, or that it was not. */
export const budgetSentence = ({ exceeded, spent, limit }: BudgetCheck): string =>
  exceeded
    ? `Over budget: ${formatUsd(spent)} of ${formatUsd(limit)}, ${formatUsd(spent - limit)} too much.`
    : `Within budget: ${formatUsd(spent)} of ${formatUsd(limit)}.`

/** Returns a sentence about requests without a cost, which the check can't count; undefined if there are none. */
export const unpricedSentence = ({ unpricedRequests }: BudgetCheck): string | undefined => {
  if (unpricedRequests === 0) return undefined
  return `${counted(unpricedRequests, 'request')} ${unpricedRequests === 1 ? 'has no cost (no known price, or no recorded input) and is' : 'have no cost (no known price, or no recorded input) and are'} not in the sum.`
}
