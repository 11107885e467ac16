/** What `--json` prints: money as USD, times as ms since the epoch, absent facts as null. */
import { usdFromNano } from '@cairn/core'
import type { SessionSummary, StoredRequest, UsageReport, UsageTotals } from '@cairn/core'

/** One line of JSON. */
export const jsonText = (value: unknown): string => JSON.stringify(value)

/**
 * Usage sums. `recordedCostUsd` is part of `costUsd`. `missingOutputTokens` and their cost `missingOutputCostUsd` are
 * estimates, and part of no other figure.
 */
const usageJson = ({
  costNano,
  recordedCostNano,
  cacheReadCostNano,
  cacheWriteCostNano,
  outputCostNano,
  savedNano,
  missingOutputCostNano,
  ...counts
}: UsageTotals): Record<string, number | string> => ({
  ...counts,
  costUsd: usdFromNano(costNano),
  recordedCostUsd: usdFromNano(recordedCostNano),
  cacheReadCostUsd: usdFromNano(cacheReadCostNano),
  cacheWriteCostUsd: usdFromNano(cacheWriteCostNano),
  outputCostUsd: usdFromNano(outputCostNano),
  savedUsd: usdFromNano(savedNano),
  missingOutputCostUsd: usdFromNano(missingOutputCostNano),
})

/** A whole report. */
export const reportJson = ({
  rows,
  total,
}: UsageReport): { readonly rows: readonly unknown[]; readonly total: unknown } => ({
  rows: rows.map(usageJson),
  total: usageJson(total),
})

/** A session as lists show it. */
export const sessionJson = ({
  costNano,
  missingOutputCostNano,
  ...session
}: SessionSummary): Record<string, unknown> => ({
  ...session,
  costUsd: usdFromNano(costNano),
  missingOutputCostUsd: usdFromNano(missingOutputCostNano),
})

/** A request of a session. */
export const requestJson = ({ costNano, ...request }: StoredRequest): Record<string, unknown> => ({
  ...request,
  costUsd: costNano === null ? null : usdFromNano(costNano),
})
