/**
 * Removes what was said in a session and keeps its figures: log, content, transcript lines, search index and title go;
 * requests, cost and dates stay. A notice stands in the log's place, so that a sync finds another log there and does not
 * bring the text back.
 */
import type { EntryWrite } from '@cairn/core'
import { tables } from '../sql/schema.ts'
import { updateRow } from '../sql/statements.ts'
import { nextChecksum } from '../sql/row-checksum.ts'
import { rowLockClause } from '../repository/store-context.ts'
import type { StoreContext } from '../repository/store-context.ts'
import { lockPacks, removeLog } from '../repository/deletion.ts'
import type { RemovedLog } from '../repository/deletion.ts'
import { Labels } from '../repository/labels.ts'
import { nothingPending, prepareContent } from '../repository/prepared-content.ts'
import { findSession } from '../repository/session-row.ts'
import { writeSession } from '../repository/session-writer.ts'
import { IndexChanged } from '../search/index-rows.ts'
import { prepareRemoval } from '../search/removal.ts'
import { required } from '../sql/required.ts'

/** How often the search index may change between being read and the removal. */
const ATTEMPTS = 20

const NOTICE: EntryWrite = {
  entry: {
    kind: 'notice',
    at: null,
    level: 'info',
    text: 'What was said in this session was removed, as it was older than the policy for text allows (retention.text).',
  },
}

export interface SessionWithText {
  readonly id: number
  readonly key: string
  readonly agent: string
  readonly external_id: string
}

/**
 * Removes the text of a session whose last activity was before a time (ms); undefined where it is gone, or somebody has
 * gone on with it. It is tried again where the search index changes meanwhile, `ATTEMPTS` times at most. Then it
 * rejects.
 */
export const removeText = async (
  context: StoreContext,
  session: SessionWithText,
  before: number,
): Promise<RemovedLog | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await removeOnce(context, session, before)
    } catch (error) {
      if (!(error instanceof IndexChanged) || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Removes a session's log, title and blocks in one transaction and leaves a notice as its only entry. Undefined, with
 * nothing changed, if the session is gone or was updated at `before` or later.
 */
const removeOnce = async (
  context: StoreContext,
  { id, key, agent, external_id: externalId }: SessionWithText,
  before: number,
): Promise<RemovedLog | undefined> => {
  const { database, labels: cache } = context
  const removal = await prepareRemoval(database, id)
  const facts = { id: key, agent, externalId }
  const content = await prepareContent({ session: facts, writes: [NOTICE], runs: [] }, database, nothingPending)
  const done = await database.transaction({ durability: 'synced' }, async (transaction) => {
    const lock = rowLockClause(context)
    const row = await findSession(transaction, key, lock)
    if (row?.id !== id || row.updated_at === null || row.updated_at >= before) return undefined
    await lockPacks(context, transaction, id)
    const removed = await removeLog(context, transaction, removal)
    // A title of the log is never replaced by one that comes with a session: so this one does not come back.
    const changes = { next_seq: 0, message_count: 0, title: null, titled: 1 }
    await updateRow(transaction, tables.session, id, {
      ...changes,
      checksum: nextChecksum(tables.session, row, changes),
    })
    const labels = new Labels(transaction, cache, database.dialect)
    const emptied = required(await findSession(transaction, key, lock), 'the row of a session')
    await writeSession(transaction, labels, emptied, content)
    return { labels, removed }
  })
  context.packs.clear()
  done?.labels.remember()
  if (done === undefined) return undefined
  await database.scrub()
  return done.removed
}
