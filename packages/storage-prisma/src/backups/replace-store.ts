/**
 * Puts another file in a store's place. The path always leads to a whole store, whenever the process is killed: the present
 * one gets a second name first, then the new one is renamed over it.
 */
import { copyFileSync, existsSync, linkSync, readlinkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StorageError, backupName } from '@cairn/core'
import { codeOf, makeFolder, renameOver } from '@cairn/core/node'
import { errorCode } from '../sql/error-code.ts'
import { asStorageError } from '../sqlite/storage-error.ts'
import { backupFolder, syncFile, syncFolderOf } from './backup-folder.ts'

/** How long other programs may take to let go of the store, ms. */
const PATIENCE_MS = 3_000

/** The file that a store's path leads to, which may not be there yet: a link to it stays a link. */
export const linkedFile = (storePath: string): string => {
  try {
    return realpathSync(storePath)
  } catch {
    // Nothing is there, or a link to nothing.
  }
  try {
    return resolve(dirname(storePath), readlinkSync(storePath))
  } catch {
    return storePath
  }
}

/**
 * Renames `fresh`, which lies in the folder of the store's file, to that file. Returns where the store that was there
 * is now, under a name of its own among its backups; undefined where there was none. Throws `storage-busy` while
 * another program has it open: then nothing is changed.
 */
export const replaceStore = (storePath: string, fresh: string): string | undefined => {
  syncFile(fresh)
  const file = linkedFile(storePath)
  const journals = copyJournals(file)
  let lock: Sqlite.Database | undefined
  try {
    lock = lockAlone(storePath)
    const aside = existsSync(file) ? keepAside(storePath, file) : undefined
    // Of a store that could be opened all is in its one file.
    if (lock === undefined && journals.length > 0) {
      // A journal may be all that is left of a store.
      const kept = aside ?? join(backupFolder(storePath), backupName(Date.now(), 'replaced'))
      for (const { copy, ending } of journals) renameSync(copy, kept + ending)
    }
    // One that stayed would be taken for the new store's.
    for (const ending of ['-wal', '-journal', '-shm']) rmSync(file + ending, { force: true })
    renameOver(fresh, file)
    syncFolderOf(file)
    return aside
  } finally {
    lock?.close()
    for (const { copy } of journals) rmSync(copy, { force: true })
  }
}

interface JournalCopy {
  readonly ending: string
  readonly copy: string
}

/**
 * Copies the journals beside the store (`-wal`, `-journal`) that are not empty to files with `.kept` behind their
 * names, before SQLite looks at them: one that makes no sense to it, it removes. Returns the copies.
 */
const copyJournals = (storePath: string): readonly JournalCopy[] =>
  ['-wal', '-journal'].flatMap((ending) => {
    if ((statSync(storePath + ending, { throwIfNoEntry: false })?.size ?? 0) === 0) return []
    const copy = `${storePath}${ending}.kept`
    copyFileSync(storePath + ending, copy)
    return [{ ending, copy }]
  })

/**
 * Holds the store so that nobody else can read or write it, with all of it in its one file. Undefined where there is none,
 * or none that SQLite can open. Throws `storage-busy` where another program has it open.
 */
const lockAlone = (storePath: string): Sqlite.Database | undefined => {
  if (!existsSync(storePath)) return undefined
  let database: Sqlite.Database | undefined
  try {
    database = new Sqlite(storePath, { fileMustExist: true, timeout: PATIENCE_MS })
    database.pragma('locking_mode = EXCLUSIVE')
    // Only who is alone may leave the write-ahead log, and what is in it goes into the file.
    const mode: unknown = database.pragma('journal_mode = DELETE', { simple: true })
    if (mode !== 'delete') throw inUse(storePath)
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    if (errorCode(error).startsWith('SQLITE_BUSY')) throw inUse(storePath, error)
    const known = asStorageError(error, storePath)
    if (known instanceof StorageError && known.code === 'storage-corrupt') return undefined
    throw known
  }
}

/** The error (made, not thrown) for a store that another program has open. */
const inUse = (storePath: string, cause?: unknown): StorageError =>
  new StorageError(
    'storage-busy',
    `Another program has the store ${storePath} open, such as cairn watch, the dashboard, VS Code or an agent's MCP server; nothing was changed. End it, then do it again.`,
    { cause },
  )

/**
 * Gives the store's file a second name among its backups, or copies it there where the file system has no links; returns
 * the path. The file itself stays.
 */
const keepAside = (storePath: string, file: string): string => {
  const folder = backupFolder(storePath)
  makeFolder(folder, 0o700)
  for (let at = Date.now(); ; at += 1) {
    const aside = join(folder, backupName(at, 'replaced'))
    try {
      linkSync(file, aside)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      // Not every file system has links.
      copyFileSync(file, aside)
      syncFile(aside)
    }
    syncFolderOf(aside)
    return aside
  }
}
