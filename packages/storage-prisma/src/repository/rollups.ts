/**
 * The rollups of usage, kept by differences in the transaction that changes the facts: by quarter of an
 * hour and by UTC day with all dimensions; by UTC day for each dimension alone (margins); and all
 * requests of a quarter of an hour together. The last two are small, and answer what is asked most.
 *
 * Many writers would wait for each other at the last two, whose rows they share: on PostgreSQL each of
 * these rows is split into shards by session. SQLite has one writer anyway, and one shard.
 */
import type { DialectName, SqlTransaction, SqlValue } from '../sql/database.ts'
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
  'cost_cache_read_nano',
  'cost_cache_write_nano',
  'cost_output_nano',
  'saved_nano',
  'unpriced',
  'partial',
  'missing_output',
  'missing_output_nano',
] as const

export interface RollupRow {
  /** Quarter of an hour since the epoch; −1 when the time is not known. */
  readonly bucket: number
  readonly dimensions: readonly number[]
  readonly counts: readonly (number | bigint)[]
}

const BUCKETS_PER_DAY = 96
const SHARDS: Readonly<Record<DialectName, number>> = { sqlite: 1, postgresql: 16 }

/** UTC day of a quarter of an hour; −1 when the time is not known. */
export const dayOf = (bucket: number): number => (bucket < 0 ? -1 : Math.floor(bucket / BUCKETS_PER_DAY))

interface Rollup {
  readonly table: Table
  readonly keyColumns: readonly string[]
  readonly keys: (row: RollupRow, shards: number) => readonly (readonly number[])[]
}

const shardOf = (row: RollupRow, shards: number): number => (row.dimensions[0] ?? 0) % shards

/** Dimensions that have a margin, by the numbers that stand in the database. The session has none: its days are few. */
export const marginNumber: Readonly<Record<string, number>> = {
  workspace_id: 1,
  model_id: 2,
  mode_id: 3,
  agent_id: 4,
  branch_id: 5,
}

const marginKeys = (row: RollupRow, shards: number): number[][] =>
  dimensionColumns.flatMap((column, index) => {
    const number = marginNumber[column]
    return number === undefined ? [] : [[number, dayOf(row.bucket), row.dimensions[index] ?? 0, shardOf(row, shards)]]
  })

const rollups: readonly Rollup[] = [
  {
    table: tables.usageQuarter,
    keyColumns: ['bucket', ...dimensionColumns],
    keys: (row) => [[row.bucket, ...row.dimensions]],
  },
  {
    table: tables.usageDay,
    keyColumns: ['day', ...dimensionColumns],
    keys: (row) => [[dayOf(row.bucket), ...row.dimensions]],
  },
  { table: tables.usageMargin, keyColumns: ['dimension', 'day', 'value_id', 'shard'], keys: marginKeys },
  {
    table: tables.usageTotal,
    keyColumns: ['bucket', 'shard'],
    keys: (row, shards) => [[row.bucket, shardOf(row, shards)]],
  },
]

/** The tables, with how often each counts a request. */
export const rollupTables: readonly { readonly name: string; readonly times: number }[] = rollups.map(({ table }) => ({
  name: table.name,
  times: table === tables.usageMargin ? Object.keys(marginNumber).length : 1,
}))

interface Delta {
  readonly key: readonly number[]
  readonly counts: (number | bigint)[]
}

/** Adds rows and takes rows away, in as few statements as there are places concerned. */
export const addToRollups = async (
  transaction: SqlTransaction,
  dialect: DialectName,
  added: readonly RollupRow[],
  removed: readonly RollupRow[] = [],
): Promise<void> => {
  if (added.length + removed.length === 0) return
  await addToSessions(transaction, added, removed)
  for (const rollup of rollups) {
    const deltas = new Map<string, Delta>()
    for (const row of added) for (const key of rollup.keys(row, SHARDS[dialect])) accumulate(deltas, key, row.counts, 1)
    for (const row of removed)
      for (const key of rollup.keys(row, SHARDS[dialect])) accumulate(deltas, key, row.counts, -1)
    await apply(transaction, rollup, deltas, removed.length > 0)
  }
}

const REQUESTS = sumColumns.indexOf('requests')
const COST = sumColumns.indexOf('cost_nano')
const UNPRICED = sumColumns.indexOf('unpriced')
const MISSING_COST = sumColumns.indexOf('missing_output_nano')

/** The sums that lists of sessions show and sort by. */
const addToSessions = async (
  transaction: SqlTransaction,
  added: readonly RollupRow[],
  removed: readonly RollupRow[],
): Promise<void> => {
  const deltas = new Map<string, Delta>()
  for (const row of added) accumulate(deltas, row.dimensions.slice(0, 1), row.counts, 1)
  for (const row of removed) accumulate(deltas, row.dimensions.slice(0, 1), row.counts, -1)
  const inOrder = [...deltas.values()].sort((left, right) => compareKeys(left.key, right.key))
  for (const { key, counts } of inOrder) {
    await transaction.run(
      'UPDATE session SET requests = requests + ?, cost_nano = cost_nano + ?, unpriced = unpriced + ?, missing_output_nano = missing_output_nano + ? WHERE id = ?',
      [counts[REQUESTS] ?? 0, counts[COST] ?? 0, counts[UNPRICED] ?? 0, counts[MISSING_COST] ?? 0, key[0] ?? 0],
    )
  }
}

const accumulate = (
  deltas: Map<string, Delta>,
  key: readonly number[],
  counts: readonly (number | bigint)[],
  sign: 1 | -1,
): void => {
  const name = key.join(',')
  const delta = deltas.get(name)
  if (delta === undefined) {
    deltas.set(name, { key, counts: counts.map((count) => signed(count, sign)) })
    return
  }
  for (const [index, count] of counts.entries())
    delta.counts[index] = plus(delta.counts[index] ?? 0, signed(count, sign))
}

const signed = (count: number | bigint, sign: 1 | -1): number | bigint => (sign === 1 ? count : -count)
const plus = (left: number | bigint, right: number | bigint): number | bigint =>
  typeof left === 'bigint' || typeof right === 'bigint' ? BigInt(left) + BigInt(right) : left + right

const apply = async (
  transaction: SqlTransaction,
  { table, keyColumns }: Rollup,
  deltas: ReadonlyMap<string, Delta>,
  mayEmpty: boolean,
): Promise<void> => {
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
