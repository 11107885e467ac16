/** A backup in the store's place: looked at first, copied, proven, then exchanged; the present store is kept. */
import { chmodSync, constants, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { CairnError, StorageError, latestBackup, parseBackupName } from '@cairn/core'
import { openStore } from '../open-store.ts'
import { notOpened } from '../sqlite/storage-error.ts'
import { assertSpace, backupFolder, listBackups } from './backup-folder.ts'
import { isCurrent } from './backup-state.ts'
import { withLease } from './back-up-store.ts'
import type { BackupProgress } from './back-up-store.ts'
import { newerThan } from './compare-stores.ts'
import type { Newer } from './compare-stores.ts'
import { assertIntact } from './copy-store.ts'
import { proveContent } from './prove-content.ts'
import { linkedFile, replaceStore } from './replace-store.ts'

/** What a restore would do. */
export interface RestorePlan {
  /** The backup's file, absolute. */
  readonly from: string
  /** When it was made, ms since the epoch. */
  readonly at: number
  readonly bytes: number
  /** `unreadable`: what is in it beyond the backup is not known. */
  readonly present: 'missing' | 'readable' | 'unreadable'
  /** What the store holds that the backup lacks; undefined unless it can be read. */
  readonly newer: Newer | undefined
}

/**
 * The path of the backup that a user means: `latest` (of those that are neither damaged nor set aside), a path, or the
 * name of one beside the store; a path, relative to `folder`, wins. Throws `not-found`.
 */
export const findBackup = (storePath: string, named: string, folder: string): string => {
  if (named === 'latest') {
    const newest = latestBackup(listBackups(storePath))
    if (newest !== undefined) return newest.path
    throw new CairnError('not-found', `There is no backup of ${storePath} yet; cairn backup makes one.`)
  }
  const found = [resolve(folder, named), join(backupFolder(storePath), named)].find(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  )
  if (found !== undefined) return found
  throw new CairnError('not-found', `There is no backup '${named}'; cairn backup --list names those that are there.`)
}

/**
 * Says what putting a backup in the store's place would change; changes nothing. `at`: when it was made, ms. Throws
 * `storage-newer` for one of a newer version, `storage-corrupt` for a file that is no store, `storage-unavailable`
 * where a folder is in the store's place, and `usage` for the store itself or a file whose journal is not empty.
 */
export const planRestore = (storePath: string, from: string): RestorePlan => {
  const [present, backup] = [statSync(storePath, { throwIfNoEntry: false }), statSync(from)]
  if (present?.isFile() === false) throw notOpened(storePath, undefined)
  if (present?.ino === backup.ino && present.dev === backup.dev)
    throw new CairnError('usage', `${from} is the store itself; name a backup of it.`)
  if ((statSync(`${from}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new CairnError(
      'usage',
      `${from} has changes that wait in ${from}-wal; make a backup of it first (cairn backup --store file:<it> --to <file>), then restore that one.`,
    )
  isCurrent(from)
  const { size, mtimeMs } = backup
  const at = parseBackupName(from.slice(dirname(from).length + 1))?.at ?? mtimeMs
  if (present === undefined) return { from, at, bytes: size, present: 'missing', newer: undefined }
  try {
    return { from, at, bytes: size, present: 'readable', newer: newerThan(storePath, from) }
  } catch {
    return { from, at, bytes: size, present: 'unreadable', newer: undefined }
  }
}

/** Beside the store's file; a killed restore leaves it, and the next one rebuilds it. */
const freshPath = (file: string): string => `${file}.restoring`

/**
 * Puts a copy of a backup in the store's place, once all of it is proven (of an older version only as a file of
 * SQLite's), and then brings it up to date. Resolves with where the former store is kept; undefined where there was
 * none. Rejects, with nothing changed, for a damaged backup, without space, and with `storage-busy` while other
 * programs have the store open, or it is backed up or repaired.
 */
export const restoreBackup = (
  storePath: string,
  { from }: Pick<RestorePlan, 'from'>,
  onProgress: (progress: BackupProgress) => void = () => undefined,
): Promise<string | undefined> =>
  withLease(storePath, async () => {
    const fresh = freshPath(linkedFile(storePath))
    const { size } = statSync(from)
    assertSpace(dirname(fresh), size, 'Restoring this backup')
    rmSync(fresh, { force: true })
    try {
      onProgress({ phase: 'copying', done: 0, total: size })
      await copyFile(from, fresh, constants.COPYFILE_FICLONE)
      chmodSync(fresh, 0o600)
      await assertGood(fresh, from, onProgress, size)
      const aside = replaceStore(storePath, fresh)
      // An older one is brought up to date at once.
      await (await openStore(`file:${storePath}`)).close()
      return aside
    } finally {
      for (const ending of ['', '-wal', '-shm']) rmSync(fresh + ending, { force: true })
    }
  })

/**
 * Rejects with `storage-corrupt` for a copy that is not sound. In a store of an older version only the file is checked.
 */
const assertGood = async (
  copy: string,
  from: string,
  onProgress: (progress: BackupProgress) => void,
  size: number,
): Promise<void> => {
  onProgress({ phase: 'checking', done: 0, total: size })
  try {
    await assertIntact(copy)
  } catch (cause) {
    throw damagedBackup(from, 'SQLite finds faults in it', cause)
  }
  // The checks know this version's tables.
  if (!isCurrent(copy)) return
  const { faults } = await proveContent(copy, (done, total) => onProgress({ phase: 'proving', done, total }))
  const [fault] = faults
  if (fault !== undefined) throw damagedBackup(from, fault)
}

/** The error (made, not thrown) for a backup that is damaged. */
const damagedBackup = (from: string, reason: string, cause?: unknown): StorageError =>
  new StorageError(
    'storage-corrupt',
    `The backup ${from} is damaged (${reason}); nothing was changed. Take another one: cairn backup --list.`,
    { cause },
  )
