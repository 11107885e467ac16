/** Opens SQLite connections with the settings that the store relies on. */
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Database, Statement } from 'better-sqlite3'
import { StorageError, messageOf } from '@cairn/core'
import { makeFolder, systemReason } from '@cairn/core/node'
import type { SqlValue } from '../sql/database.ts'
import { ELSEWHERE, notOpened } from './storage-error.ts'

/** A connection with its prepared statements. */
export class Connection {
  readonly database: Database
  readonly #statements = new Map<string, Statement<SqlValue[]>>()

  constructor(database: Database) {
    this.database = database
  }

  /** The prepared statement of an SQL text, made at the first call. Throws what SQLite says of a wrong one. */
  statement(sql: string): Statement<SqlValue[]> {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.database.prepare<SqlValue[]>(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Closes the connection; its statements can't be used any more. */
  close(): void {
    this.#statements.clear()
    this.database.close()
  }
}

/** Opens a file; throws a StorageError where it can't be. It never waits for locks. */
const open = (path: string, options: Sqlite.Options): Database => {
  try {
    return new Sqlite(path, { timeout: 0, ...options })
  } catch (error) {
    throw notOpened(path, error)
  }
}

/**
 * Opens a connection for writing; makes the folder (0700) and the file where they are missing. Throws
 * `storage-unavailable` where they can't be made or opened.
 */
export const openWriter = (path: string): Connection => {
  try {
    makeFolder(dirname(path), 0o700)
  } catch (error) {
    throw new StorageError(
      'storage-unavailable',
      `The store's folder ${dirname(path)} can't be made: ${systemReason(error) ?? messageOf(error)}; ${ELSEWHERE}.`,
      { cause: error },
    )
  }
  return new Connection(open(path, {}))
}

/**
 * Sets page size, cache, checkpoints and secure deletion for a connection that writes; the write-ahead log is switched on
 * later, once the store's version is known. This is the first access to the file. @throws SQLite's own error for a file that
 * is no database or is busy; the caller makes a sentence of it.
 */
export const configureWriter = ({ database }: Connection): void => {
  // Takes effect only for an empty file. Larger pages suit the compressed packs.
  database.pragma('page_size = 8192')
  database.pragma('cache_size = -32768')
  database.pragma('wal_autocheckpoint = 4000')
  // Deleted content is overwritten.
  database.pragma('secure_delete = ON')
}

/**
 * Opens a connection for reading beside the writer; it never blocks it and never sees half a transaction. Throws where
 * the file is missing or can't be opened.
 */
export const openReader = (path: string, cacheKib = 16_384): Connection => {
  const database = open(path, { readonly: true, fileMustExist: true })
  try {
    database.pragma(`cache_size = -${cacheKib}`)
  } catch (error) {
    // One that stays open would keep others from the file.
    database.close()
    throw error
  }
  return new Connection(database)
}
