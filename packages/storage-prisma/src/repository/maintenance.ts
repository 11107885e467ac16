/** Operations on the whole store: statistics, verification, rebuilding derived tables, emptying it. */
import { CairnError } from '@cairn/core'
import type { SessionStorage, StoreFault, StoreStatistics } from '@cairn/core'
import type { SqlTransaction, TransactionOptions } from '../sql/database.ts'
import { quoted, tables } from '../sql/schema.ts'
import { clearIndex, countDamagedSegments, countIndexed } from '../search/index-rows.ts'
import { rowLockClause } from './store-context.ts'
import type { StoreContext } from './store-context.ts'
import { countRemovedNames } from './labels.ts'
import { addDamagedRows, dateSessions, setAsideDamagedRows } from './damaged-rows.ts'
import { assertRowsIntact } from '../sql/row-checksum.ts'
import { factColumns, toRollupRow } from './request-merge.ts'
import type { UsageFactRow } from './request-merge.ts'
import { foldSums } from './folded-sums.ts'
import { FACTS } from './usage-source.ts'
import { addToRollups, rollupTables } from './rollups.ts'

const FACTS_PER_STEP = 20_000
const CONTENT_TABLES = [
  'entry',
  'pack',
  'block',
  'block_use',
  'usage_fact',
  'request_failure',
  ...rollupTables.map(({ name }) => name),
  'source_run',
  'import_skip',
  'imported_file',
  'session',
  'deleted_session',
  'machine',
  'workspace',
  'label',
  'state',
  'state_scope',
  'note_version',
  'memory_version',
  'checkpoint',
  'health_sample',
]

/**
 * Counts the store's sessions, entries, requests, files and bytes; all 0, but `totalBytes`, in an empty one.
 * `redactions` are secrets that were replaced.
 */
export const statistics = async ({ database }: StoreContext): Promise<StoreStatistics> => {
  const rows = await database.all<Omit<StoreStatistics, 'location' | 'totalBytes'>>(`SELECT
    (SELECT count(*) FROM session) AS sessions,
    (SELECT count(*) FROM entry) AS entries,
    (SELECT count(*) FROM usage_fact) AS requests,
    (SELECT count(*) FROM imported_file) AS "importedFiles",
    (SELECT COALESCE(sum(redactions), 0) FROM session) AS redactions,
    (SELECT COALESCE(sum(bytes), 0) FROM source_run) AS "sourceBytes",
    (SELECT count(*) FROM block) AS blocks,
    (SELECT COALESCE(sum(length(data)), 0) FROM pack) AS "packedBytes"`)
  const [row] = rows
  const none = {
    sessions: 0,
    entries: 0,
    requests: 0,
    importedFiles: 0,
    redactions: 0,
    sourceBytes: 0,
    blocks: 0,
    packedBytes: 0,
  }
  return { location: database.location, ...(row ?? none), totalBytes: await database.totalBytes() }
}

/** Each check is a query that counts what should not exist. */
export const checks: readonly { readonly check: string; readonly detail: string; readonly sql: string }[] = [
  {
    check: 'log',
    detail: 'sessions whose log has a gap or another length than the session says',
    sql: 'SELECT count(*) AS count FROM session WHERE next_seq <> (SELECT count(*) FROM entry WHERE entry.session_id = session.id) OR next_seq <> COALESCE((SELECT max(seq) + 1 FROM entry WHERE entry.session_id = session.id), 0)',
  },
  {
    check: 'log',
    detail: 'entries of sessions that are not there',
    sql: 'SELECT count(*) AS count FROM entry WHERE session_id NOT IN (SELECT id FROM session)',
  },
  {
    check: 'content',
    detail: 'entries whose content is missing',
    sql: 'SELECT count(*) AS count FROM entry WHERE body IS NULL AND (pack_id IS NULL OR pack_id NOT IN (SELECT id FROM pack))',
  },
  {
    check: 'content',
    detail: 'blocks whose content is missing',
    sql: 'SELECT count(*) AS count FROM block WHERE pack_id NOT IN (SELECT id FROM pack)',
  },
  {
    check: 'content',
    detail: 'source lines whose content is missing',
    sql: 'SELECT count(*) AS count FROM source_run WHERE pack_id NOT IN (SELECT id FROM pack)',
  },
  {
    check: 'usage',
    detail: 'requests of sessions that are not there',
    sql: 'SELECT count(*) AS count FROM usage_fact WHERE session_id NOT IN (SELECT id FROM session)',
  },
  {
    check: 'usage',
    detail: 'failed requests of sessions that are not there',
    sql: 'SELECT count(*) AS count FROM request_failure WHERE session_id NOT IN (SELECT id FROM session)',
  },
  ...rollupTables.map(({ name, times }) => ({
    check: 'usage',
    detail: `requests, output tokens, cost or missing output of the rollup ${name} that differ from the facts`,
    sql: `SELECT CASE WHEN facts.requests * ${times} = rollup.requests AND facts.output * ${times} = rollup.output AND facts.cost * ${times} = rollup.cost AND facts.missing * ${times} = rollup.missing THEN 0 ELSE 1 END AS count
      FROM (SELECT count(*) AS requests, COALESCE(sum(output_tokens), 0) AS output, COALESCE(sum(cost_nano), 0) AS cost, COALESCE(sum(missing_output_nano), 0) AS missing FROM ${FACTS}) AS facts,
        (SELECT COALESCE(sum(requests), 0) AS requests, COALESCE(sum(output_tokens), 0) AS output, COALESCE(sum(cost_nano), 0) AS cost, COALESCE(sum(missing_output_nano), 0) AS missing FROM ${name}) AS rollup`,
  })),
  {
    check: 'usage',
    detail: 'sessions whose number of requests or cost is not that of their requests',
    sql: `SELECT count(*) AS count FROM session LEFT JOIN
      (SELECT session_id, count(*) AS requests, sum(COALESCE(cost_nano, 0)) AS cost FROM usage_fact GROUP BY session_id) AS facts ON facts.session_id = session.id
      WHERE session.requests <> COALESCE(facts.requests, 0) OR session.cost_nano <> COALESCE(facts.cost, 0)`,
  },
  {
    check: 'usage',
    detail: 'sums of a session that differ between facts and rollups',
    sql: `SELECT count(*) AS count FROM
      (SELECT session_id, sum(output_tokens) AS output, sum(input_tokens) AS input, sum(COALESCE(cost_nano, 0)) AS cost FROM usage_fact GROUP BY session_id) AS facts
      LEFT JOIN (SELECT session_id, sum(output_tokens) AS output, sum(input_tokens) AS input, sum(cost_nano) AS cost FROM usage_day GROUP BY session_id) AS days ON days.session_id = facts.session_id
      WHERE days.session_id IS NULL OR days.output <> facts.output OR days.input <> facts.input OR days.cost <> facts.cost`,
  },
]

/**
 * Checks the file, what tables must agree on, checksums of rows, the search index, and reads every log and all packed
 * transcript lines, decompressed. What damage makes unreadable is a fault itself, as is a row that was set aside. Empty
 * for a sound store; each fault once, with how often. Rejects only with what is no damage.
 */
export const verify = async (
  context: StoreContext,
  sessions: Pick<SessionStorage, 'read'>,
): Promise<readonly StoreFault[]> => {
  const { database } = context
  const faults: StoreFault[] = []
  const add = (check: string, detail: string, count = 1): void => {
    const isKnown = faults.some((known) => known.check === check && known.detail === detail)
    if (count > 0 && !isKnown) faults.push({ check, detail, count })
  }
  const attempt = async (check: string, work: () => Promise<void>, what = ''): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!CairnError.is(error) || error.code !== 'storage-corrupt') throw error
      add(check, what + error.message)
    }
  }
  await attempt('database', async () => {
    for (const detail of await database.integrityFaults()) add('database', detail)
  })
  for (const { check, detail, sql } of checks)
    await attempt('database', async () =>
      add(check, detail, (await database.all<{ count: number }>(sql))[0]?.count ?? 0),
    )
  await attempt('database', async () => addDamagedRows(database, add))
  await attempt('database', async () => {
    const [row] = await database.all<{ count: number }>('SELECT count(*) AS count FROM entry WHERE kind = 1')
    const missing = Math.abs((row?.count ?? 0) - (await countIndexed(database)))
    add('search', 'messages that the search index lacks or has too many', missing)
    const damaged = await countDamagedSegments(database)
    add('search', 'parts of the search index that are damaged or of an earlier form', damaged)
  })
  await attempt('database', async () => {
    for (const { key } of await database.all<{ key: string }>('SELECT "key" FROM session ORDER BY id'))
      await attempt(
        'content',
        async () => {
          await sessions.read(key)
        },
        `${key}: `,
      )
    for (const packId of await packsOfSourceLines(database)) {
      const read = async (): Promise<void> => {
        await context.packs.read([{ packId, offset: 0, length: 0 }])
      }
      await attempt('content', read, 'source lines: ')
    }
  })
  return faults
}

/** The ids of packs that hold no entry's content, only source lines, in order. */
const packsOfSourceLines = async (database: StoreContext['database']): Promise<readonly number[]> => {
  const rows = await database.all<{ id: number }>('SELECT id FROM pack EXCEPT SELECT pack_id FROM entry ORDER BY id')
  return rows.map(({ id }) => id)
}

/**
 * Rebuilds indexes, rollups, dates of sessions and search index, and sets aside damaged rows (see {@link
 * setAsideDamagedRows}). Readers see the old rollups until the new ones are complete; the index is filled in steps from
 * the log by `fill`, and searches meanwhile help to complete it. Rejects for a damaged request.
 */
export const rebuild = async (context: StoreContext, fill: () => Promise<void>): Promise<void> => {
  await context.database.rebuildIndexes()
  await setAsideDamagedRows(context.database)
  await context.database.transaction({ durability: 'synced' }, async (transaction) => {
    for (const { name } of rollupTables) await transaction.run(`DELETE FROM ${name}`)
    await transaction.run('UPDATE session SET requests = 0, cost_nano = 0, unpriced = 0, missing_output_nano = 0')
    await addAllFacts(context, transaction)
    await dateSessions(transaction)
    await clearIndex(transaction)
    await transaction.run(
      'INSERT INTO search_pending (session_id, from_seq, until_seq) SELECT id, 0, next_seq FROM session WHERE next_seq > 0',
    )
  })
  await foldSums(context.database, Date.now())
  await fill()
}

/**
 * Adds all requests to the rollups, in steps. Rejects with `storage-corrupt` for a damaged one. The rollups must be
 * empty.
 */
const addAllFacts = async (context: StoreContext, transaction: SqlTransaction): Promise<void> => {
  for (let after = 0; ;) {
    const facts = await transaction.all<UsageFactRow>(
      `SELECT ${quoted(factColumns)} FROM usage_fact WHERE id > ? ORDER BY id LIMIT ?`,
      [after, FACTS_PER_STEP],
    )
    const last = facts.at(-1)
    if (last === undefined) return
    assertRowsIntact(context.database.location, tables.usage, facts)
    await addToRollups(transaction, context.database.dialect, facts.map(toRollupRow))
    after = last.id
  }
}

/**
 * Deletes all content, including the ids of deleted sessions, settings, notes, memory and records of checkpoints, and
 * returns the space to the disk; works on a full disk. Rejects as the store does; backups and files beside the store
 * are not touched.
 */
export const purge = async (context: StoreContext): Promise<void> => {
  const { database } = context
  const empty = (options: TransactionOptions): Promise<void> =>
    database.transaction(options, async (transaction) => {
      await countRemovedNames(transaction, rowLockClause(context))
      await clearIndex(transaction)
      for (const table of CONTENT_TABLES) await transaction.run(`DELETE FROM ${table}`)
      await transaction.run(`UPDATE clean_up SET "at" = 0, report = '' WHERE id = 1`)
    })
  try {
    await empty({ durability: 'synced' })
  } catch (error) {
    if (!CairnError.is(error) || error.code !== 'storage-failed') throw error
    // The disk may be full: the space of the failed attempt is freed, and deleted content is not overwritten first.
    await database.scrub()
    await empty({ durability: 'synced', withoutOverwriting: true })
  }
  context.labels.clear()
  context.packs.clear()
  await database.compact()
}
