/**
 * Reads another program's SQLite database through Node's own SQLite, without leaving anything beside it. A connection to
 * a database with a write-ahead log makes files next to it unless its program has them open; so one that is closed is
 * read as a file that doesn't change, and one whose program ended without closing it is read from a copy.
 */
import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { CairnError, messageOf } from '../errors.ts'
import type { DatabaseRow, DatabaseSnapshot } from '../ports/database-file.ts'

/** How often a database that changes while it is read is tried. */
const ATTEMPTS = 3
/** How long a database that its program has locked is waited for, ms: the whole process waits. */
const BUSY_MS = 500
const HEADER_BYTES = 20
const MAGIC = 'SQLite format 3\0'
/** The byte of the header that says whether there is a write-ahead log, and what it then is. */
const READ_VERSION = 19
const WITH_LOG = 2
/** What SQLite's result codes mean, without their extensions (the lowest byte). */
const BUSY = [5, 6]
const DAMAGED = [11, 26]

/**
 * Gives the database to `read`, as it is at one moment, and resolves with what that returns; the file and what lies
 * beside it stay as they are. A closed one that its program begins to change meanwhile is read again, up to 3 times in
 * all; the third outcome stands even if mixed. Rejects with a CairnError: `invalid-input` (no database), `read-failed`
 * (damaged, locked for longer than `BUSY_MS`, any other error of SQLite), `unsupported` (Node without SQLite);
 * otherwise with what `read` or the system throws, as for a missing file.
 */
export const readDatabaseFile = async <T>(path: string, read: (database: DatabaseSnapshot) => T): Promise<T> => {
  const { DatabaseSync: Database } = await loadSqlite(path)
  /**
   * What `read` makes of the database in a file, opened with these options of SQLite (`query`), read-only, and closed
   * again. Throws what `read` or SQLite throws.
   */
  const readAt = (file: string, query: string): T => {
    const database = new Database(`${pathToFileURL(file).href}?${query}`, { readOnly: true })
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA query_only = 1; PRAGMA trusted_schema = 0; BEGIN`)
      return read(snapshotOf((sql) => database.prepare(sql)))
    } finally {
      database.close()
    }
  }
  try {
    for (let attempt = 1; ; attempt++) {
      const way = await wayToRead(path)
      if (way === 'shared') return readAt(path, 'mode=ro')
      if (way === 'copy') return await withCopy(path, (copy) => readAt(copy, 'mode=ro'))
      const before = await stampOf(path)
      const outcome = attemptOf(() => readAt(path, 'immutable=1'))
      // Its program began to write into it: what was read may be a mixture.
      const isChanged = before !== (await stampOf(path)) || (await wayToRead(path)) !== 'unchanging'
      if (isChanged && attempt < ATTEMPTS) continue
      return outcome()
    }
  } catch (cause) {
    throw explained(path, cause)
  }
}

/**
 * Loads Node's SQLite without its warning, which is of no use to users.
 * @param path the database, for the error's message only
 * @throws CairnError `unsupported` if this Node has none
 */
const loadSqlite = async (path: string) => {
  const emit = process.emitWarning.bind(process)
  // Others pass, so that it does no harm where two loads overlap and one puts back what the other had set.
  process.emitWarning = ((...warning: Parameters<typeof emit>) => {
    if (!String(warning[0]).includes('SQLite')) emit(...warning)
  }) as typeof process.emitWarning
  try {
    return await import('node:sqlite')
  } catch (cause) {
    throw new CairnError(
      'unsupported',
      `${path}: it is a database, and this program's Node (${process.versions.node}) brings no SQLite; cairn import can read it`,
      { cause },
    )
  } finally {
    process.emitWarning = emit
  }
}

/**
 * Runs `action` at once. The function that is returned gives its result, or throws its error, as often as it is called.
 */
const attemptOf = <T>(action: () => T): (() => T) => {
  try {
    const value = action()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/**
 * How to read a database by the files beside it. `shared`: in place, its program has it open, or it keeps no
 * write-ahead log; `unchanging`: in place, its log is missing or empty; `copy`: its log was left behind. Rejects as
 * `hasLog`.
 */
const wayToRead = async (path: string): Promise<'shared' | 'unchanging' | 'copy'> => {
  if (!(await hasLog(path))) return 'shared'
  const [log, index] = await Promise.all([bytesOf(`${path}-wal`), bytesOf(`${path}-shm`)])
  if (log === undefined || log === 0) return 'unchanging'
  return index === undefined ? 'copy' : 'shared'
}

/**
 * Whether the database keeps a write-ahead log, by its header. Rejects with `invalid-input` for a file that is no
 * SQLite database, also an empty one, and with the system's error where it can't be read.
 */
const hasLog = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
    if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC)
      throw new CairnError('invalid-input', `${path}: not a SQLite database`)
    return header[READ_VERSION] === WITH_LOG
  } finally {
    await file.close()
  }
}

/** The size of a file in bytes; undefined if it is missing or can't be looked at. */
const bytesOf = async (path: string): Promise<number | undefined> => {
  try {
    return (await stat(path)).size
  } catch {
    return undefined
  }
}

/** A text that changes when a file does. Rejects where it is not there. */
const stampOf = async (path: string): Promise<string> => {
  const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

/**
 * Reads a copy of a database with its log, in a temporary folder that is removed afterwards, also after an error.
 * Rejects where one of the two files can't be copied, and as `read` throws.
 */
const withCopy = async <T>(path: string, read: (copy: string) => T): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-database-'))
  try {
    const copy = join(folder, 'copy.db')
    await copyFile(path, copy)
    await copyFile(`${path}-wal`, `${copy}-wal`)
    return read(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Gives all rows of an SQL text with its parameters, in SQLite's order; the same text is prepared once. Values are as
 * `plainRow` makes them. Throws SQLite's error.
 */
const snapshotOf = (prepare: (sql: string) => StatementSync): DatabaseSnapshot => {
  const statements = new Map<string, StatementSync>()
  /** The statement of an SQL text, prepared at its first use; whole numbers come as bigints. */
  const statementOf = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = prepare(sql)
    // Else a number beyond 2^53 fails the whole statement.
    statement.setReadBigInts(true)
    statements.set(sql, statement)
    return statement
  }
  return {
    rows: (sql, parameters = []) => Array.from(statementOf(sql).iterate(...parameters), plainRow),
  }
}

/**
 * A row with numbers and texts only; anything else, such as bytes, is null. Whole numbers beyond 2^53 are not exact.
 */
const plainRow = (row: Readonly<Record<string, unknown>>): DatabaseRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : typeof value === 'string' || typeof value === 'number' ? value : null,
    ]),
  )

/**
 * The error to throw for one that came up: SQLite's own as a `read-failed` with a sentence; a CairnError, and any error
 * without SQLite's code, as it is.
 */
const explained = (path: string, cause: unknown): unknown => {
  const code = resultCode(cause)
  if (code === undefined || CairnError.is(cause)) return cause
  if (BUSY.includes(code))
    return new CairnError('read-failed', `${path}: locked by another program; it is read at the next import`, { cause })
  if (DAMAGED.includes(code))
    return new CairnError('read-failed', `${path}: the database is damaged and can't be read`, { cause })
  return new CairnError('read-failed', `${path}: the database could not be read: ${messageOf(cause)}`, { cause })
}

/** SQLite's primary result code of an error; undefined for errors of others. */
const resultCode = (cause: unknown): number | undefined => {
  if (typeof cause !== 'object' || cause === null || !('errcode' in cause) || typeof cause.errcode !== 'number')
    return undefined
  return cause.errcode & 0xff
}
