/** A row of sums as the database returns it, and as the ports do. */
import type { UsageTotals } from '@cairn/core'
import { tokenColumns, tokensOfRow } from '../sql/token-columns.ts'
import type { TokenRow } from '../sql/token-columns.ts'
import { sumColumns } from './rollups.ts'
import type { Condition } from './usage-source.ts'

export interface SumRow extends TokenRow {
  readonly group_key: number
  /** Null in a sum of no rows. */
  readonly requests: number | null
  readonly cost_text: string
  readonly recorded_text: string
  readonly cost_cache_read_text: string
  readonly cost_cache_write_text: string
  readonly cost_output_text: string
  readonly saved_text: string
  readonly unpriced: number
  readonly partial: number
  readonly missing_output: number
  readonly missing_output_text: string
  readonly timed: number
  readonly first_token_ms: number
  readonly total_ms: number
}

/** `bigint` in either dialect: PostgreSQL's sum of bigints is a numeric. */
export const sumExpressions = sumColumns.map((column) => `sum(${column}) AS ${column}`).join(', ')

/**
 * Money is passed as text, because it may exceed a safe integer. The text has its own column name: under the original
 * one `ORDER BY` would sort the text, and '9' is greater than '10'.
 */
const asSent = (column: string, value: string): string =>
  column.endsWith('_nano') ? `CAST(${value} AS TEXT) AS ${column.replace(/_nano$/, '_text')}` : `${value} AS ${column}`

/** SQL for the sums of all columns; sums of money as text. */
export const textSumExpressions = sumColumns.map((column) => asSent(column, `sum(${column})`)).join(', ')

/** {@link textSumExpressions} of rows that are summed already. */
export const textColumns = sumColumns.map((column) => asSent(column, column)).join(', ')

/** Group key of the sums that another rollup has for the same requests; ids and days are never this low. */
export const CROSS_CHECK_KEY = -2

/**
 * An additional row of a report: the sums of another rollup over the same requests. In the same statement, so that no
 * write comes between.
 */
export const crossCheckSums = (source: Condition): Condition => ({
  sql: ` UNION ALL SELECT ${CROSS_CHECK_KEY} AS group_key, ${textSumExpressions} FROM ${source.sql}`,
  parameters: source.parameters,
})

/** Columns of a {@link SumRow} that are compared. */
const COMPARED = [
  'requests',
  ...tokenColumns,
  'cost_text',
  'recorded_text',
  'cost_cache_read_text',
  'cost_cache_write_text',
  'cost_output_text',
  'saved_text',
  'unpriced',
  'partial',
  'missing_output',
  'missing_output_text',
  'timed',
  'first_token_ms',
  'total_ms',
] as const satisfies readonly (keyof SumRow)[]

/** Whether the rows add up to the sums of the other rollup; true where it was not queried. */
export const sumsAgree = (rows: readonly SumRow[]): boolean => {
  const other = rows.find((row) => row.group_key === CROSS_CHECK_KEY)
  if (other === undefined) return true
  const own = rows.filter((row) => row !== other)
  return COMPARED.every(
    (column) => own.reduce((sum, row) => sum + BigInt(row[column] ?? 0), 0n) === BigInt(other[column] ?? 0),
  )
}

/** The sums as the ports return them. */
export const totalsOf = (row: SumRow): UsageTotals => ({
  requests: row.requests ?? 0,
  ...tokensOfRow(row),
  costNano: BigInt(row.cost_text),
  recordedCostNano: BigInt(row.recorded_text),
  cacheReadCostNano: BigInt(row.cost_cache_read_text),
  cacheWriteCostNano: BigInt(row.cost_cache_write_text),
  outputCostNano: BigInt(row.cost_output_text),
  savedNano: BigInt(row.saved_text),
  unpricedRequests: row.unpriced,
  partialRequests: row.partial,
  missingOutputTokens: row.missing_output,
  missingOutputCostNano: BigInt(row.missing_output_text),
  timedRequests: row.timed,
  firstTokenMs: row.first_token_ms,
  totalMs: row.total_ms,
})
