/** The row of a session: found, made, and brought up to date with what was written to its log. */
import { datesSession } from '@cairn/core'
import type { EntryWrite, SessionFacts } from '@cairn/core'
import type { SqlTransaction } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { insertRows, named } from '../sql/statements.ts'
import { storableText } from './labels.ts'
import type { Labels } from './labels.ts'

export interface SessionRow {
  readonly id: number
  /** The sequence number of the next entry. */
  readonly next_seq: number
  /** 0: not known. */
  readonly workspace_id: number
  /** This transaction has inserted it. */
  readonly isNew: boolean
}

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
    `SELECT id, next_seq, workspace_id FROM session WHERE "key" = ?${lockClause}`,
    [storableText(sessionKey)],
  )
  return row === undefined ? undefined : { ...row, isNew: false }
}

/** Finds the session's row, or inserts it. */
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

/** True when a user deleted the session: an import must not bring it back. */
export const wasDeleted = async (transaction: SqlTransaction, sessionKey: string): Promise<boolean> =>
  (await transaction.all('SELECT 1 FROM deleted_session WHERE "key" = ?', [storableText(sessionKey)])).length > 0

/** A title of the log (`titled` = 1) is never replaced by one that only came with the session. */
const UPDATE = `UPDATE session SET
  next_seq = next_seq + :entries, message_count = message_count + :messages, redactions = redactions + :redactions,
  favourite = COALESCE(:favourite, favourite),
  title = CASE WHEN titled > :titled THEN title ELSE COALESCE(:title, title) END,
  titled = CASE WHEN titled > :titled THEN titled ELSE :titled END,
  forked_from = COALESCE(:forkedFrom, forked_from),
  workspace_id = CASE WHEN workspace_id = 0 THEN :workspace ELSE workspace_id END,
  branch_id = CASE WHEN :branch = 0 THEN branch_id ELSE :branch END,
  started_at = CASE WHEN started_at IS NULL OR started_at > :first THEN COALESCE(:first, started_at) ELSE started_at END,
  updated_at = CASE WHEN updated_at IS NULL OR updated_at < :last THEN COALESCE(:last, updated_at) ELSE updated_at END
  WHERE id = :id`

/** Brings the session's row up to date with entries that were added to its log. */
export const updateSession = async (
  transaction: SqlTransaction,
  labels: Labels,
  sessionId: number,
  facts: SessionFacts,
  added: readonly EntryWrite[],
): Promise<void> => {
  const loggedTitle = lastOf(added, ({ entry }) => (entry.kind === 'title' ? entry.title : undefined))
  const title = loggedTitle ?? facts.title
  await transaction.run(
    ...named(UPDATE, {
      id: sessionId,
      entries: added.length,
      messages: added.filter(({ entry }) => entry.kind === 'message').length,
      redactions: added.reduce((sum, write) => sum + (write.redactions ?? 0), 0),
      favourite:
        lastOf(added, ({ entry }) => (entry.kind === 'favourite' ? Number(entry.favourite) : undefined)) ?? null,
      titled: loggedTitle === undefined ? 0 : 1,
      title: title === undefined ? null : storableText(title),
      forkedFrom: facts.forkedFrom === undefined ? null : storableText(facts.forkedFrom),
      workspace: await labels.workspace(facts.workspace),
      branch: await labels.label('branch', facts.branch),
      ...timeSpan(added),
    }),
  )
}

/** The value of the last write that has one. */
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
