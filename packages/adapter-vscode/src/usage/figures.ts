/** Figures of usage as the editor shows them, and notes on how exact they are. */
import { allInputTokens, cacheHitRatio, formatCost, formatEstimate, formatUsd } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** Returns a count in short, with at most three digits: `987`, `12.3K`. */
export const countText = (count: number): string => compact.format(count)

/** Returns input and output tokens together, in short: `4.57M`; `0` for none. */
export const tokenText = (totals: UsageTotals): string => countText(allInputTokens(totals) + totals.outputTokens)

/**
 * Returns a cost: `$1.23`; `$1.23 + ~$0.10` with an estimate for output that was not recorded; `$1.23+` if part of it
 * has no price; `unpriced` if nothing has.
 */
export const costText = ({ requests, unpricedRequests, costNano, missingOutputCostNano }: Costs): string => {
  if (requests > 0 && unpricedRequests === requests) return 'unpriced'
  return `${formatCost(costNano, missingOutputCostNano)}${unpricedRequests > 0 ? '+' : ''}`
}

type Costs = Pick<UsageTotals, 'requests' | 'unpricedRequests' | 'costNano' | 'missingOutputCostNano'>

/** Returns the share of input that came from the cache, `93.1%`; `–` if there was no input. */
export const cacheHitText = (totals: UsageTotals): string => {
  const ratio = cacheHitRatio(totals)
  return ratio === undefined ? '–' : `${(ratio * 100).toFixed(1)}%`
}

/**
 * Returns sentences about what a sum leaves out or estimates; empty if there is nothing to say, or there were no
 * requests.
 */
export const stateNotes = (totals: UsageTotals): readonly string[] => {
  const { requests, unpricedRequests, partialRequests, costNano, recordedCostNano } = totals
  if (requests === 0) return []
  const notes: string[] = []
  if (unpricedRequests < requests) {
    if (recordedCostNano === 0n) notes.push('Costs are computed from the price list.')
    else if (recordedCostNano === costNano) notes.push('Costs are as the agents recorded them.')
    else
      notes.push(
        `Of the costs, ${formatUsd(recordedCostNano)} were recorded by the agents; the rest is computed from the price list.`,
      )
  }
  if (unpricedRequests > 0)
    notes.push(
      `${unpricedRequests.toLocaleString('en-US')} of ${requests.toLocaleString('en-US')} requests have no cost (no known price, or no recorded input); the true cost is higher.`,
    )
  if (partialRequests > 0) {
    const estimate = formatEstimate(totals.missingOutputCostNano)
    notes.push(
      `${partialRequests.toLocaleString('en-US')} ${partialRequests === 1 ? 'reply was' : 'replies were'} recorded only in part; output and cost are higher than shown${estimate === undefined ? '' : `, by ${estimate}, which is an estimate that no total includes`}.`,
    )
  }
  return notes
}
