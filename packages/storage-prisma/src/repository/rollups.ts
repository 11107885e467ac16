/** The two rollups of usage: by quarter of an hour, and by UTC day for long ranges. Kept by differences. */
import type { SqlTransaction, SqlValue } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'

/** Dimension and sum columns in the order of `RollupRow`. */
export const dimensionColumns = ['session_id', 'workspace_id', 'model_id', 'mode_id', 'agent_id', 'branch_id'] as const
export const sumColumns = [
  'requests',
  'input_tokens',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'output_tokens',
  'reasoning_tokens',
  'cost_nano',
  'recorded_nano',
  'unpriced',
  'partial',
  'missing_output',
] as const

export interface RollupRow {
  readonly bucket: number
  readonly dimensions: readonly number[]
  readonly counts: readonly (number | bigint)[]
}

const BUCKETS_PER_DAY = 96

interface Delta {
  readonly key: readonly number[]
  readonly counts: (number | bigint)[]
}

/** Adds rows and takes rows away, in as few statements as there are places concerned. */
export const addToRollups = async (transaction: SqlTransaction, added: readonly RollupRow[], removed: readonly RollupRow[] = []): Promise<void> => {
  if (added.length + removed.length === 0) return
  const quarters = new Map<string, Delta>()
  const days = new Map<string, Delta>()
  for (const [rows, sign] of [[added, 1], [removed, -1]] as const) {
    for (const row of rows) {
      accumulate(quarters, [row.bucket, ...row.dimensions], row.counts, sign)
      accumulate(days, [row.bucket < 0 ? -1 : Math.floor(row.bucket / BUCKETS_PER_DAY), ...row.dimensions], row.counts, sign)
    }
  }
  await apply(transaction, tables.usageQuarter, 'bucket', quarters, removed.length > 0)
  await apply(transaction, tables.usageDay, 'day', days, removed.length > 0)
}

const accumulate = (deltas: Map<string, Delta>, key: readonly number[], counts: readonly (number | bigint)[], sign: 1 | -1): void => {
  const name = key.join(',')
  const delta = deltas.get(name)
  if (delta === undefined) {
    deltas.set(name, { key, counts: counts.map((count) => signed(count, sign)) })
    return
  }
  for (const [index, count] of counts.entries()) delta.counts[index] = plus(delta.counts[index] ?? 0, signed(count, sign))
}

const signed = (count: number | bigint, sign: 1 | -1): number | bigint => (sign === 1 ? count : -count)
const plus = (left: number | bigint, right: number | bigint): number | bigint =>
  typeof left === 'bigint' || typeof right === 'bigint' ? BigInt(left) + BigInt(right) : left + right

const apply = async (transaction: SqlTransaction, table: Table, time: string, deltas: ReadonlyMap<string, Delta>, mayEmpty: boolean): Promise<void> => {
  const keyColumns = [time, ...dimensionColumns]
  const changed = [...deltas.values()].filter((delta) => delta.counts.some((count) => count !== 0 && count !== 0n))
  // In key order, so that two writers take the rows' locks in the same order.
  changed.sort((left, right) => compareKeys(left.key, right.key))
  const sums = sumColumns.map((column) => `"${column}" = ${table.name}."${column}" + excluded."${column}"`).join(', ')
  await transaction.insert(
    table,
    [...keyColumns, ...sumColumns],
    changed.map((delta): SqlValue[] => [...delta.key, ...delta.counts]),
    `ON CONFLICT (${keyColumns.map((column) => `"${column}"`).join(', ')}) DO UPDATE SET ${sums}`,
  )
  if (!mayEmpty) return
  const emptied = `DELETE FROM ${table.name} WHERE requests = 0 AND ${keyColumns.map((column) => `"${column}" = ?`).join(' AND ')}`
  for (const delta of changed) if (Number(delta.counts[0]) < 0) await transaction.run(emptied, delta.key)
}

const compareKeys = (left: readonly number[], right: readonly number[]): number => {
  for (const [index, value] of left.entries()) {
    const difference = value - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
