/** Notes by workspace and key: every version stays, with the time in which it was current. */
import { CairnError } from '@cairn/core'
import type { Note, NoteStorage } from '@cairn/core'
import type { SqlDatabase, SqlTransaction, SqlValue } from '../sql/database.ts'
import { assertRowsIntact, checkedColumns, isIntact, nextChecksum, rowChecksum } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import { insertRows, updateRow } from '../sql/statements.ts'
import { GroupCommit } from './group-commit.ts'
import { assertIndexesIntact } from './integrity.ts'
import { decodedText, encodedText } from './labels.ts'
import { versionRevision } from './version-revision.ts'

interface Row {
  readonly workspace: string
  readonly key: string
  readonly text: string
  readonly session_id: string | null
  readonly created_at: number
  readonly valid_from: number
  readonly valid_to: number | null
  readonly checksum: number | null
}

/** The new state of a note; without content it ends. Texts in their stored form. */
interface Change {
  readonly workspace: string
  readonly key: string
  readonly at: number
  readonly content: { readonly text: string; readonly sessionId: string | null } | undefined
}

const COLUMNS = quoted(checkedColumns(tables.noteVersion))
/** PostgreSQL's indexes hold keys up to about 2,700 bytes, the workspace's path among them. */
const LONGEST_KEY_BYTES = 2_048

/** The note of a stored row. */
const toNote = (row: Row): Note => ({
  workspace: decodedText(row.workspace),
  key: decodedText(row.key),
  text: decodedText(row.text),
  sessionId: row.session_id === null ? null : decodedText(row.session_id),
  createdAt: row.created_at,
  updatedAt: row.valid_from,
})

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Notes and their versions on SQLite or PostgreSQL. For its methods see {@link NoteStorage}. */
export class PrismaNoteStorage implements NoteStorage {
  readonly #database: SqlDatabase
  readonly #changes: GroupCommit<Change, boolean>

  constructor(database: SqlDatabase) {
    this.#database = database
    this.#changes = new GroupCommit((group) => this.#commit(group))
  }

  /**
   * Writes a note as a new version; the former one is kept. Rejects with `invalid-input` for an empty key, or one of
   * more than `LONGEST_KEY_BYTES`.
   */
  async set(note: {
    readonly workspace: string
    readonly key: string
    readonly text: string
    readonly sessionId?: string
    readonly at: number
  }): Promise<void> {
    if (note.key === '') throw new CairnError('invalid-input', 'A note needs a key: give it a short name.')
    const key = encodedText(note.key)
    if (Buffer.byteLength(key) > LONGEST_KEY_BYTES)
      throw new CairnError(
        'invalid-input',
        `The note's key is too long (${Buffer.byteLength(key)} bytes; the most are ${LONGEST_KEY_BYTES}); nothing was written. Give it a short name.`,
      )
    const content = {
      text: encodedText(note.text),
      sessionId: note.sessionId === undefined ? null : encodedText(note.sessionId),
    }
    await this.#changes.add({ workspace: encodedText(note.workspace), key, at: note.at, content })
  }

  /**
   * The note as of a time in ms, or now; undefined if it was deleted or not yet written. Rejects with `storage-corrupt`
   * for a damaged row.
   */
  async get(workspace: string, key: string, asOf?: number): Promise<Note | undefined> {
    const begun = asOf === undefined ? '' : 'AND valid_from <= ?'
    const [row] = await this.#read(
      `SELECT ${COLUMNS} FROM note_version WHERE workspace = ? AND "key" = ? ${begun} ORDER BY valid_from DESC, id DESC LIMIT 1`,
      [encodedText(workspace), encodedText(key), ...(asOf === undefined ? [] : [Math.floor(asOf)])],
    )
    const isCurrent = row !== undefined && (row.valid_to === null || (asOf !== undefined && row.valid_to > asOf))
    return isCurrent ? toNote(row) : undefined
  }

  /** The notes of a workspace as of a time in ms, or now, by key. By UTF-16 unit. */
  async list(workspace: string, asOf?: number): Promise<readonly Note[]> {
    const current = asOf === undefined ? 'valid_to IS NULL' : 'valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)'
    const times = asOf === undefined ? [] : [Math.floor(asOf), Math.floor(asOf)]
    const rows = await this.#read(`SELECT ${COLUMNS} FROM note_version WHERE workspace = ? AND ${current}`, [
      encodedText(workspace),
      ...times,
    ])
    // Databases order text differently: here by code unit, as JavaScript does.
    return rows.map(toNote).sort((left, right) => byText(left.key, right.key))
  }

  revision(workspace: string): Promise<string> {
    return versionRevision(this.#database, 'note_version', encodedText(workspace))
  }

  delete(workspace: string, key: string, at: number): Promise<boolean> {
    return this.#changes.add({ workspace: encodedText(workspace), key: encodedText(key), at, content: undefined })
  }

  /** The workspaces that have notes now, by path. Rejects with `storage-corrupt` for a damaged index. */
  async workspaces(): Promise<readonly string[]> {
    await assertIndexesIntact(this.#database, ['note_version'])
    const rows = await this.#database.all<{ workspace: string }>(
      'SELECT DISTINCT workspace FROM note_version WHERE valid_to IS NULL',
    )
    return rows.map((row) => decodedText(row.workspace)).sort(byText)
  }

  /** Resolves when no change is under way. */
  idle(): Promise<void> {
    return this.#changes.idle()
  }

  /** Runs a query for note versions; rejects if an index or a row read is damaged. */
  async #read(sql: string, parameters: readonly SqlValue[]): Promise<readonly Row[]> {
    await assertIndexesIntact(this.#database, ['note_version'])
    const rows = await this.#database.all<Row>(sql, parameters)
    assertRowsIntact(this.#database.location, tables.noteVersion, rows)
    return rows
  }

  /**
   * Writes a group of changes in one transaction, in order; each outcome is whether the note was there before. A change
   * without content deletes.
   */
  #commit(group: readonly Change[]): Promise<readonly boolean[]> {
    return this.#database.transaction({ durability: 'synced' }, async (transaction) => {
      if (this.#database.dialect === 'postgresql') {
        // In a fixed order, so that two groups can't deadlock.
        const names = [...new Set(group.map(({ workspace }) => `notes:${workspace}`))].sort(byText)
        for (const name of names) await transaction.all('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
      }
      const outcomes: boolean[] = []
      for (const change of group) outcomes.push(await apply(transaction, change))
      return outcomes
    })
  }
}

/**
 * Ends a note's current version and begins the new one, if there is a text; true if there was a note. Clocks differ: a
 * version never begins before its predecessor. A note that was deleted begins anew, with a new time of its making.
 */
const apply = async (transaction: SqlTransaction, { workspace, key, at, content }: Change): Promise<boolean> => {
  const [last] = await transaction.all<Row & { readonly id: number }>(
    `SELECT id, ${COLUMNS} FROM note_version WHERE workspace = ? AND "key" = ? ORDER BY valid_from DESC, id DESC LIMIT 1`,
    [workspace, key],
  )
  const from = Math.max(at, last?.valid_to ?? last?.valid_from ?? at)
  const isCurrent = last?.valid_to === null
  if (isCurrent)
    await updateRow(transaction, tables.noteVersion, last.id, {
      valid_to: from,
      checksum: nextChecksum(tables.noteVersion, last, { valid_to: from }),
    })
  if (content !== undefined) {
    const { text, sessionId } = content
    const createdAt = isCurrent && isIntact(tables.noteVersion, last) ? last.created_at : from
    const row = { workspace, key, text, session_id: sessionId, created_at: createdAt, valid_from: from }
    await insertRows(
      transaction,
      tables.noteVersion,
      ['workspace', 'key', 'text', 'session_id', 'created_at', 'valid_from', 'checksum'],
      [{ ...row, checksum: rowChecksum(tables.noteVersion, row) }],
    )
  }
  return isCurrent
}
