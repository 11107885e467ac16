/** The queries to OpenCode's database: tables `session`, `message` and `part`, the latter two with JSON in `data`. */
import { CairnError } from '../errors.ts'
import type { DatabaseRow, DatabaseSnapshot, DatabaseValue } from '../ports/database-file.ts'
import { optional } from './importer.ts'
import {
  MOST_ANCESTORS,
  createPartList,
  messageRecord,
  type MessageHead,
  type SessionRecord,
} from './opencode-records.ts'

/** A message in the database. */
export interface MessageRow extends MessageHead {
  readonly session: string
  /** Its row id. */
  readonly row: number
}

const TABLES = ['session', 'message', 'part']
/** Bytes of a message's own data over which it is left out; its parts are other rows. */
const INFO_BYTES = 24 << 20

/**
 * Does nothing for a database of OpenCode's.
 * @throws CairnError `invalid-input`, which names the file and the missing table, for any other database
 */
export const assertOpenCode = (database: DatabaseSnapshot, path: string): void => {
  const names = database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name)
  const missing = TABLES.find((table) => !names.includes(table))
  if (missing !== undefined)
    throw new CairnError('invalid-input', `${path}: not a database of OpenCode: it has no table "${missing}"`)
}

const HEADS = `SELECT rowid AS row, id, session_id AS session, time_created AS time, time_updated AS changed,
  CASE WHEN json_valid(data) THEN coalesce(json_extract(data, '$.role'), '') END AS role,
  CASE WHEN json_valid(data)
    THEN coalesce(json_type(data, '$.time.completed') IN ('integer', 'real'), 0) OR coalesce(json_type(data, '$.error') = 'object', 0)
  END AS done,
  CASE WHEN json_valid(data) AND json_type(data, '$.summary') = 'true' THEN json_extract(data, '$.parentID') END AS summary_of
  FROM message`

/** The heads of all messages whose row id is greater than `row` (0: all), in no particular order. */
export const rowsAfter = (database: DatabaseSnapshot, row: number): readonly MessageRow[] =>
  database.rows(`${HEADS} WHERE rowid > ?`, [row]).map(messageRow)

/**
 * The messages of a session from the given one on, itself included, by time and id; only rows up to `row`, in no
 * particular order.
 */
export const rowsFrom = (
  database: DatabaseSnapshot,
  session: string,
  { id, time }: Pick<MessageHead, 'id' | 'time'>,
  row: number,
): readonly MessageRow[] =>
  database
    .rows(`${HEADS} WHERE session_id = ? AND rowid <= ? AND (time_created > ? OR (time_created = ? AND id >= ?))`, [
      session,
      row,
      time,
      time,
      id,
    ])
    .map(messageRow)

/** The newest messages by row id, at most `limit`, the newest first. */
export const newestRows = (database: DatabaseSnapshot, limit: number): readonly Pick<MessageRow, 'row' | 'id'>[] =>
  database
    .rows('SELECT rowid AS row, id FROM message ORDER BY rowid DESC LIMIT ?', [limit])
    .map(({ row, id }) => ({ row: numberOf(row), id: textOf(id) }))

/** How many sessions have only messages in the table that newer versions have begun to fill, and none that is read. */
export const unreadSessions = (database: DatabaseSnapshot): number => {
  const [table] = database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'session_message'")
  if (table === undefined) return 0
  const [row] = database.rows(`SELECT count(*) AS sessions FROM session
    WHERE EXISTS (SELECT 1 FROM session_message WHERE session_id = session.id)
      AND NOT EXISTS (SELECT 1 FROM message WHERE session_id = session.id)`)
  return numberOf(row?.sessions)
}

/** The message id in the row with this row id; undefined when there is none any more. */
export const idAt = (database: DatabaseSnapshot, row: number): string | undefined => {
  const [found] = database.rows('SELECT id FROM message WHERE rowid = ?', [row])
  return found === undefined ? undefined : textOf(found.id)
}

/** What a record has of a session; undefined when there is none of that id. */
export const sessionRow = (database: DatabaseSnapshot, id: string): SessionRecord | undefined => {
  const [row] = database.rows('SELECT * FROM session WHERE id = ?', [id])
  if (row === undefined) return undefined
  const text = (value: DatabaseValue | undefined): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined
  return {
    id,
    ...optional('title', text(row.title)),
    ...optional('directory', text(row.directory)),
    ...optional('parentID', text(row.parent_id)),
    ...optional('ancestors', ancestorsOf(database, text(row.parent_id))),
    ...optional('version', text(row.version)),
    ...optional('branch', branchOf(database, text(row.workspace_id))),
  }
}

/** The ids of a session's ancestors above `parent`, the nearest first, at most `MOST_ANCESTORS`; undefined for none. */
const ancestorsOf = (database: DatabaseSnapshot, parent: string | undefined): readonly string[] | undefined => {
  const found: string[] = []
  for (let id = parent; id !== undefined && found.length < MOST_ANCESTORS; id = found.at(-1)) {
    const [row] = database.rows('SELECT parent_id FROM session WHERE id = ?', [id])
    if (typeof row?.parent_id !== 'string') break
    found.push(row.parent_id)
  }
  return found.length === 0 ? undefined : found
}

/**
 * The git branch of the work tree that a session has from OpenCode; undefined without one, and in databases that know
 * none.
 */
const branchOf = (database: DatabaseSnapshot, workspace: string | undefined): string | undefined => {
  if (workspace === undefined) return undefined
  const [table] = database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'workspace'")
  const [row] = table === undefined ? [] : database.rows('SELECT * FROM workspace WHERE id = ?', [workspace])
  return typeof row?.branch === 'string' && row.branch !== '' ? row.branch : undefined
}

/** A message's record; absent for one that is not there any more, or that can't be taken. */
export interface ReadMessage {
  readonly record?: Uint8Array
  readonly notices: readonly string[]
}

/**
 * Reads a message with its parts. A message that is gone gives nothing, one that is damaged or too large only a notice;
 * parts that are so are left out with a notice.
 */
export const readMessage = (database: DatabaseSnapshot, session: SessionRecord, head: MessageRow): ReadMessage => {
  if (head.role === undefined) return { notices: [`the message ${head.id}, which is not valid JSON`] }
  const [row] = database.rows(
    'SELECT octet_length(data) AS size, CASE WHEN octet_length(data) <= ? THEN data END AS data FROM message WHERE id = ?',
    [INFO_BYTES, head.id],
  )
  if (row === undefined) return { notices: [] }
  if (typeof row.data !== 'string')
    return { notices: [`the message ${head.id}, which is over ${INFO_BYTES >> 20} MiB, or no text`] }
  const list = readParts(database, head.id)
  const asked = head.summaryOf === undefined ? undefined : readParts(database, head.summaryOf).parts
  const isFirst = head.role === 'user' && !hasEarlier(database, head)
  return {
    record: messageRecord(session, {
      id: head.id,
      isFirst,
      info: row.data,
      parts: list.parts,
      ...optional('asked', asked),
    }),
    notices: list.notices(),
  }
}

/** A message's parts in OpenCode's order, which is that of their ids; parts that don't fit are noted by the list. */
const readParts = (database: DatabaseSnapshot, message: string): ReturnType<typeof createPartList> => {
  const list = createPartList()
  const rows = database.rows('SELECT id, octet_length(data) AS size FROM part WHERE message_id = ? ORDER BY id', [
    message,
  ])
  for (const { id, size } of rows) if (list.hasSpace(numberOf(size))) list.add(partData(database, textOf(id)))
  return list
}

/** The text of a part; undefined if it is gone or no text. */
const partData = (database: DatabaseSnapshot, id: string): string | undefined => {
  const [row] = database.rows('SELECT data FROM part WHERE id = ?', [id])
  return typeof row?.data === 'string' ? row.data : undefined
}

/** Whether a session has a message before this one. */
const hasEarlier = (database: DatabaseSnapshot, { session, time, id }: MessageRow): boolean =>
  database.rows(
    'SELECT 1 AS one FROM message WHERE session_id = ? AND (time_created < ? OR (time_created = ? AND id < ?)) LIMIT 1',
    [session, time, time, id],
  ).length > 0

/** A row of the query for messages; a missing number is 0. Other missing fields are ''. */
const messageRow = (row: DatabaseRow): MessageRow => ({
  row: numberOf(row.row),
  id: textOf(row.id),
  session: textOf(row.session),
  time: numberOf(row.time),
  role: typeof row.role === 'string' ? row.role : undefined,
  isDone: row.done === 1,
  changedAt: numberOf(row.changed),
  ...optional('summaryOf', typeof row.summary_of === 'string' ? row.summary_of : undefined),
})

const numberOf = (value: DatabaseValue | undefined): number => (typeof value === 'number' ? value : 0)

const textOf = (value: DatabaseValue | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
