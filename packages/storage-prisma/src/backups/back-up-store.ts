/** Backups that somebody asks for, or that are made now and then. One at a time for a store. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CairnError, StorageError, backupName, messageOf } from '@cairn/core'
import type { BackupKind } from '@cairn/core'
import { LEASE_RENEWED_MS, createLeaseFile, systemReason } from '@cairn/core/node'
import type { LeaseFile, LeaseOutcome } from '@cairn/core/node'
import { openStore } from '../open-store.ts'
import { tables } from '../sql/schema.ts'
import { assertNotEmptied } from '../sqlite/file-check.ts'
import { backupFolder, pruneBackups } from './backup-folder.ts'
import { copyStore, rowCounts } from './copy-store.ts'
import { proveContent } from './prove-content.ts'
import type { ContentProof } from './prove-content.ts'

/** `done` and `total` in bytes while it is copied, in packs while it is proven. */
export interface BackupProgress {
  readonly phase: 'copying' | 'checking' | 'proving'
  readonly done: number
  readonly total: number
}

export interface BackupOptions {
  readonly kind: Extract<BackupKind, 'manual' | 'automatic'>
  /** A file that is not there yet, or a folder; default: the folder of the store's backups, where old ones go. */
  readonly to?: string | undefined
  readonly onProgress?: (progress: BackupProgress) => void
}

/** A backup that was made. */
export interface BackupReport extends Omit<ContentProof, 'faults'> {
  readonly path: string
  readonly at: number
  readonly kind: BackupKind
  readonly bytes: number
  /** What is damaged in the store, and so in the backup. */
  readonly faults: readonly string[]
  /** Names of older backups that went. */
  readonly removed: readonly string[]
  readonly ms: number
}

/**
 * Backs a store up while others write it, after bringing it up to date; resolves with the backup's path and what was
 * copied. A damaged store is copied all the same: that copy is of the kind `damaged`, and no sound backup is removed
 * for it. Rejects with a `StorageError` where it can't be done (then there is no backup, and the others stay), with
 * `storage-busy` while the store is backed up, restored or repaired, with `not-found` where there is none, and with
 * `usage` if `to` names a file that is there.
 */
export const backUpStore = async (
  storePath: string,
  { kind, to, onProgress }: BackupOptions,
): Promise<BackupReport> => {
  assertStoreThere(storePath)
  // Brings it up to date, and rejects where it is newer or can't be opened.
  await (await openStore(`file:${storePath}`)).close()
  return withLease(storePath, () => makeBackup(storePath, kind, to, onProgress))
}

/**
 * Throws `not-found` where there never was a store at this path, and `storage-unavailable` where there is none any
 * more.
 */
export const assertStoreThere = (storePath: string): void => {
  if (existsSync(storePath)) return
  assertNotEmptied(storePath)
  throw new CairnError('not-found', `There is no store at ${storePath}; cairn import makes one.`)
}

/**
 * Makes, proves and names a backup; one whose content has faults is of the kind `damaged`. `to` is a file or a folder;
 * without it the backup goes to the store's own folder, and old backups there are removed afterwards. Rejects as
 * `copyStore` does, with `usage` where `to` is a file that is there, and with `storage-failed` where rows are missing.
 */
const makeBackup = async (
  storePath: string,
  kind: BackupKind,
  to: string | undefined,
  onProgress: BackupOptions['onProgress'] = () => undefined,
): Promise<BackupReport> => {
  const [startedAt, at] = [performance.now(), Date.now()]
  const own = to === undefined ? undefined : ownTarget(to, backupName(at, kind))
  const folder = own === undefined ? backupFolder(storePath) : dirname(own)
  const before = rowCounts(storePath)
  let proof: ContentProof | undefined
  const { path, bytes } = await copyStore({
    source: storePath,
    folder,
    what: 'A backup',
    onProgress,
    nameFor: async (copy) => {
      assertBetween(storePath, rowCounts(copy), before, rowCounts(storePath))
      proof = await proveContent(copy, (done, total) => onProgress({ phase: 'proving', done, total }))
      return own ?? join(folder, backupName(at, proof.faults.length === 0 ? kind : 'damaged'))
    },
  })
  if (proof === undefined) throw new TypeError('a copy that was not proven')
  return {
    ...proof,
    path,
    at,
    kind: proof.faults.length === 0 ? kind : 'damaged',
    bytes,
    removed: own === undefined ? pruneBackups(storePath).map(({ name }) => name) : [],
    ms: performance.now() - startedAt,
  }
}

/** The file that `--to` means: itself, or one of this name in a folder. Throws `usage` for one that is there. */
const ownTarget = (to: string, name: string): string => {
  const path = resolve(to)
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts?.isDirectory() === true) return join(path, name)
  if (facts !== undefined)
    throw new CairnError(
      'usage',
      `There is a file ${path} already; it was left as it is. Name another one, or a folder.`,
    )
  return path
}

/**
 * Asserts that a copy is whole. Others may write while it is made: each table has as many rows as before, as after, or
 * a number between. `copied`, `before`, `after`: rows by table.
 * @throws StorageError `storage-failed`
 */
const assertBetween = (
  storePath: string,
  copied: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): void => {
  for (const [table, count] of copied) {
    const bounds = [before.get(table) ?? 0, after.get(table) ?? 0]
    if (CHURNING.has(table) || (count >= Math.min(...bounds) && count <= Math.max(...bounds))) continue
    throw new StorageError(
      'storage-failed',
      `The copy of the store ${storePath} has ${count} rows of ${table} where ${bounds.join(' to ')} were expected; it was not kept. Try again; cairn doctor says whether the store is sound.`,
    )
  }
}

/** Tables whose rows come and go all the time: parts of the search index, which are merged. */
const CHURNING: ReadonlySet<string> = new Set(
  [tables.searchTail, tables.searchSegment, tables.searchPage, tables.searchPending].map(({ name }) => name),
)

/**
 * Runs `work` while no other process backs this store up, or puts another one in its place. Rejects with
 * `storage-busy`, without waiting, where one does, and as `work` does.
 */
export const withLease = async <T>(storePath: string, work: () => Promise<T>): Promise<T> => {
  const lease = createLeaseFile(join(backupFolder(storePath), 'backup.lock'), 'cairn backup')
  const outcome = takeLease(lease, storePath)
  if (!outcome.isTaken)
    throw new StorageError(
      'storage-busy',
      `${storePath} is being backed up, restored or repaired${outcome.owner === undefined ? '' : ` by process ${outcome.owner.pid}`}; nothing was begun beside it.`,
    )
  const renewal = setInterval(() => lease.renew(), LEASE_RENEWED_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    lease.release()
  }
}

/**
 * Takes the lease of backups; throws `storage-failed` where the folder can't be written. `isTaken` is false while
 * another process makes a backup.
 */
const takeLease = (lease: LeaseFile, storePath: string): LeaseOutcome => {
  try {
    return lease.take()
  } catch (error) {
    throw new StorageError(
      'storage-failed',
      `The folder ${backupFolder(storePath)} can't be written (${systemReason(error) ?? messageOf(error)}); no backup was made. Make it writable, then do it again.`,
      { cause: error },
    )
  }
}
