/**
 * Reading a store that can't be written: on a read-only disk, or in a folder of another user. SQLite needs a file
 * beside a store in WAL mode even for reading; where it can't create one, and the WAL is empty, the store is read from
 * a copy in memory.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StorageError, messageOf } from '@cairn/core'
import { Connection, openReader } from './connection.ts'

export interface ReadOnly {
  readonly connection: Connection
  /** In memory: changes by others are not seen. */
  readonly isCopy: boolean
}

/** The largest copy in memory, bytes. */
const LARGEST_COPY = 1 << 30
/** Offsets in a database's header of its journal mode: 2 for WAL, 1 for a rollback journal. */
const JOURNAL_MODE_OFFSETS = [18, 19] as const

/** Whether a file may be written. False also if it is not there. */
const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Opens a store that this user may read and not write, where it can't be opened as usual; `isCopy` where it was read
 * into memory. Undefined where the store is missing, can be written, or can't be read either: then opening it reports
 * what is wrong.
 * @throws StorageError where there are pending changes that can't be read
 */
export const openReadOnly = (path: string): ReadOnly | undefined => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true || (isWritable(path) && isWritable(dirname(path))))
    return undefined
  try {
    const connection = openReader(path)
    try {
      connection.database.prepare('SELECT 1 FROM sqlite_master').get()
      return { connection, isCopy: false }
    } catch {
      connection.close()
    }
  } catch {
    // The file beside it could not be created.
  }
  const copy = loadIntoMemory(path)
  if (copy !== undefined) return { connection: new Connection(copy), isCopy: true }
  if (!isWaiting(path)) return undefined
  throw new StorageError(
    'storage-unavailable',
    `The store ${path} can't be read where it is: its folder is read-only for this user, and changes wait in ${path}-wal, which SQLite must be able to take up. Nothing was changed; copy both files to a folder of your own and name the copy as your store (--store, or cairn.store in VS Code).`,
  )
}

/** Opens a store that is to be read alone. @throws StorageError where there is none, or it can't be read */
export const openToReadAlone = (path: string): ReadOnly => {
  const needed = openReadOnly(path)
  if (needed !== undefined) return needed
  try {
    return { connection: openReader(path), isCopy: false }
  } catch (cause) {
    throw new StorageError(
      'storage-unavailable',
      `The store ${path} can't be opened for reading: ${messageOf(cause)}.`,
      {
        cause,
      },
    )
  }
}

/**
 * The store as it is in its file; undefined while changes are pending beside it, or where it is too large or
 * unreadable. Never throws.
 */
export const loadIntoMemory = (path: string): Sqlite.Database | undefined => {
  try {
    const before = statSync(path)
    if (before.size === 0 || before.size > LARGEST_COPY || isWaiting(path)) return undefined
    const bytes = readFileSync(path)
    const after = statSync(path)
    // A process that may write did so meanwhile.
    if (after.mtimeMs !== before.mtimeMs || after.size !== before.size || isWaiting(path)) return undefined
    for (const offset of JOURNAL_MODE_OFFSETS) bytes[offset] = 1
    return new Sqlite(bytes, { readonly: true })
  } catch {
    return undefined
  }
}

/** Whether there are changes that are not yet in the file itself. */
const isWaiting = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Makes (does not throw) the `storage-unavailable` error that every write on a store that is only read rejects with. */
export const readOnlyError = (path: string): StorageError =>
  new StorageError(
    'storage-unavailable',
    `The store ${path} can be read but not changed: it, or its folder, is read-only for this user, or it was opened for reading alone. Nothing was changed.`,
  )
