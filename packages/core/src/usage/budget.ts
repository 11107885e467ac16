/** Compares spending with a limit. */
import type { NanoUsd } from '../money.ts'
import { nanoFromUsd } from '../money.ts'
import { CairnError } from '../errors.ts'
import type { UsageTotals } from '../ports/usage-storage.ts'

export interface BudgetCheck {
  /** Whether more than the limit was spent; exactly the limit does not exceed it. */
  readonly exceeded: boolean
  readonly spent: NanoUsd
  readonly limit: NanoUsd
  /** Requests of unknown cost: the true sum may be higher. */
  readonly unpricedRequests: number
}

/**
 * Checks a report's total against a maximum in USD; exactly the maximum does not exceed it. Requests without a price
 * count as 0, and their number is returned.
 * @throws CairnError `usage` if the maximum is negative or not a number.
 */
export const checkBudget = (
  total: Pick<UsageTotals, 'costNano' | 'unpricedRequests'>,
  maximumUsd: number,
): BudgetCheck => {
  if (!Number.isFinite(maximumUsd) || maximumUsd < 0) {
    throw new CairnError('usage', `A budget must be an amount in USD of at least 0, not '${maximumUsd}'.`)
  }
  const limit = nanoFromUsd(maximumUsd)
  return {
    exceeded: total.costNano > limit,
    spent: total.costNano,
    limit,
    unpricedRequests: total.unpricedRequests,
  }
}
