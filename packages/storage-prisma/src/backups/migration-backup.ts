/** The backup that is kept before a store is brought up to date. */
import { join } from 'node:path'
import { CairnError, StorageError, backupName } from '@cairn/core'
import { backupFolder, pruneBackups } from './backup-folder.ts'
import { copyStore } from './copy-store.ts'

/**
 * Keeps a store as it is; nobody may write it meanwhile. Of such backups only the newest stay. Rejects with a
 * `StorageError` where it can't be kept.
 * @param migration the first that is to be applied
 */
export const backUpForMigration = async (storePath: string, migration: string): Promise<void> => {
  const folder = backupFolder(storePath)
  try {
    await copyStore({
      source: storePath,
      folder,
      nameFor: () => Promise.resolve(join(folder, backupName(Date.now(), 'migration'))),
      what: `The store ${storePath} must be brought up to date, and the backup that is made first`,
      isStill: true,
    })
  } catch (error) {
    if (CairnError.is(error)) throw error
    throw new StorageError(
      'storage-failed',
      `The store ${storePath} must be brought up to date ("${migration}"), but the backup that is made first can't be written to ${folder}; nothing was changed. Make that folder writable, then do it again.`,
      { cause: error },
    )
  }
  pruneBackups(storePath)
}
