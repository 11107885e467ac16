/** Errors of a SQLite file as sentences; SQLite's own codes stay in the cause. */
import { constants, accessSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { StorageError, messageOf } from '@cairn/core'
import { damagedStore } from '../sql/damaged.ts'
import { errorCode } from '../sql/error-code.ts'

/** Advice for every path that can't hold a store. */
export const ELSEWHERE = 'name a file in a folder of your own (--store, or cairn.store in VS Code)'

/**
 * Whether this process may access a path in this way (`R_OK`, `W_OK`, `X_OK` of `fs.constants`, or several). False for
 * whatever fails, a missing path too. Never throws.
 */
const may = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** What is at the path, links followed; undefined if nothing is, or if it can't be looked at. Never throws. */
const factsOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The longest part of SQLite's message in a sentence, in UTF-16 units. */
const LONGEST_REASON = 120

/** SQLite's messages are ASCII; anything else is content of the file. */
const CONTENT = /[^\x20-\x7e]/
/** A parenthesis or quotation that the content stood in. */
const OPENED = /[\s:]*[("'][^("']*$/

/**
 * SQLite's message as a part of a sentence, without what it repeats of a damaged schema: any bytes, line feeds too.
 * Never empty.
 */
export const reasonOf = (thrown: unknown): string => {
  const message = messageOf(thrown)
  const start = message.search(CONTENT)
  const words = start < 0 ? message : message.slice(0, start).replace(OPENED, '')
  return words.slice(0, LONGEST_REASON).trim() || 'SQLite names no reason'
}

/**
 * Makes (does not throw) the `storage-unavailable` error for a file that SQLite could not open, with the reason, which
 * SQLite itself does not know.
 */
export const notOpened = (path: string, cause: unknown): StorageError => {
  const found = factsOf(path)
  const folder = dirname(path)
  const reason =
    found?.isDirectory() === true
      ? `it is a folder; name a file in it, such as file:${join(path, 'cairn.db')}`
      : found !== undefined && !found.isFile()
        ? `it is no ordinary file; ${ELSEWHERE}`
        : found !== undefined && !may(path, constants.R_OK)
          ? `this user may not read it; change its rights, or ${ELSEWHERE}`
          : !may(folder, constants.W_OK | constants.X_OK)
            ? `this user may not write in the folder ${folder}; change its rights, or ${ELSEWHERE}`
            : found === undefined
              ? `the system lets no database be made in ${folder} (${reasonOf(cause)}); ${ELSEWHERE}`
              : `${reasonOf(cause)}; ${ELSEWHERE}`
  return new StorageError('storage-unavailable', `The store ${path} can't be opened: ${reason}.`, { cause })
}

/** Makes the error of a file of another kind, named by mistake; or of a store whose first bytes were overwritten. */
const notStore = (path: string, cause: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    `The file ${path} is no store, or one that is damaged at its beginning (${reasonOf(cause)}); it was left as it is. Name the file of a store, or import again into a new one (--store, or cairn.store in VS Code); of a damaged one restore a copy (cairn restore-backup latest), or what can be read of it: cairn doctor --repair.`,
    { cause },
  )

const OTHER_SCHEMA =
  /^no such (column|table|index|collation|function)|has no column named|^duplicate column name|^(table|index) .* already exists|malformed database schema|^unsupported file format/

/**
 * Returns (does not throw) what SQLite threw as a StorageError: `storage-corrupt` for a damaged file, one that is no
 * store or has another schema, `storage-unavailable` for one that is read-only or was replaced, else `storage-failed`.
 * Anything that SQLite did not throw is returned as it is.
 */
export const asStorageError = (thrown: unknown, path: string): unknown => {
  const code = errorCode(thrown)
  if (!code.startsWith('SQLITE_')) return thrown
  // The statements never change: what they don't find existed once, and so did a schema of a format that SQLite knows.
  const isOtherSchema = code === 'SQLITE_ERROR' && OTHER_SCHEMA.test(messageOf(thrown))
  if (code === 'SQLITE_NOTADB') return notStore(path, thrown)
  if (code.startsWith('SQLITE_CORRUPT') || isOtherSchema) return damagedStore(path, reasonOf(thrown), thrown)
  if (code === 'SQLITE_READONLY_DBMOVED')
    return new StorageError(
      'storage-unavailable',
      `The store ${path} was removed or replaced while it was in use; nothing was changed. Do it again.`,
      { cause: thrown },
    )
  if (code.startsWith('SQLITE_READONLY')) {
    return new StorageError(
      'storage-unavailable',
      `The store ${path} can't be used where it is: it, or its folder, is read-only for this user, and SQLite must be able to write beside it even for reading. Nothing was changed; copy it to a folder of your own and name the copy as your store (--store, or cairn.store in VS Code).`,
      { cause: thrown },
    )
  }
  if (code.startsWith('SQLITE_FULL')) {
    return new StorageError(
      'storage-failed',
      `The disk that holds ${path} is full; what was acknowledged before is kept. Free some space on it, then do it again.`,
      { cause: thrown },
    )
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new StorageError(
      'storage-failed',
      `The disk that holds ${path} can't be read or written (${reasonOf(thrown)}): it may be full, or failing; what was acknowledged before is kept. Free some space on it, then do it again.`,
      { cause: thrown },
    )
  }
  return new StorageError(
    'storage-failed',
    `The store ${path} could not do it: ${reasonOf(thrown)}; nothing of it was written. Try again; cairn doctor says whether the store is sound.`,
    { cause: thrown },
  )
}
