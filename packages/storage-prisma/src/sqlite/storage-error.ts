/** What goes wrong with a SQLite file, in sentences; SQLite's own codes stay in the cause. */
import { StorageError, messageOf } from '@cairn/core'
import { codeOf } from '../sql/error-code.ts'

/** @param reason what was found, as a part of the sentence */
export const damaged = (path: string, reason: string, cause?: unknown): StorageError =>
  new StorageError('storage-corrupt', `The store ${path} is damaged (${reason}); it was left as it is. Import again into another store (--store, or cairn.store in VS Code) from the transcripts that are still there, or restore a copy.`, { cause })

/** Anything thrown, as a StorageError where SQLite threw it. */
export const asStorageError = (thrown: unknown, path: string): unknown => {
  const code = codeOf(thrown)
  if (!code.startsWith('SQLITE_')) return thrown
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return damaged(path, messageOf(thrown), thrown)
  if (code.startsWith('SQLITE_READONLY')) {
    return new StorageError('storage-unavailable', `The store ${path} can't be used where it is: it, or its folder, is read-only for this user, and SQLite must be able to write beside it even for reading. Nothing was changed; copy it to a folder of your own and name the copy as your store (--store, or cairn.store in VS Code).`, { cause: thrown })
  }
  if (code.startsWith('SQLITE_FULL')) {
    return new StorageError('storage-failed', `The disk that holds ${path} is full; what was acknowledged before is kept.`, { cause: thrown })
  }
  return new StorageError('storage-failed', `The store ${path} could not do it: ${messageOf(thrown)}.`, { cause: thrown })
}
