/** Whether a file can be put in a store's place: a store, of a version that is known, and all of it as it was written. */
import { CairnError, StorageError } from '@cairn/core'
import { migrations } from '../generated/sqlite/migrations.ts'
import { isUpToDate } from '../migrations/apply.ts'
import { openReader } from '../sqlite/connection.ts'
import type { Connection } from '../sqlite/connection.ts'
import { finishedMigrations } from '../sqlite/migration-target.ts'
import { asStorageError, reasonOf } from '../sqlite/storage-error.ts'
import { assertIntact } from './copy-store.ts'
import { proveContent } from './prove-content.ts'

/**
 * Whether a backup is a store of this version; false for an older one. Throws `storage-newer`, `storage-unavailable`
 * for one of another build, and `storage-corrupt` for a file that is no store.
 */
export const isCurrent = (path: string): boolean => {
  let connection: Connection | undefined
  try {
    connection = openReader(path)
    const finished = finishedMigrations(connection.database)
    if (finished === undefined) throw noBackup(path, 'it has none of its tables')
    return isUpToDate(path, finished, migrations)
  } catch (error) {
    const known = asStorageError(error, path)
    if (known === error || !CairnError.is(known) || known.code !== 'storage-corrupt') throw known
    throw noBackup(path, reasonOf(error), error)
  } finally {
    connection?.close()
  }
}

/** The error (made, not thrown) for a file that is no store. */
const noBackup = (path: string, reason: string, cause?: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    `The file ${path} is no store of Cairn, or damaged at its beginning (${reason}); nothing was changed. Take a backup that cairn backup --list names.`,
    { cause },
  )

/**
 * The state of a backup; never rejects. `sound`: proven from end to end, or, in the tables of an older version, only as a
 * file of SQLite's. `damaged`: a store, of which parts can be read. `useless`: none, or of a newer version.
 */
export const backupState = async (path: string): Promise<'sound' | 'damaged' | 'useless'> => {
  let isKnown: boolean
  try {
    isKnown = isCurrent(path)
  } catch {
    return 'useless'
  }
  try {
    await assertIntact(path)
    // The checks know this version's tables.
    return !isKnown || (await proveContent(path)).faults.length === 0 ? 'sound' : 'damaged'
  } catch {
    return 'damaged'
  }
}
