/**
 * Puts a damaged SQLite store right: what can be read of it and is what was written goes into a new file, what is missing
 * there comes from the newest good backup, what is derived is rebuilt. The damaged file is kept.
 */
import { rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CairnError, StorageError } from '@cairn/core'
import type { StoreFault } from '@cairn/core'
import { assertSpace, listBackups } from '../backups/backup-folder.ts'
import type { BackupFile } from '../backups/backup-folder.ts'
import { backupState } from '../backups/backup-state.ts'
import { assertStoreThere, withLease } from '../backups/back-up-store.ts'
import { linkedFile, replaceStore } from '../backups/replace-store.ts'
import { openStore } from '../open-store.ts'
import { asStorageError } from '../sqlite/storage-error.ts'
import { gatherRows } from './gather-rows.ts'
import type { Gathered } from './gather-rows.ts'
import { completeLogs } from './complete-logs.ts'
import { SalvageSource } from './salvage-source.ts'

/** What a repair did. */
export interface RepairReport extends Gathered {
  /** Entries of logs that nobody has any more; a notice stands for each of them. */
  readonly lostEntries: number
  /** Sessions in which such a notice stands, or whose last entries are gone. */
  readonly incompleteSessions: readonly string[]
  /** The backup that rows were taken from; null: none was needed, or there is none. */
  readonly backup: { readonly name: string; readonly at: number } | null
  /** Where the damaged store is kept. */
  readonly replaced: string | null
  /** What is still wrong. */
  readonly faults: readonly StoreFault[]
}

const ENDINGS = ['', '-wal', '-shm', '-journal'] as const

/**
 * Repairs a store: brings it up to date, looks at all of it, and puts a new one in its place. Undefined, and no new
 * one, where nothing is wrong but sums or search index, which a rebuild mends. Rejects, with the store as it is, where
 * nothing can be read of it or a backup, without space, while other programs have it open, and with `not-found` for
 * none.
 */
export const repairStore = async (storePath: string): Promise<RepairReport | undefined> => {
  assertStoreThere(storePath)
  if (await isSound(storePath)) return undefined
  return withLease(storePath, async () => {
    const file = linkedFile(storePath)
    const [fresh, copy] = [`${file}.repairing`, `${file}.salvaging`]
    assertSpace(dirname(file), 2 * statSync(file).size, 'A repair')
    const remove = (): void => {
      for (const path of [fresh, copy]) for (const ending of ENDINGS) rmSync(path + ending, { force: true })
    }
    remove()
    try {
      return await repair(storePath, file, fresh, copy)
    } catch (error) {
      throw asStorageError(error, storePath)
    } finally {
      remove()
    }
  })
}

/**
 * Makes a store from what is readable of the old one and of its best backup, checks it, and puts it in the old one's
 * place, which is kept aside. Rejects with `storage-corrupt`, and nothing is changed, if neither can be read.
 * @param file the store's own file, where the path is a link to it
 */
const repair = async (storePath: string, file: string, fresh: string, copy: string): Promise<RepairReport> => {
  await (await openStore(`file:${fresh}`)).close()
  const newest = await bestBackup(storePath)
  const damaged = SalvageSource.open(file, copy, fresh)
  const backup = newest === undefined ? undefined : SalvageSource.open(newest.path, `${copy}-backup`, fresh)
  let found: ReturnType<typeof gatherRows>
  try {
    if (damaged === undefined && backup === undefined)
      throw new StorageError(
        'storage-corrupt',
        `Nothing of the store ${storePath} can be read, and ${listBackups(storePath).length === 0 ? 'there is no backup of it' : 'none of its backups either'}; it was left as it is. Import again into another store (--store) from the transcripts that are still there.`,
      )
    found = gatherRows(fresh, damaged, backup)
  } finally {
    damaged?.close()
    backup?.close()
  }
  const { provenLengths, ...gathered } = found
  const completed = await completeLogs(fresh, provenLengths)
  const store = await openStore(`file:${fresh}`)
  let faults: readonly StoreFault[]
  try {
    await store.rebuild()
    faults = await store.verify()
  } finally {
    await store.close()
  }
  const replaced = replaceStore(storePath, fresh) ?? null
  return {
    ...gathered,
    ...completed,
    backup: gathered.fromBackup === 0 || newest === undefined ? null : { name: newest.name, at: newest.at },
    replaced,
    faults,
  }
}

/**
 * The newest backup that is sound; where none is, the newest that is a store at all, of which the good rows are taken.
 * Those that are called damaged or were set aside are not looked at. Undefined where there is none.
 */
const bestBackup = async (storePath: string): Promise<BackupFile | undefined> => {
  const backups = listBackups(storePath).filter(({ kind }) => kind !== 'damaged' && kind !== 'replaced')
  let second: BackupFile | undefined
  for (const backup of backups) {
    const state = await backupState(backup.path)
    if (state === 'sound') return backup
    if (state === 'damaged') second ??= backup
  }
  return second
}

/**
 * Whether nothing is wrong that making derived tables again would not mend. Opens the store, which applies missing
 * migrations. Throws other faults than damage. An empty file is not sound.
 */
const isSound = async (storePath: string): Promise<boolean> => {
  // To SQLite that is a new store.
  if (statSync(storePath).size === 0) return false
  try {
    const store = await openStore(`file:${storePath}`)
    try {
      return (await store.verify()).every(({ check }) => check === 'usage' || check === 'search')
    } finally {
      await store.close()
    }
  } catch (error) {
    if (CairnError.is(error) && error.code === 'storage-corrupt') return false
    throw error
  }
}
