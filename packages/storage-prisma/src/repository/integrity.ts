/**
 * Whether rows of sessions are intact. SQLite has no checksums of pages, and a corrupted number is still a number; but
 * most facts of a session are stored twice: in an index, in its log, in the rollups. PostgreSQL checks its pages
 * itself.
 */
import { unequalSums, damagedStore } from '../sql/damaged.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { tokenColumns } from '../sql/token-columns.ts'

/** Names of models, branches, agents and projects. */
const NAMES = ['label', 'workspace']
/** Sums by time, in which a corrupted day is out of order. */
const SUMS = ['usage_total', 'usage_margin']
const checked = new WeakMap<SqlDatabase, Map<string, Promise<void>>>()

/**
 * Rejects with `storage-corrupt` when rows of these small tables differ from their indexes. SQLite only; each table is
 * checked once for each open database, and a failure is kept.
 */
export const assertIndexesIntact = async (database: SqlDatabase, tableNames: readonly string[]): Promise<void> => {
  if (database.dialect !== 'sqlite') return
  const known = checked.get(database) ?? new Map<string, Promise<void>>()
  checked.set(database, known)
  for (const name of tableNames) {
    const check = known.get(name) ?? checkIndexes(database, name)
    known.set(name, check)
    await check
  }
}

/** {@link assertIndexesIntact} for the names of models, branches, agents and projects; rejects as that does. */
export const assertNamesIntact = (database: SqlDatabase): Promise<void> => assertIndexesIntact(database, NAMES)

/**
 * {@link assertIndexesIntact} for the names and the small rollups, which reports read. Rejects with `storage-corrupt`
 * when their rows differ from their indexes. SQLite only, once for each open database.
 */
export const assertReportsIntact = (database: SqlDatabase): Promise<void> =>
  assertIndexesIntact(database, [...NAMES, ...SUMS])

/** Rejects with `storage-corrupt` where an index of a table disagrees with it. */
const checkIndexes = async (database: SqlDatabase, name: string): Promise<void> => {
  const rows = await database.all<{ integrity_check: string }>(`PRAGMA integrity_check(${name})`)
  const fault = rows.find(({ integrity_check: text }) => text !== 'ok')
  if (fault !== undefined) throw damagedStore(database.location, fault.integrity_check.split('\n')[0] ?? '')
}

const inIndex = (index: string, columns: readonly string[]): string =>
  `EXISTS (SELECT 1 FROM session AS other INDEXED BY ${index}
     WHERE ${columns.map((column) => `other."${column}" IS session."${column}"`).join(' AND ')} AND other.id = session.id)`

const IN_INDEXES = [
  inIndex('session_key_key', ['key']),
  inIndex('session_external_id_idx', ['external_id']),
  inIndex('session_list_idx', [
    'updated_at',
    'started_at',
    'workspace_id',
    'branch_id',
    'agent_id',
    'message_count',
    'cost_nano',
  ]),
  'next_seq = (SELECT COALESCE(max(seq) + 1, 0) FROM entry WHERE session_id = session.id)',
].join(' AND ')

const KEPT_SUMS = ['requests', 'cost_nano', 'unpriced', 'missing_output_nano']
/** Compared as one: the days of a session are read once. */
const AS_SUMMED = `(${KEPT_SUMS.join(', ')}) =
  (SELECT ${KEPT_SUMS.map((column) => `COALESCE(sum(${column}), 0)`).join(', ')} FROM usage_day WHERE session_id = session.id)`

/**
 * Checks rows of sessions against their indexes, their length against their log and their sums against the daily
 * rollup; first, also without ids, the names as {@link assertNamesIntact} does. SQLite only.
 * @param ids numbers of the rows; rejects with `storage-corrupt` when one of them is damaged
 */
export const assertSessionsIntact = async (database: SqlDatabase, ids: readonly number[]): Promise<void> => {
  if (database.dialect !== 'sqlite') return
  await assertNamesIntact(database)
  if (ids.length === 0) return
  // One text for any number of ids, so that it is prepared once.
  const [row] = await database.all<{ indexed: number | null; summed: number | null }>(
    `SELECT min(${IN_INDEXES}) AS indexed, min(${AS_SUMMED}) AS summed
     FROM session WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  )
  if (row?.indexed === 0) throw damagedStore(database.location, 'a session is not what was written')
  if (row?.summed === 0) throw unequalSums(database.location)
}

const SUMMED = [...tokenColumns, 'cost_nano'] as const
const summed = (from: string, requests: string): string =>
  `(SELECT COALESCE(${requests}, 0) AS requests, ${SUMMED.map((column) => `COALESCE(sum(${column}), 0) AS ${column}`).join(', ')}
    FROM ${from} WHERE session_id = (SELECT id FROM session WHERE "key" = ?))`
const REQUESTS_DIFFER = `SELECT ${['requests', ...SUMMED].map((column) => `facts.${column} <> days.${column}`).join(' OR ')} AS differ
  FROM ${summed('usage_fact', 'count(*)')} AS facts, ${summed('usage_day', 'sum(requests)')} AS days`

/**
 * Checks that the number, tokens and cost of a session's requests are those of its daily rollup; nothing in either
 * passes. SQLite only. @param key the session's, as stored; rejects with `storage-corrupt` when they differ
 */
export const assertRequestsIntact = async (database: SqlDatabase, key: string): Promise<void> => {
  if (database.dialect !== 'sqlite') return
  const [row] = await database.all<{ differ: number }>(REQUESTS_DIFFER, [key, key])
  if (row?.differ === 1) throw unequalSums(database.location)
}
