/** What a table's rows leave of its total. */
import { mapTokens } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'

/** Returns the sums of `all` without those of `part`, field by field; money exactly. */
export const subtractTotals = (all: UsageTotals, part: UsageTotals): UsageTotals => ({
  requests: all.requests - part.requests,
  ...mapTokens((field) => all[field] - part[field]),
  costNano: all.costNano - part.costNano,
  recordedCostNano: all.recordedCostNano - part.recordedCostNano,
  cacheReadCostNano: all.cacheReadCostNano - part.cacheReadCostNano,
  cacheWriteCostNano: all.cacheWriteCostNano - part.cacheWriteCostNano,
  outputCostNano: all.outputCostNano - part.outputCostNano,
  savedNano: all.savedNano - part.savedNano,
  unpricedRequests: all.unpricedRequests - part.unpricedRequests,
  partialRequests: all.partialRequests - part.partialRequests,
  missingOutputTokens: all.missingOutputTokens - part.missingOutputTokens,
  missingOutputCostNano: all.missingOutputCostNano - part.missingOutputCostNano,
  timedRequests: all.timedRequests - part.timedRequests,
  firstTokenMs: all.firstTokenMs - part.firstTokenMs,
  totalMs: all.totalMs - part.totalMs,
})
