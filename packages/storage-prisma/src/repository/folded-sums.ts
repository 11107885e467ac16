/**
 * Sums of days that are over, put together from their shards. Shards are for writers, who would wait for each other at the
 * rows of today; a reader of two years adds up sixteen rows for each that there could be. A row may have any shard, so what
 * is written to an old day later on is right before it is put together again, too; taken away from another shard than it is
 * in, it leaves rows whose requests are negative, or 0 in all.
 */
import type { SqlDatabase, SqlTransaction } from '../sql/database.ts'
import { isRestricted } from '../roles/is-restricted.ts'
import { BUCKETS_PER_DAY, SHARDS, SUMS_NOTHING, marginNumber, sumColumns } from './rollups.ts'

const DAY_MS = 86_400_000
/** Days that are still written to: those of any time zone that is behind, and of machines that sync once a day. */
const LATEST_DAYS = 2
/** Any number, but always the same: two that do this at once would wait for each other. */
const LOCK = 301_091_816
/** Rows of so many days are locked at once. */
const DAYS_PER_STEP = 32

/**
 * Triggers of roles that an older version set up: they take a correction that brings no request for a row without sums. As
 * long as they are not set up again, nothing is put together.
 */
const OLD_TRIGGERS = `SELECT 1 FROM pg_proc WHERE proname = 'cairn_sum_update' AND prosrc LIKE '%WHERE requests = 0 AND%' LIMIT 1`

interface Folding {
  readonly table: string
  readonly time: string
  readonly keys: readonly string[]
  readonly unitsPerDay: number
}

const FOLDINGS: readonly Folding[] = [
  { table: 'usage_margin', time: 'day', keys: ['dimension', 'day', 'value_id'], unitsPerDay: 1 },
  { table: 'usage_total', time: 'bucket', keys: ['bucket'], unitsPerDay: BUCKETS_PER_DAY },
]

/** Dimensions are named, so that rows are found by the table's key. */
const OF_ALL_DIMENSIONS = `dimension IN (${Object.values(marginNumber).join(', ')}) AND `
const SHARDED = 'shard > 0'

/**
 * Puts the sums of past UTC days together, all but the latest two, on a server whose user may change them; on SQLite,
 * for others, and where nothing is to be done, it is a short look. Where another process is at it, it is left to that
 * one. Rejects as the database does; what was done until then stays.
 * @param now ms
 */
export const foldSums = async (database: SqlDatabase, now: number): Promise<void> => {
  if (SHARDS[database.dialect] === 1 || (await isRestricted(database, database.dialect))) return
  if ((await database.all(OLD_TRIGGERS)).length > 0) return
  const end = Math.floor(now / DAY_MS) - LATEST_DAYS + 1
  // Each request is in the sums by mode, which are the fewest.
  const [row] = await database.all<{ first: number | null; last: number | null }>(
    `SELECT min(day) AS first, max(day) AS last FROM usage_margin
     WHERE dimension = ${marginNumber['mode_id']} AND day >= 0 AND day < ? AND ${SHARDED}`,
    [end],
  )
  if (row === undefined || row.first === null || row.last === null) return
  for (let from = row.first; from <= row.last; from += DAYS_PER_STEP) {
    const until = Math.min(from + DAYS_PER_STEP, end)
    const isAlone = await database.transaction({ durability: 'lazy' }, async (transaction) => {
      const [lock] = await transaction.all<{ held: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS held`)
      if (lock?.held !== true) return false
      for (const folding of FOLDINGS) await fold(transaction, folding, from, until)
      return true
    })
    if (!isAlone) return
  }
}

/**
 * Puts a table's rows of the UTC days `from` to before `until` together: one row per key, in shard 0, without those
 * that sum up nothing.
 */
const fold = async (
  transaction: SqlTransaction,
  { table, time, keys, unitsPerDay }: Folding,
  from: number,
  until: number,
): Promise<void> => {
  const range = [from * unitsPerDay, until * unitsPerDay]
  const inside = `${table === 'usage_margin' ? OF_ALL_DIMENSIONS : ''}${time} >= ? AND ${time} < ?`
  const key = keys.join(', ')
  await transaction.run(
    `WITH gone AS (DELETE FROM ${table} WHERE ${inside} AND ${SHARDED} RETURNING *)
     INSERT INTO ${table} (${key}, shard, ${sumColumns.join(', ')})
     SELECT ${key}, 0, ${sumColumns.map((column) => `sum(${column})`).join(', ')} FROM gone GROUP BY ${key} ORDER BY ${key}
     ON CONFLICT (${key}, shard) DO UPDATE SET ${sumColumns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')}`,
    range,
  )
  await transaction.run(`DELETE FROM ${table} WHERE ${inside} AND ${SUMS_NOTHING}`, range)
}
