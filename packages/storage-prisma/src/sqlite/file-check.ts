/**
 * Whether an open file is still the store that was opened: not emptied or overwritten, with all its tables, not
 * migrated by a newer version. It runs every second or two, so it checks thoroughly only after the file or its schema
 * has changed; damage within tables is for `integrityFaults` to find. The file is only ever opened through SQLite:
 * closing another descriptor of it would release the locks of this process.
 */
import { statSync } from 'node:fs'
import { StorageError } from '@cairn/core'
import { assertUpToDate } from '../migrations/apply.ts'
import type { Migration } from '../migrations/migration.ts'
import { backupFolder, listBackups } from '../backups/backup-folder.ts'
import { damagedStore } from '../sql/damaged.ts'
import { tables } from '../sql/schema.ts'
import type { Connection } from './connection.ts'
import { openReader } from './connection.ts'
import { finishedMigrations } from './migration-target.ts'
import { notOpened } from './storage-error.ts'
import { retryWhileBusy } from './write-queue.ts'

interface Seen {
  readonly size: bigint
  readonly modifiedNs: bigint
  readonly schemaVersion: unknown
}

/**
 * Throws `storage-corrupt` for a file that is empty or missing while its journal is not: SQLite would treat it as a new
 * database, and so discard what the journal still holds. Where there are backups an empty file is refused as damaged,
 * and a missing one with `storage-unavailable`, as is a path that can't be looked at: backups of a new store in its
 * place would push out those of the former one. Passes for a file with content, and for a store that there never was.
 */
export const assertNotEmptied = (path: string): void => {
  const size = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size
  let ownSize: number | undefined
  try {
    ownSize = size(path)
  } catch (cause) {
    // An overlong name, or a cycle of links.
    throw notOpened(path, cause)
  }
  if (ownSize !== undefined && ownSize > 0) return
  if ((size(`${path}-wal`) ?? 0) > 0)
    throw damagedStore(
      path,
      `the file is ${ownSize === 0 ? 'empty' : 'missing'}; what was written last may still be in ${path}-wal`,
    )
  if (listBackups(path).length === 0) return
  if (ownSize === 0) throw damagedStore(path, 'the file is empty, though there are backups of it')
  throw missingStore(path)
}

/** Makes (does not throw) the error for a store that is gone while its backups are there. */
const missingStore = (path: string): StorageError =>
  new StorageError(
    'storage-unavailable',
    `The store ${path} is missing, though there are backups of it; none was made in its place. Put a backup there (cairn restore-backup latest), or move the folder ${backupFolder(path)} elsewhere to begin a new store.`,
  )

/** Remembers the file that was opened and what was last seen of it, and checks that it is still the store. */
export class FileCheck {
  readonly #path: string
  readonly #inode: bigint | undefined
  readonly #migrations: readonly Migration[]
  #seen: Seen | undefined

  constructor(path: string, migrations: readonly Migration[]) {
    this.#path = path
    this.#migrations = migrations
    this.#inode = statSync(path, { throwIfNoEntry: false, bigint: true })?.ino
  }

  /**
   * Throws `storage-failed` where the file was removed or replaced: it could still be written, but nobody would ever
   * read it.
   */
  assertThere(): void {
    if (statSync(this.#path, { throwIfNoEntry: false, bigint: true })?.ino === this.#inode) return
    throw new StorageError(
      'storage-failed',
      `The store ${this.#path} was removed or replaced while it was in use; what was written last is not in it. Do it again.`,
    )
  }

  /**
   * Rejects with a StorageError for what is wrong. Looks closely only where file or schema changed since the last look.
   * @param reader has read the store already
   * @returns whether the file itself has changed since then, so that what readers keep of it may be outdated; false at
   * first
   */
  async run(reader: Connection): Promise<boolean> {
    const facts = statSync(this.#path, { throwIfNoEntry: false, bigint: true })
    if (facts?.ino !== this.#inode || facts === undefined)
      throw new StorageError(
        'storage-unavailable',
        `The store ${this.#path} was removed or replaced while it was in use. Open it again.`,
      )
    if (facts.size === 0n) throw damagedStore(this.#path, 'the file is empty')
    const before = this.#seen
    const schemaVersion = await retryWhileBusy(() => reader.database.pragma('schema_version', { simple: true }))
    const isSameFile = before?.size === facts.size && before.modifiedNs === facts.mtimeNs
    if (isSameFile && before.schemaVersion === schemaVersion) return false
    await this.#lookClosely()
    this.#seen = { size: facts.size, modifiedNs: facts.mtimeNs, schemaVersion }
    return before !== undefined && !isSameFile
  }

  /**
   * Checks version and tables on a new connection, which has cached nothing of the file. Rejects with a StorageError.
   * `storage-newer`, `storage-unavailable` or `storage-corrupt`.
   */
  async #lookClosely(): Promise<void> {
    const fresh = openReader(this.#path)
    try {
      await retryWhileBusy(() => {
        assertUpToDate(this.#path, finishedMigrations(fresh.database), this.#migrations)
        const there = new Set(
          (
            fresh.database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
          ).map(({ name }) => name),
        )
        const lacking = Object.values(tables).filter(({ name }) => !there.has(name))
        if (lacking.length > 0)
          throw damagedStore(this.#path, `it lacks the table ${lacking.map(({ name }) => name).join(', ')}`)
        for (const { name } of Object.values(tables)) fresh.database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get()
      })
    } finally {
      fresh.close()
    }
  }
}
