/** The folder beside a SQLite store that its backups are kept in: what is there, what may go, whether there is space. */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DEFAULT_RETENTION, StorageError, expiredBackups, parseBackupName, summariseBackups } from '@cairn/core'
import type { BackupSummary, KeptBackup, Retention } from '@cairn/core'
import { isRunning } from '@cairn/core/node'

/** A backup that is there. Whether it is sound is found out by reading it. */
export interface BackupFile extends KeptBackup {
  readonly name: string
  /** Absolute. */
  readonly path: string
}

/** The folder of a store's backups, beside its file; it may not be there yet. */
export const backupFolder = (storePath: string): string => `${storePath}-backups`

/** The backups of a store, newest first; none where there is no folder. Files with other names are left out. */
export const listBackups = (storePath: string): readonly BackupFile[] => {
  const folder = backupFolder(storePath)
  const found = namesIn(folder).flatMap((name): BackupFile[] => {
    const parsed = parseBackupName(name)
    const path = join(folder, name)
    const facts = parsed === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
    return parsed === undefined || facts?.isFile() !== true ? [] : [{ ...parsed, name, path, bytes: facts.size }]
  })
  return found.toSorted((left, right) => right.at - left.at)
}

/**
 * The backups of a store at a glance; null for one on PostgreSQL, which the server's own tools back up. Reads no backup.
 * @param address `file:<path>`, relative to `folder`, or `postgresql://…`
 * @param now ms since the epoch
 */
export const backupsAt = (address: string, folder: string, now: number): BackupSummary | null => {
  if (!address.startsWith('file:')) return null
  const path = resolve(folder, address.slice('file:'.length))
  return summariseBackups(backupFolder(path), listBackups(path), now)
}

/**
 * Removes the backups that retention lets go, and what killed processes left; returns the backups that went, oldest
 * first.
 */
export const pruneBackups = (storePath: string, retention: Retention = DEFAULT_RETENTION): readonly BackupFile[] => {
  const expired = expiredBackups(listBackups(storePath), retention)
  for (const { path } of expired) rmSync(path, { force: true })
  removeUnfinished(storePath)
  return expired
}

/** Copies that are still being made have this ending; nobody takes them for backups. */
export const UNFINISHED = '.tmp'
/** A copy that nobody has written to for so long is left over, even if another program has its process's id by now, ms. */
const UNFINISHED_STALE_MS = 60 * 60_000

/** What follows the store's name in that of an unfinished copy: process, number, and SQLite's own files of it. */
const UNFINISHED_REST = /^\.(\d+)\.\d+\.tmp(?:-journal|-wal|-shm)?$/

/**
 * Removes unfinished copies of this store whose process has ended, or that nobody has written to for long. Other files
 * of the folder are the user's, whatever they are called, and stay. Nothing without the folder.
 */
const removeUnfinished = (storePath: string): void => {
  const [folder, own] = [backupFolder(storePath), basename(storePath)]
  for (const name of namesIn(folder)) {
    const owner = name.startsWith(own) ? UNFINISHED_REST.exec(name.slice(own.length))?.[1] : undefined
    if (owner === undefined) continue
    const path = join(folder, name)
    const modifiedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (modifiedAt === undefined) continue
    const isLeft = !isRunning(Number(owner)) || Date.now() - modifiedAt > UNFINISHED_STALE_MS
    if (isLeft) rmSync(path, { force: true })
  }
}

/** The names in a folder; none where it can't be read. In no particular order. */
const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A copy may be a little larger than the pages that are in use. */
const MARGIN = 1.05
const MEGABYTE = 1_000_000

/**
 * Throws a `StorageError` with a sentence where the disk of a folder has less space than a copy of `bytes` needs; `why`
 * begins it. Passes where the free space can't be told.
 */
export const assertSpace = (folder: string, bytes: number, why: string): void => {
  const free = freeBytes(folder)
  const needed = Math.ceil(bytes * MARGIN) + MEGABYTE
  if (free === undefined || free >= needed) return
  throw new StorageError(
    'storage-failed',
    `${why} needs ${megabytes(needed)} on the disk of ${folder}, which has ${megabytes(free)} left; nothing was changed. Free some space on it, then do it again.`,
  )
}

/** A size in MB, rounded up. */
const megabytes = (bytes: number): string => `${Math.ceil(bytes / MEGABYTE)} MB`

/** The free bytes on a folder's disk; undefined where the system does not tell. */
const freeBytes = (folder: string): number | undefined => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/**
 * Waits, blocking, until a file's content is on the disk. Throws what the system says, for a file that is not there
 * too.
 */
export const syncFile = (path: string): void => {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Waits until names in a file's folder are on the disk; does nothing where the system can't. */
export const syncFolderOf = (path: string): void => {
  try {
    const folder = openSync(dirname(path), 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Windows opens no folders.
  }
}
