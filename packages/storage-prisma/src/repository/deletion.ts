/**
 * Deletes a session: content that only it uses is removed from the disk, blocks that others share are moved to one of
 * them.
 */
import type { DeletionReport } from '@cairn/core'
import type { SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { quoted, tables } from '../sql/schema.ts'
import { updateRow } from '../sql/statements.ts'
import { PackDraft } from '../packs/pack-draft.ts'
import { rowLockClause } from './store-context.ts'
import type { StoreContext } from './store-context.ts'
import { storableText } from './labels.ts'
import { insertPack } from './pack-writer.ts'
import { factColumns, toRollupRow } from './request-merge.ts'
import type { UsageFactRow } from './request-merge.ts'
import { addToRollups } from './rollups.ts'
import { IndexChanged } from '../search/index-rows.ts'
import { prepareRemoval, removeFromIndex } from '../search/removal.ts'
import type { Removal } from '../search/removal.ts'

interface SharedBlock {
  readonly id: number
  readonly pack_id: number
  readonly offset: number
  readonly length: number
  readonly heir: number
}

/** How often the search index may change between being read and the deletion. */
const ATTEMPTS = 20

/**
 * Deletes a session with everything that only it has, and reports what went; undefined if there is none of that id.
 * Content that others use is moved to them; no import brings it back. It is tried again where the search index changes
 * meanwhile, `ATTEMPTS` times at most. Then it rejects.
 */
export const deleteSession = async (context: StoreContext, sessionKey: string): Promise<DeletionReport | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [found] = await context.database.all<{ id: number }>('SELECT id FROM session WHERE "key" = ?', [
        storableText(sessionKey),
      ])
      if (found === undefined) return undefined
      return await deleteWith(context, sessionKey, await prepareRemoval(context.database, found.id))
    } catch (error) {
      if (!(error instanceof IndexChanged) || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Deletes a session as was prepared, takes its requests out of the rollups, records that it was deleted, so that no
 * import brings it back, and overwrites what it freed; undefined where there is none. Rejects with IndexChanged, with
 * nothing changed, if it was started again or the search index changed meanwhile.
 */
const deleteWith = async (
  context: StoreContext,
  sessionKey: string,
  removal: Removal,
): Promise<DeletionReport | undefined> => {
  const report = await context.database.transaction({ durability: 'synced' }, async (transaction) => {
    const found = await transaction.all<{ id: number; shared: number }>(
      `SELECT id, shared FROM session WHERE "key" = ?${rowLockClause(context)}`,
      [storableText(sessionKey)],
    )
    const session = found[0]
    if (session === undefined) return undefined
    await lockPacks(context, transaction, session.id)
    const facts = await transaction.all<UsageFactRow>(
      `SELECT ${quoted(factColumns)} FROM usage_fact WHERE session_id = ?`,
      [session.id],
    )
    await addToRollups(transaction, context.database.dialect, [], facts.map(toRollupRow))
    await transaction.run('DELETE FROM usage_fact WHERE session_id = ?', [session.id])
    await transaction.run('DELETE FROM request_failure WHERE session_id = ?', [session.id])

    // Deleted and started again in the meantime.
    if (session.id !== removal.sessionId) throw new IndexChanged()
    const { entries, lines, bytes } = await removeLog(context, transaction, removal)
    for (const table of [tables.state, tables.stateScope])
      await transaction.run(`DELETE FROM ${table.name} WHERE scope = ?`, [`session:${storableText(sessionKey)}`])
    await transaction.run('DELETE FROM session WHERE id = ?', [session.id])
    await transaction.insert(
      tables.deletedSession,
      ['key', 'deleted_at', 'withdraw'],
      // What a team's store was sent is withdrawn by the next sync.
      [[storableText(sessionKey), Date.now(), session.shared === 0 ? 0 : 1]],
      'ON CONFLICT ("key") DO NOTHING',
    )
    return { sessionId: sessionKey, entries, requests: facts.length, sourceLines: lines, bytes }
  })
  context.packs.clear()
  if (report === undefined) return undefined
  await context.database.scrub()
  return report
}

/**
 * Locks the session's packs until the transaction ends: writers that were about to refer to their content have committed
 * when this resolves, and further ones wait.
 */
export const lockPacks = async (
  context: StoreContext,
  transaction: SqlTransaction,
  sessionId: number,
): Promise<void> => {
  await transaction.all(`SELECT id FROM pack WHERE session_id = ? ORDER BY id${rowLockClause(context)}`, [sessionId])
}

export interface RemovedLog {
  readonly entries: number
  /** Of transcripts. */
  readonly lines: number
  /** Of packed content. */
  readonly bytes: number
}

/**
 * Deletes what was said in a session: its log, its content and lines, and its part of the search index. Its row is left to
 * the caller, who has locked it. Rejects with {@link IndexChanged} where the index is another one meanwhile.
 */
export const removeLog = async (
  context: StoreContext,
  transaction: SqlTransaction,
  removal: Removal,
): Promise<RemovedLog> => {
  const { sessionId } = removal
  await removeFromIndex(transaction, removal)
  const entries = await transaction.run('DELETE FROM entry WHERE session_id = ?', [sessionId])
  const [source] = await transaction.all<{ lines: number | null }>(
    'SELECT sum(line_count) AS lines FROM source_run WHERE session_id = ?',
    [sessionId],
  )
  await transaction.run('DELETE FROM source_run WHERE session_id = ?', [sessionId])
  const bytes = await removePacks(context, transaction, sessionId)
  await transaction.run('DELETE FROM block_use WHERE session_id = ?', [sessionId])
  return { entries, lines: source?.lines ?? 0, bytes }
}

/**
 * Deletes a session's packs and their blocks; returns the packs' bytes (compressed). Blocks that other sessions refer
 * to are first moved, each to the session with the lowest row id that uses it.
 */
const removePacks = async (context: StoreContext, transaction: SqlTransaction, sessionId: number): Promise<number> => {
  const shared = await transaction.all<SharedBlock>(
    `SELECT block.id, block.pack_id, block."offset", block.length, min(block_use.session_id) AS heir
     FROM pack JOIN block ON block.pack_id = pack.id JOIN block_use ON block_use.block_id = block.id
     WHERE pack.session_id = ? AND block_use.session_id <> ?
     GROUP BY block.id, block.pack_id, block."offset", block.length ORDER BY block.id`,
    [sessionId, sessionId],
  )
  for (const heir of new Set(shared.map((block) => block.heir))) {
    await movePacked(
      context,
      transaction,
      shared.filter((block) => block.heir === heir),
      heir,
    )
  }
  const size = await transaction.all<{ bytes: number | null }>(
    'SELECT sum(length(data)) AS bytes FROM pack WHERE session_id = ?',
    [sessionId],
  )
  await transaction.run('DELETE FROM block WHERE pack_id IN (SELECT id FROM pack WHERE session_id = ?)', [sessionId])
  await transaction.run('DELETE FROM pack WHERE session_id = ?', [sessionId])
  return size[0]?.bytes ?? 0
}

/**
 * Moves blocks to a new pack of the session `heir`, whose own they are from then on. Rejects if one can't be read.
 */
const movePacked = async (
  context: StoreContext,
  transaction: SqlTransaction,
  blocks: readonly SharedBlock[],
  heir: number,
): Promise<void> => {
  const contents = await context.packs.read(
    blocks.map((block) => ({ packId: block.pack_id, offset: block.offset, length: block.length })),
  )
  const pack = await new PackDraft().seal(
    contents.map((content) => content.bytes),
    () => false,
  )
  const packId = await insertPack(transaction, heir, pack, () => {
    throw new Error('a moved pack refers to no other')
  })
  for (const [index, block] of blocks.entries()) {
    const { offset } = required(pack.slices[index], 'the content of a block')
    await updateRow(transaction, tables.block, block.id, { pack_id: packId, offset })
    // A session's own content is not recorded as a use.
    await transaction.run('DELETE FROM block_use WHERE block_id = ? AND session_id = ?', [block.id, heir])
  }
}
