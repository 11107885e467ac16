/**
 * The rollups of usage, kept by differences in the transaction that changes the facts: by quarter of an
 * hour and by UTC day with all dimensions; by UTC day for each dimension alone (margins); and all
 * requests of a quarter of an hour together. The last two are small, and answer what is asked most.
 *
 * Many writers would wait for each other at the last two, whose rows they share: on PostgreSQL each of
 * these rows is split into shards by session. SQLite has one writer anyway, and one shard.
 */
import type { DialectName, SqlTransaction, SqlValue } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { quoted, tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import { named } from '../sql/statements.ts'
import { tokenColumns } from '../sql/token-columns.ts'

const dimensionColumns = ['session_id', 'workspace_id', 'model_id', 'mode_id', 'agent_id', 'branch_id'] as const

/** The sums of each rollup. A token class is added in core's `TOKEN_CLASSES`. */
export const sumColumns = [
  'requests',
  ...tokenColumns,
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
  'timed',
  'first_token_ms',
  'total_ms',
] as const
type SumColumn = (typeof sumColumns)[number]

/**
 * Whether a row sums up nothing. No request alone would not say so: a row of a day whose shards were put together (see
 * folded-sums) may hold a correction of what another shard has.
 */
export const SUMS_NOTHING = sumColumns.map((column) => `"${column}" = 0`).join(' AND ')

/** What one request adds to the rollups. */
export interface RollupRow {
  /** The id of the request's fact. */
  readonly factId: number
  /** Quarter of an hour since the epoch; −1 when the time is not known. */
  readonly bucket: number
  /** Ids of names; 0 where there is none. */
  readonly dimensions: Readonly<Record<(typeof dimensionColumns)[number], number>>
  readonly sums: Readonly<Record<SumColumn, number | bigint>>
}

export const BUCKETS_PER_DAY = 96
/** Sums of one key are kept in so many rows, by session: writers of different sessions seldom wait for each other. */
export const SHARDS: Readonly<Record<DialectName, number>> = { sqlite: 1, postgresql: 16 }

/** UTC day of a quarter of an hour; −1 when the time is not known. */
const dayOf = (bucket: number): number => (bucket < 0 ? -1 : Math.floor(bucket / BUCKETS_PER_DAY))

interface Rollup {
  readonly table: Table
  readonly keyColumns: readonly string[]
  readonly keys: (row: RollupRow, shards: number) => readonly (readonly number[])[]
}

/** The shard that a request's sums are kept in, by its session. */
const shardOf = ({ dimensions }: RollupRow, shards: number): number => dimensions.session_id % shards

const dimensionIds = ({ dimensions }: RollupRow): readonly number[] =>
  dimensionColumns.map((column) => dimensions[column])

/** Dimensions that have a margin, by their stored numbers. The session has none: it has few days. */
export const marginNumber: Readonly<Record<string, number>> = {
  workspace_id: 1,
  model_id: 2,
  mode_id: 3,
  agent_id: 4,
  branch_id: 5,
}

/** The keys of the sums over single dimensions that a request belongs to. */
const marginKeys = (row: RollupRow, shards: number): number[][] =>
  dimensionColumns.flatMap((column) => {
    const number = marginNumber[column]
    return number === undefined ? [] : [[number, dayOf(row.bucket), row.dimensions[column], shardOf(row, shards)]]
  })

const rollups: readonly Rollup[] = [
  {
    table: tables.usageQuarter,
    keyColumns: ['bucket', ...dimensionColumns],
    keys: (row) => [[row.bucket, ...dimensionIds(row)]],
  },
  {
    table: tables.usageDay,
    keyColumns: ['day', ...dimensionColumns],
    keys: (row) => [[dayOf(row.bucket), ...dimensionIds(row)]],
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

/** What is added to the row of a rollup with this key. */
interface Delta {
  readonly key: readonly number[]
  readonly sums: Record<SumColumn, number | bigint>
}

/**
 * Adds the sums of `added` to all rollups and subtracts those of `removed`; each affected row is written once. Rows
 * that became empty are deleted. Their sessions' sums change alike, and the sessions count as changed for a sync.
 */
export const addToRollups = async (
  transaction: SqlTransaction,
  dialect: DialectName,
  added: readonly RollupRow[],
  removed: readonly RollupRow[] = [],
): Promise<void> => {
  if (added.length + removed.length === 0) return
  const written: Promise<unknown>[] = [addToSessions(transaction, added, removed)]
  for (const rollup of rollups) {
    const deltas = new Map<string, Delta>()
    for (const row of added) for (const key of rollup.keys(row, SHARDS[dialect])) accumulate(deltas, key, row.sums, 1)
    for (const row of removed)
      for (const key of rollup.keys(row, SHARDS[dialect])) accumulate(deltas, key, row.sums, -1)
    written.push(apply(transaction, rollup, deltas, removed.length > 0))
  }
  await Promise.all(written)
}

const UPDATE_SESSION = `UPDATE session SET requests = requests + :requests, cost_nano = cost_nano + :cost_nano,
  unpriced = unpriced + :unpriced, missing_output_nano = missing_output_nano + :missing_output_nano,
  unsynced = unsynced + 1, unsynced_from = CASE WHEN unsynced_from < :first THEN unsynced_from ELSE :first END
  WHERE id = :id`

/**
 * Adds the sums of requests to their sessions: those that lists of sessions show and sort by, and the first request
 * that a team's store has not been told of.
 */
const addToSessions = async (
  transaction: SqlTransaction,
  added: readonly RollupRow[],
  removed: readonly RollupRow[],
): Promise<void> => {
  const deltas = new Map<string, Delta>()
  for (const row of added) accumulate(deltas, [row.dimensions.session_id], row.sums, 1)
  for (const row of removed) accumulate(deltas, [row.dimensions.session_id], row.sums, -1)
  const first = new Map<number, number>()
  for (const { factId, dimensions } of [...added, ...removed])
    first.set(dimensions.session_id, Math.min(first.get(dimensions.session_id) ?? factId, factId))
  const inOrder = [...deltas.values()].sort((left, right) => compareKeys(left.key, right.key))
  const written = inOrder.map(({ key, sums }) => {
    const { requests, cost_nano, unpriced, missing_output_nano } = sums
    const id = required(key[0], 'the id of a session')
    const sum = { requests, cost_nano, unpriced, missing_output_nano }
    return transaction.run(
      ...named(UPDATE_SESSION, { ...sum, first: required(first.get(id), 'the first request of a session'), id }),
    )
  })
  await Promise.all(written)
}

/**
 * Adds a request's sums to a key's, or takes them away. `sums` itself is not changed. `deltas` collects them, by key.
 */
const accumulate = (
  deltas: Map<string, Delta>,
  key: readonly number[],
  sums: RollupRow['sums'],
  sign: 1 | -1,
): void => {
  const name = key.join(',')
  const delta = deltas.get(name)
  if (delta === undefined) {
    const first = { ...sums }
    if (sign === -1) for (const column of sumColumns) first[column] = -first[column]
    deltas.set(name, { key, sums: first })
    return
  }
  for (const column of sumColumns) delta.sums[column] = plus(delta.sums[column], signed(sums[column], sign))
}

const signed = (count: number | bigint, sign: 1 | -1): number | bigint => (sign === 1 ? count : -count)
/** A sum; a bigint where either is one. */
const plus = (left: number | bigint, right: number | bigint): number | bigint =>
  typeof left === 'bigint' || typeof right === 'bigint' ? BigInt(left) + BigInt(right) : left + right

/**
 * Adds the sums to a rollup's rows; with `mayEmpty`, rows that sum up nothing any more are deleted. In order of their
 * keys, so that two writers can't deadlock. Sums of 0 are passed over.
 */
const apply = async (
  transaction: SqlTransaction,
  { table, keyColumns }: Rollup,
  deltas: ReadonlyMap<string, Delta>,
  mayEmpty: boolean,
): Promise<void> => {
  const changed = [...deltas.values()].filter(({ sums }) => sumColumns.some((column) => Number(sums[column]) !== 0))
  // In key order, so that two writers take the rows' locks in the same order.
  changed.sort((left, right) => compareKeys(left.key, right.key))
  const additions = sumColumns.map((column) => `"${column}" = ${table.name}."${column}" + excluded."${column}"`)
  const inserted = transaction.insert(
    table,
    [...keyColumns, ...sumColumns],
    changed.map(({ key, sums }): SqlValue[] => [...key, ...sumColumns.map((column) => sums[column])]),
    `ON CONFLICT (${quoted(keyColumns)}) DO UPDATE SET ${additions.join(', ')}`,
  )
  const removed = mayEmpty ? changed.filter(({ sums }) => Number(sums.requests) < 0) : []
  const emptied = `DELETE FROM ${table.name} WHERE ${SUMS_NOTHING} AND ${keyColumns.map((column) => `"${column}" = ?`).join(' AND ')}`
  await Promise.all([inserted, ...removed.map(({ key }) => transaction.run(emptied, key))])
}

/** The order of keys, part by part. Throws for keys of different lengths. */
const compareKeys = (left: readonly number[], right: readonly number[]): number => {
  for (const [index, value] of left.entries()) {
    const difference = value - required(right[index], 'a part of a key')
    if (difference !== 0) return difference
  }
  return 0
}
