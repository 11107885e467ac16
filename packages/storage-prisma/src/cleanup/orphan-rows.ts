/** Kinds of rows that can be left over, as conditions in SQL, and their removal. */
import type { OrphanCount, OrphanKind } from '@cairn/core'
import { MAX_SEGMENT_PAGES } from '@cairn/core'
import type { SqlTransaction } from '../sql/database.ts'
import { rowLockClause } from '../repository/store-context.ts'
import type { StoreContext } from '../repository/store-context.ts'

/** Rows of a table that nothing refers to. */
interface OrphanRows {
  readonly table: string
  /** SQL that is true for them; it may be asked again in the transaction that removes them. */
  readonly condition: string
  /** SQL for the bytes of one. */
  readonly bytes: string
  /** SQL: rows that are locked first, so that nobody refers to one of them while they are looked at. */
  readonly lock?: string
}

interface OrphanCheck {
  readonly kind: OrphanKind
  /** Found by an index or in small tables. */
  readonly isQuick: boolean
  readonly rows: readonly OrphanRows[]
}

const NO_SESSION = 'session_id NOT IN (SELECT id FROM session)'
const NOTHING_IN_IT = 'next_seq = 0 AND message_count = 0 AND requests = 0 AND favourite = 0 AND title IS NULL'

/** Tables that name a session by its number. */
const BY_NUMBER = ['entry', 'usage_fact', 'request_failure', 'source_run', 'pack', 'block_use']
/** Tables that name it by its public id. */
const BY_KEY = ['note_version', 'memory_version', 'checkpoint']

const EMPTY_SESSION = [
  NOTHING_IN_IT,
  ...BY_NUMBER.map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.session_id = session.id)`),
  ...BY_KEY.map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.session_id = session."key")`),
  `NOT EXISTS (SELECT 1 FROM state WHERE scope = 'session:' || session."key")`,
  `NOT EXISTS (SELECT 1 FROM session AS fork WHERE fork.forked_from = session."key")`,
].join(' AND ')

/** Content that a session's deletion did not take with it: no entry, no source lines and no other session needs it. */
const UNUSED_PACK = `${NO_SESSION}
  AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.pack_id = pack.id)
  AND NOT EXISTS (SELECT 1 FROM source_run WHERE source_run.pack_id = pack.id)
  AND NOT EXISTS (SELECT 1 FROM block JOIN block_use ON block_use.block_id = block.id WHERE block.pack_id = pack.id)`

const DELETED_STATE = `scope IN (SELECT 'session:' || "key" FROM deleted_session
  WHERE NOT EXISTS (SELECT 1 FROM session WHERE session."key" = deleted_session."key"))`

const CHECKS: readonly OrphanCheck[] = [
  {
    kind: 'empty-session',
    isQuick: true,
    rows: [
      {
        table: 'session',
        condition: EMPTY_SESSION,
        bytes: 'length("key") + length(external_id)',
        lock: `SELECT id FROM session WHERE ${NOTHING_IN_IT}`,
      },
    ],
  },
  {
    kind: 'session-state',
    isQuick: true,
    rows: [{ table: 'state', condition: DELETED_STATE, bytes: 'length("key") + length(value)' }],
  },
  {
    kind: 'index-row',
    isQuick: true,
    rows: [
      { table: 'search_tail', condition: NO_SESSION, bytes: 'length(data)' },
      { table: 'search_pending', condition: NO_SESSION, bytes: '0' },
      {
        table: 'search_page',
        condition: `id / ${MAX_SEGMENT_PAGES} NOT IN (SELECT id FROM search_segment)`,
        bytes: 'length(data)',
      },
    ],
  },
  {
    kind: 'block-use',
    isQuick: false,
    rows: [
      {
        table: 'block_use',
        condition: `${NO_SESSION} OR block_id NOT IN (SELECT id FROM block)`,
        bytes: '0',
      },
    ],
  },
  {
    kind: 'pack',
    isQuick: false,
    rows: [
      {
        table: 'block',
        condition: `pack_id IN (SELECT id FROM pack WHERE ${UNUSED_PACK})`,
        bytes: '0',
        lock: `SELECT id FROM block WHERE pack_id IN (SELECT id FROM pack WHERE ${NO_SESSION})`,
      },
      { table: 'pack', condition: UNUSED_PACK, bytes: 'length(data)' },
    ],
  },
]

/**
 * Counts what is left over, and removes it unless it is a dry run: each kind in one transaction. A count for each kind,
 * also of 0; with `quick` only those that are found quickly. `removed` is 0 in a dry run.
 */
export const removeOrphanRows = async (
  context: StoreContext,
  { dryRun, quick }: { readonly dryRun: boolean; readonly quick: boolean },
): Promise<readonly OrphanCount[]> => {
  const counts: OrphanCount[] = []
  for (const { kind, isQuick, rows } of CHECKS) {
    if (quick && !isQuick) continue
    let [found, bytes] = [0, 0]
    for (const { table, condition, bytes: size } of rows) {
      const [row] = await context.database.all<{ found: number; bytes: number }>(
        `SELECT count(*) AS found, COALESCE(sum(${size}), 0) AS bytes FROM ${table} WHERE ${condition}`,
      )
      found += row?.found ?? 0
      bytes += row?.bytes ?? 0
    }
    const removed =
      found === 0 || dryRun
        ? 0
        : await context.database.transaction({ durability: 'lazy' }, (transaction) =>
            remove(context, transaction, rows),
          )
    counts.push({ kind, found, removed, bytes })
  }
  return counts
}

/** Removes the rows, after locking what they belong to where the database needs it; says how many. */
const remove = async (
  context: StoreContext,
  transaction: SqlTransaction,
  rows: readonly OrphanRows[],
): Promise<number> => {
  const clause = rowLockClause(context)
  let removed = 0
  for (const { lock } of rows) if (lock !== undefined && clause !== '') await transaction.all(lock + clause)
  for (const { table, condition } of rows) removed += await transaction.run(`DELETE FROM ${table} WHERE ${condition}`)
  return removed
}
