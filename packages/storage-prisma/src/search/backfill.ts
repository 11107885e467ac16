/**
 * Indexes what is in the log but not in the index: after a migration, or in a rebuild. In steps, so that memory and
 * locks stay small; several processes may take part, and each step counts once.
 */
import { StorageError, analyseEntry, encodeMessage } from '@cairn/core'
import type { LogEntry, SessionStorage } from '@cairn/core'
import { BLOCK_MINIMUM } from '../packs/dehydrate.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { IndexChanged, addToTail } from './index-rows.ts'
import type { TailRow } from './index-rows.ts'
import type { IndexMaintenance } from './index-maintenance.ts'

/** Progress of the index, in entries of the log. */
export interface IndexingProgress {
  readonly done: number
  readonly total: number
}

/** Entries of one session that a step reads. */
const STEP = 250

interface PendingRow {
  readonly session_id: number
  readonly key: string
  readonly workspace_id: number
  readonly from_seq: number
  readonly until_seq: number
}

/**
 * Indexes all entries that are recorded as pending, in steps between which other work goes on; `onProgress` is called
 * at first and after each step, and with `done` = `total` before it rejects, so that a display of it ends. It is not
 * called where nothing is pending. What is done stays when it rejects.
 */
export const fillIndex = async (
  database: SqlDatabase,
  sessions: Pick<SessionStorage, 'read'>,
  maintenance: IndexMaintenance,
  onProgress?: (progress: IndexingProgress) => void,
): Promise<void> => {
  const total = await entriesLeft(database)
  if (total > 0) onProgress?.({ done: 0, total })
  try {
    await fillSteps(database, sessions, maintenance, (left) => onProgress?.({ done: Math.max(0, total - left), total }))
  } catch (error) {
    // Ends the progress display before the error is reported.
    if (total > 0) onProgress?.({ done: total, total })
    throw error
  }
}

/** How many entries are not indexed yet. */
const entriesLeft = async (database: SqlDatabase): Promise<number> =>
  (await database.all<{ left: number }>('SELECT COALESCE(sum(until_seq - from_seq), 0) AS left FROM search_pending'))[0]
    ?.left ?? 0

/**
 * Indexes what is left, session by session, until nothing is; `onStep` is told after each step how many entries are
 * left. What is recorded of deleted sessions is removed at the end. Rejects as the store does.
 */
const fillSteps = async (
  database: SqlDatabase,
  sessions: Pick<SessionStorage, 'read'>,
  maintenance: IndexMaintenance,
  onStep: (left: number) => void,
): Promise<void> => {
  const knownTexts = new Set<string>()
  for (let session = 0; ;) {
    const [row] = await database.all<PendingRow>(
      `SELECT search_pending.session_id, session."key", session.workspace_id, search_pending.from_seq, search_pending.until_seq
       FROM search_pending JOIN session ON session.id = search_pending.session_id ORDER BY search_pending.session_id LIMIT 1`,
    )
    if (row === undefined) break
    if (row.session_id !== session) knownTexts.clear()
    session = row.session_id
    if (await step(database, sessions, row, knownTexts)) await maintenance.maintain([row.workspace_id])
    onStep(await entriesLeft(database))
  }
  await database.transaction({ durability: 'lazy' }, (transaction) =>
    transaction.run('DELETE FROM search_pending WHERE session_id NOT IN (SELECT id FROM session)'),
  )
}

/**
 * Puts the next messages of a session into the index; false when another process has done this step. At most `STEP`
 * entries. `knownTexts` is added to: a long text that came before in the session is not indexed again.
 */
const step = async (
  database: SqlDatabase,
  sessions: Pick<SessionStorage, 'read'>,
  row: PendingRow,
  knownTexts: Set<string>,
): Promise<boolean> => {
  const end = Math.min(row.from_seq + STEP, row.until_seq)
  const entries = await readAll(sessions, row.key, row.from_seq, end)
  const ids = new Map(
    (
      await database.all<{ id: number; seq: number }>(
        'SELECT id, seq FROM entry WHERE session_id = ? AND kind = 1 AND seq >= ? AND seq < ?',
        [row.session_id, row.from_seq, end],
      )
    ).map(({ id, seq }) => [seq, id]),
  )
  const isRepeated = (text: string): boolean =>
    text.length >= BLOCK_MINIMUM && (knownTexts.has(text) || !knownTexts.add(text))
  const rows = entries.flatMap((entry): TailRow[] => {
    const entryId = ids.get(entry.seq)
    if (entry.kind !== 'message' || entryId === undefined) return []
    return [
      {
        entryId,
        sessionId: row.session_id,
        seq: entry.seq,
        workspaceId: row.workspace_id,
        data: encodeMessage(entry.at, analyseEntry(entry, isRepeated)),
      },
    ]
  })
  try {
    await database.transaction({ durability: 'lazy' }, async (transaction) => {
      const moved =
        end === row.until_seq
          ? await transaction.run('DELETE FROM search_pending WHERE session_id = ? AND from_seq = ?', [
              row.session_id,
              row.from_seq,
            ])
          : await transaction.run('UPDATE search_pending SET from_seq = ? WHERE session_id = ? AND from_seq = ?', [
              end,
              row.session_id,
              row.from_seq,
            ])
      if (moved !== 1) throw new IndexChanged()
      await addToTail(transaction, rows)
    })
    return true
  } catch (error) {
    if (error instanceof IndexChanged) return false
    throw error
  }
}

/**
 * Entries from one sequence number to before another; damaged ones are left out: `verify` reports them. Rejects for
 * other faults than damage.
 */
const readAll = async (
  sessions: Pick<SessionStorage, 'read'>,
  key: string,
  from: number,
  end: number,
): Promise<readonly LogEntry[]> => {
  try {
    return (await sessions.read(key, { fromSeq: from, limit: end - from })).filter(({ seq }) => seq < end)
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'storage-corrupt') throw error
    if (end - from === 1) return []
    const middle = Math.floor((from + end) / 2)
    return [...(await readAll(sessions, key, from, middle)), ...(await readAll(sessions, key, middle, end))]
  }
}
