/** What `--json` prints: money as USD, times as ms since the epoch, absent facts as null. */
import { usdFromNano } from '@cairn/core'
import type { SessionSummary, StoredRequest, SubagentSum, UsageReport, UsageTotals } from '@cairn/core'
import { sessionCostsJson } from './session-costs.ts'

/** Returns a value as JSON on one line, without a line end. */
export const jsonText = (value: unknown): string => JSON.stringify(value)

/**
 * Returns usage sums for `--json`, costs in USD. `recordedCostUsd` is part of `costUsd`; `missingOutputTokens` and
 * `missingOutputCostUsd` are estimates and part of no other figure.
 */
export const usageJson = ({
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

/**
 * Returns a usage report for `--json`: its rows and total with costs in USD.
 * @param subagents what subagents used, by session; only for a report by session
 */
export const reportJson = (
  { rows, total }: UsageReport,
  subagents?: ReadonlyMap<string, SubagentSum>,
): { readonly rows: readonly unknown[]; readonly total: unknown } => ({
  rows: rows.map((row) => ({
    ...usageJson(row),
    ...(subagents === undefined ? {} : sessionCostsJson(row, subagents.get(row.key))),
  })),
  total: usageJson(total),
})

/** Returns a session for `--json`: unchanged, except that costs are in USD. */
export const sessionJson = ({
  costNano,
  missingOutputCostNano,
  ...session
}: SessionSummary): Record<string, unknown> => ({
  ...session,
  costUsd: usdFromNano(costNano),
  missingOutputCostUsd: usdFromNano(missingOutputCostNano),
})

/**
 * Returns a request for `--json`: costs in USD (`costUsd`, null if it has no price, and `missingOutputCostUsd`), without the
 * parts of the cost; all else unchanged.
 */
export const requestJson = ({
  costNano,
  missingOutputCostNano,
  costSplit: _parts,
  ...request
}: StoredRequest): Record<string, unknown> => ({
  ...request,
  costUsd: costNano === null ? null : usdFromNano(costNano),
  missingOutputCostUsd: usdFromNano(missingOutputCostNano),
})
