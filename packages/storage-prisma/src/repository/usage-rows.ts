/** A row of sums as the database gives it, and as the ports do. */
import type { UsageTotals } from '@cairn/core'
import { sumColumns } from './rollups.ts'

export interface SumRow {
  readonly group_key: number
  /** Null in the sum of nothing. */
  readonly requests: number | null
  readonly input_tokens: number
  readonly cache_read: number
  readonly cache_write_5m: number
  readonly cache_write_1h: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  readonly cost_nano: string
  readonly recorded_nano: string
  readonly cost_cache_read_nano: string
  readonly cost_cache_write_nano: string
  readonly cost_output_nano: string
  readonly saved_nano: string
  readonly unpriced: number
  readonly partial: number
  readonly missing_output: number
}

/** `bigint` in either dialect: PostgreSQL's sum of bigints is a numeric. */
export const sums = sumColumns.map((column) => `sum(${column}) AS ${column}`).join(', ')
export const outerSums = sumColumns
  .map((column) =>
    column.endsWith('_nano') ? `CAST(sum(${column}) AS TEXT) AS ${column}` : `sum(${column}) AS ${column}`,
  )
  .join(', ')

/** The same of rows that are summed already. */
export const textSums = sumColumns
  .map((column) => (column.endsWith('_nano') ? `CAST(${column} AS TEXT) AS ${column}` : column))
  .join(', ')

/** The sums in the form of the ports. */
export const totalsOf = (row: SumRow): UsageTotals => ({
  requests: row.requests ?? 0,
  inputTokens: row.input_tokens,
  cacheReadTokens: row.cache_read,
  cacheWrite5mTokens: row.cache_write_5m,
  cacheWrite1hTokens: row.cache_write_1h,
  outputTokens: row.output_tokens,
  reasoningTokens: row.reasoning_tokens,
  costNano: BigInt(row.cost_nano),
  recordedCostNano: BigInt(row.recorded_nano),
  cacheReadCostNano: BigInt(row.cost_cache_read_nano),
  cacheWriteCostNano: BigInt(row.cost_cache_write_nano),
  outputCostNano: BigInt(row.cost_output_nano),
  savedNano: BigInt(row.saved_nano),
  unpricedRequests: row.unpriced,
  partialRequests: row.partial,
  missingOutputTokens: row.missing_output,
})
