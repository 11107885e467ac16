/** A row of sums as the database returns it, and as the ports do. */
import type { UsageRow, UsageTotals } from '@cairn/core'
import { tokensOfRow } from '../sql/token-columns.ts'
import type { TokenRow } from '../sql/token-columns.ts'
import { sumColumns } from './rollups.ts'
import { usageSource } from './usage-source.ts'
import type { Condition, Range } from './usage-source.ts'

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

/** All sums of a row as one: a changed number changes it, and one sum takes a fraction of the time of all. */
const EVERYTHING = sumColumns.join(' + ')
const ONE_SUM: keyof SumRow = 'cost_text'
const CROSS_CHECK_COLUMNS = sumColumns
  .map((column) => column.replace(/_nano$/, '_text'))
  .map((column) => (column === ONE_SUM ? `CAST(sum(${EVERYTHING}) AS TEXT)` : 'NULL'))
  .join(', ')

/**
 * An additional row of a report without a filter: the sum of everything that another rollup has for the same requests.
 * In the same statement, so that no write comes between.
 * @param key the column that the report groups by
 */
export const crossCheckSum = (key: string, range: Range): Condition => {
  // Of all margins the one of the modes has the fewest rows.
  const other = key === 'mode_id' ? 'agent_id' : 'mode_id'
  const source = usageSource({ key: other, filtered: false }, range, { sql: '', parameters: [] })
  return {
    sql: ` UNION ALL SELECT ${CROSS_CHECK_KEY} AS group_key, ${CROSS_CHECK_COLUMNS} FROM ${source.sql}`,
    parameters: source.parameters,
  }
}

const SUMMED = sumColumns.map((column) => column.replace(/_nano$/, '_text')) as readonly (keyof SumRow)[]

/** The sum of a row's sums; undefined where one of them is not a whole number, which only damage does. */
export const sumOfAll = (row: SumRow): bigint | undefined => {
  let sum = 0n
  // Numbers are added as such while that is exact.
  let small = 0
  for (const column of SUMMED) {
    const value = row[column]
    if (value === null) continue
    if (typeof value === 'string' ? !/^-?\d+$/.test(value) : !Number.isInteger(value)) return undefined
    if (typeof value === 'string') sum += BigInt(value)
    else if (Number.isSafeInteger(small + value)) small += value
    else sum += BigInt(value)
  }
  return sum + BigInt(small)
}

/** Whether the rows add up to what the other rollup has; true where it was not queried, false where a sum is damaged. */
export const sumsAgree = (rows: readonly SumRow[]): boolean => {
  const other = rows.find((row) => row.group_key === CROSS_CHECK_KEY)
  if (other === undefined) return true
  let sum = 0n
  for (const row of rows) {
    if (row === other) continue
    const everything = sumOfAll(row)
    if (everything === undefined) return false
    sum += everything
  }
  return sum === sumOfAll(other)
}

/**
 * The sums as the ports return them, without the group's key. Not for the sum of no rows: its amounts of money are
 * null, and make it throw. Money in nano-USD, times in ms.
 */
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

/** The order of rows: highest cost first, then most requests, then by key. */
export const dearestFirst = (left: UsageRow, right: UsageRow): number =>
  left.costNano === right.costNano
    ? right.requests - left.requests || (left.key < right.key ? -1 : 1)
    : left.costNano < right.costNano
      ? 1
      : -1
