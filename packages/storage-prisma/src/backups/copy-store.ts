/**
 * A copy of a SQLite store as one file: made by `VACUUM INTO`, which other connections' writes do not disturb, checked,
 * synced to the disk, and only then given its name.
 */
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StorageError } from '@cairn/core'
import { codeOf, makeFolder } from '@cairn/core/node'
import { tables } from '../sql/schema.ts'
import { asStorageError } from '../sqlite/storage-error.ts'
import { UNFINISHED, assertSpace, syncFile, syncFolderOf } from './backup-folder.ts'
import { runInThread } from './database-thread.ts'

/** Bytes that are copied, of those that the copy will have at most. */
interface CopyProgress {
  readonly phase: 'copying' | 'checking'
  readonly done: number
  readonly total: number
}

export interface CopyOptions {
  /** The store's file. */
  readonly source: string
  /** Where the copy is to be. */
  readonly folder: string
  /**
   * Names the copy, a file in that folder that is not there yet. It may prove more of it before, and rejects where it is not
   * good.
   */
  readonly nameFor: (copy: string) => Promise<string>
  /** Begins the sentence where space is missing: "A backup". */
  readonly what: string
  /** Nobody writes the store meanwhile: each table of the copy must have as many rows. */
  readonly isStill?: boolean
  readonly onProgress?: (progress: CopyProgress) => void
}

/** Of copies that this process has made. */
let count = 0
/** Time between two looks at how large the copy is, ms. */
const LOOK_MS = 100

/**
 * Copies a store to the path that `nameFor` resolves to, readable for its user alone, and syncs it; makes the folder.
 * Rejects with a `StorageError` where the store is damaged, space is missing, the name is taken, or the copy is not
 * what the store is, and as `nameFor` and the file system do; then there is no copy.
 */
export const copyStore = async (options: CopyOptions): Promise<{ readonly path: string; readonly bytes: number }> => {
  const { source, folder, nameFor, onProgress } = options
  makeFolder(folder, 0o700)
  const size = usedBytes(source)
  assertSpace(folder, size, options.what)
  const fresh = join(folder, `${basename(source)}.${process.pid}.${(count += 1)}${UNFINISHED}`)
  rmSync(fresh, { force: true })
  try {
    // An empty file is taken for the copy's; made here, only its user can read it.
    closeSync(openSync(fresh, 'wx', 0o600))
    await vacuumInto(source, fresh, size, onProgress)
    onProgress?.({ phase: 'checking', done: 0, total: size })
    await assertIntact(fresh)
    if (options.isStill === true) assertSameCounts(source, fresh)
    const path = await nameFor(fresh)
    syncFile(fresh)
    nameFinally(fresh, path)
    return { path, bytes: statSync(path).size }
  } catch (error) {
    throw asStorageError(error, source)
  } finally {
    for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(fresh + ending, { force: true })
  }
}

/**
 * The bytes of the pages that are in use.
 * @throws StorageError if the file can't be read
 */
const usedBytes = (path: string): number => {
  const database = opened(path)
  try {
    const pragma = (name: string): number => Number(database.pragma(name, { simple: true }))
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
  } catch (error) {
    throw asStorageError(error, path)
  } finally {
    database.close()
  }
}

/** Opens a file for reading; throws a StorageError where it can't be. */
const opened = (path: string): Sqlite.Database => {
  try {
    return new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 0 })
  } catch (error) {
    throw asStorageError(error, path)
  }
}

/**
 * Copies a store into a new file, and tells how far it is. Rejects as SQLite does. `fresh` must not be there; sizes in
 * bytes.
 */
const vacuumInto = async (
  source: string,
  fresh: string,
  total: number,
  onProgress: CopyOptions['onProgress'],
): Promise<void> => {
  const look = setInterval(() => {
    const done = statSync(fresh, { throwIfNoEntry: false })?.size ?? 0
    onProgress?.({ phase: 'copying', done: Math.min(done, total), total })
  }, LOOK_MS)
  try {
    await runInThread(source, ['VACUUM INTO ?'], [fresh])
  } finally {
    clearInterval(look)
  }
}

/**
 * Rejects with `storage-corrupt` where SQLite finds a fault in a file; the first one is named. Reads all of it, in a
 * thread.
 */
export const assertIntact = async (path: string): Promise<void> => {
  const [rows = []] = await runInThread(path, ['PRAGMA integrity_check'])
  const fault = rows.map((row) => (row as { integrity_check: string }).integrity_check).find((text) => text !== 'ok')
  if (fault !== undefined)
    throw new StorageError(
      'storage-corrupt',
      `The copy of the store is not sound (${fault.split('\n')[0] ?? ''}); it was not kept.`,
    )
}

/**
 * Rows of each table of this version that the file has, by name; older stores lack some. Throws a `StorageError` where
 * one can't be read.
 */
export const rowCounts = (path: string): ReadonlyMap<string, number> => {
  const database = opened(path)
  try {
    const there = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
    return new Map(
      Object.values(tables)
        .filter(({ name }) => there.includes(name))
        .map(({ name }) => [name, Number(database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())]),
    )
  } catch (error) {
    throw asStorageError(error, path)
  } finally {
    database.close()
  }
}

/** Throws `storage-failed` where a copy has another number of rows in any table. */
const assertSameCounts = (source: string, copy: string): void => {
  const copied = rowCounts(copy)
  for (const [name, count] of rowCounts(source))
    if (copied.get(name) !== count)
      throw new StorageError(
        'storage-failed',
        `The copy of the store ${source} has ${copied.get(name) ?? 0} rows of ${name} instead of ${count}; it was not kept. Try again; cairn doctor says whether the store is sound.`,
      )
}

/**
 * Gives a finished copy its name, and waits until that is on disk.
 * @throws StorageError `storage-failed` if there is a file of that name, which stays
 */
const nameFinally = (fresh: string, target: string): void => {
  try {
    linkSync(fresh, target)
    rmSync(fresh)
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new StorageError(
        'storage-failed',
        `There is a file ${target} already; it was left as it is. Name another one.`,
        { cause: error },
      )
    if (statSync(target, { throwIfNoEntry: false }) !== undefined) throw error
    // Not every file system has links.
    renameSync(fresh, target)
  }
  syncFolderOf(target)
}
