/** What a table's rows leave of its total. */
import type { UsageTotals } from '@cairn/core'

/** Field by field; money exactly. */
export const subtractTotals = (all: UsageTotals, part: UsageTotals): UsageTotals => ({
  requests: all.requests - part.requests,
  inputTokens: all.inputTokens - part.inputTokens,
  cacheReadTokens: all.cacheReadTokens - part.cacheReadTokens,
  cacheWrite5mTokens: all.cacheWrite5mTokens - part.cacheWrite5mTokens,
  cacheWrite1hTokens: all.cacheWrite1hTokens - part.cacheWrite1hTokens,
  outputTokens: all.outputTokens - part.outputTokens,
  reasoningTokens: all.reasoningTokens - part.reasoningTokens,
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
})
