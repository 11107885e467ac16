/** How the result of a budget check is reported. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { BudgetCheck } from '@cairn/core'
import { counted } from '../terminal/format.ts'

/**
 * The outcome of a budget's check for `--json`, with amounts in USD: `{exceeded, spentUsd, limitUsd,
 * unpricedRequests}`.
 */
export const budgetJson = ({ exceeded, spent, limit, unpricedRequests }: BudgetCheck): Record<string, unknown> => ({
  exceeded,
  spentUsd: usdFromNano(spent),
  limitUsd: usdFromNano(limit),
  unpricedRequests,
})

/** A sentence that says by how much a budget was exceeded, or that it was not. */
export const budgetSentence = ({ exceeded, spent, limit }: BudgetCheck): string =>
  exceeded
    ? `Over budget: ${formatUsd(spent)} of ${formatUsd(limit)}, ${formatUsd(spent - limit)} too much.`
    : `Within budget: ${formatUsd(spent)} of ${formatUsd(limit)}.`

/** A sentence about requests without a cost, for want of a price or of their input, which the check can't count; undefined where there are none. */
export const unpricedSentence = ({ unpricedRequests }: BudgetCheck): string | undefined => {
  if (unpricedRequests === 0) return undefined
  return `${counted(unpricedRequests, 'request')} ${unpricedRequests === 1 ? 'has no cost (no known price, or no recorded input) and is' : 'have no cost (no known price, or no recorded input) and are'} not in the sum.`
}
