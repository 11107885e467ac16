/** The row of a session: found, created, and updated with what was written to its log. */
import { datesSession } from '@cairn/core'
import type { EntryWrite, SessionFacts } from '@cairn/core'
import type { SqlTransaction } from '../sql/database.ts'
import { checkedColumns, nextChecksum } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import { insertRows, updateRow } from '../sql/statements.ts'
import { storableText } from './labels.ts'
import type { Labels } from './labels.ts'

export interface SessionRow {
  readonly id: number
  /** The sequence number of the next entry. */
  readonly next_seq: number
  /** 0: not known. */
  readonly workspace_id: number
  /** 0: not known. */
  readonly branch_id: number
  readonly title: string | null
  readonly titled: number
  readonly forked_from: string | null
  readonly started_at: number | null
  readonly updated_at: number | null
  readonly message_count: number
  readonly favourite: number
  readonly redactions: number
  readonly checksum: number | null
  /** Writes that a team's store has not been told of. */
  readonly unsynced: number
  /** This transaction has inserted it. */
  readonly isNew: boolean
}

const COLUMNS = quoted(checkedColumns(tables.session))

/**
 * The session's row; undefined if there is none.
 * @param lockClause what locks it against other writers, see `rowLockClause`
 */
export const findSession = async (
  transaction: SqlTransaction,
  sessionKey: string,
  lockClause: string,
): Promise<SessionRow | undefined> => {
  const [row] = await transaction.all<Omit<SessionRow, 'isNew'>>(
    `SELECT id, unsynced, ${COLUMNS} FROM session WHERE "key" = ?${lockClause}`,
    [storableText(sessionKey)],
  )
  return row === undefined ? undefined : { ...row, isNew: false }
}

/**
 * The session's row, which is inserted where there is none; `isNew` says so. It is locked until the end of the
 * transaction where rows can be. Of the facts, an existing row keeps its own. Throws an Error if it can't be inserted.
 */
export const openSession = async (
  transaction: SqlTransaction,
  labels: Labels,
  facts: SessionFacts,
  lockClause: string,
): Promise<SessionRow> => {
  const known = await findSession(transaction, facts.id, lockClause)
  if (known !== undefined) return known
  const values = {
    key: storableText(facts.id),
    agent_id: await labels.label('agent', facts.agent),
    external_id: storableText(facts.externalId),
    workspace_id: await labels.workspace(facts.workspace),
    branch_id: await labels.label('branch', facts.branch),
  }
  const columns = ['key', 'agent_id', 'external_id', 'workspace_id', 'branch_id'] as const
  const inserted = await insertRows(transaction, tables.session, columns, [values], 'ON CONFLICT ("key") DO NOTHING')
  const row = await findSession(transaction, facts.id, lockClause)
  if (row === undefined) throw new Error(`the session ${facts.id} could not be inserted`)
  return { ...row, isNew: inserted === 1 }
}

/** True when a user deleted the session: an import must not bring it back. False for one that never was. */
export const wasDeleted = async (transaction: SqlTransaction, sessionKey: string): Promise<boolean> =>
  (await transaction.all('SELECT 1 FROM deleted_session WHERE "key" = ?', [storableText(sessionKey)])).length > 0

/**
 * Updates the session's row for entries that were added to its log: counts, title, star, branch and dates. A workspace
 * that is known stays; facts that are missing change nothing.
 * @param row as {@link findSession} has read it in this transaction
 */
export const updateSession = async (
  transaction: SqlTransaction,
  labels: Labels,
  row: SessionRow,
  facts: SessionFacts,
  added: readonly EntryWrite[],
): Promise<void> => {
  const loggedTitle = lastOf(added, ({ entry }) => (entry.kind === 'title' ? entry.title : undefined))
  const favourite = lastOf(added, ({ entry }) => (entry.kind === 'favourite' ? Number(entry.favourite) : undefined))
  const branch = await labels.label('branch', facts.branch)
  const { first, last } = timeSpan(added)
  const changes = {
    next_seq: row.next_seq + added.length,
    message_count: row.message_count + added.filter(({ entry }) => entry.kind === 'message').length,
    redactions: row.redactions + added.reduce((sum, write) => sum + (write.redactions ?? 0), 0),
    favourite: favourite ?? row.favourite,
    ...titleColumns(row, loggedTitle, facts.title),
    forked_from: facts.forkedFrom === undefined ? row.forked_from : storableText(facts.forkedFrom),
    workspace_id: row.workspace_id === 0 ? await labels.workspace(facts.workspace) : row.workspace_id,
    branch_id: branch === 0 ? row.branch_id : branch,
    started_at: earlier(row.started_at, first),
    updated_at: later(row.updated_at, last),
    unsynced: row.unsynced + 1,
  }
  await updateRow(transaction, tables.session, row.id, {
    ...changes,
    checksum: nextChecksum(tables.session, row, changes),
  })
}

/** A title of the log (`titled` = 1) is never replaced by one that only came with the session. */
const titleColumns = (
  { title, titled }: SessionRow,
  logged: string | undefined,
  given: string | undefined,
): Pick<SessionRow, 'title' | 'titled'> => {
  if (logged !== undefined) return { title: storableText(logged), titled: 1 }
  return { title: titled === 1 || given === undefined ? title : storableText(given), titled }
}

/** The value of the last write that has one; undefined if none has. */
const lastOf = <T>(writes: readonly EntryWrite[], value: (write: EntryWrite) => T | undefined): T | undefined => {
  for (const write of writes.toReversed()) {
    const found = value(write)
    if (found !== undefined) return found
  }
  return undefined
}

/** First and last time (ms) of the entries that date a session; null where none does. */
const timeSpan = (writes: readonly EntryWrite[]): { readonly first: number | null; readonly last: number | null } => {
  let first: number | null = null
  let last: number | null = null
  for (const { entry } of writes) {
    if (entry.at === null || !datesSession(entry)) continue
    if (first === null || entry.at < first) first = entry.at
    if (last === null || entry.at > last) last = entry.at
  }
  return { first, last }
}

/** The earlier of two times; of one that is not known the other. */
const earlier = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? (left ?? right) : Math.min(left, right)

/** The later of two times; of one that is not known the other. */
const later = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? (left ?? right) : Math.max(left, right)
