/**
 * Applies the checked-in migrations at first open, in one transaction, and keeps Prisma's own record of
 * them, so that `prisma migrate status` agrees. A store that holds a migration which this version does
 * not know was made by a newer one: it is refused before anything is written.
 */
import { randomUUID } from 'node:crypto'
import { StorageError } from '@cairn/core'

export interface Migration {
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, hex. */
  readonly checksum: string
}

/** What a migration run needs of a database; statements are whole scripts. */
export interface MigrationTarget {
  readonly location: string
  /** Names of finished migrations; undefined when there is no table of them. */
  finished(): Promise<ReadonlySet<string> | undefined>
  /** Whether the database holds something other than a store of Cairn. */
  foreign(): Promise<boolean>
  /** Runs `work` with the database to itself, in a transaction. */
  exclusive(work: () => Promise<void>): Promise<void>
  /** Runs several SQL statements, inside of `exclusive`. */
  script(sql: string): Promise<void>
  /** Notes a migration as finished in Prisma's table, inside of `exclusive`. */
  record(row: { readonly id: string; readonly checksum: string; readonly name: string; readonly at: Date }): Promise<void>
  readonly recordTable: string
}

/** Brings a store up to date. Rejects with `storage-newer` and leaves the store untouched if it is newer. */
export const applyMigrations = async (target: MigrationTarget, migrations: readonly Migration[]): Promise<void> => {
  const known = await target.finished()
  if (missing(target, known, migrations).length === 0) return
  if (known === undefined && (await target.foreign())) {
    throw new StorageError('storage-unavailable', `${target.location} is a database of another program; it was left untouched. Name another place for the store.`)
  }
  await target.exclusive(async () => {
    // Another process may have migrated it between the check and the lock.
    const finished = await target.finished()
    if (finished === undefined) await target.script(target.recordTable)
    for (const migration of missing(target, finished, migrations)) {
      await target.script(migration.sql)
      await target.record({ id: randomUUID(), checksum: migration.checksum, name: migration.name, at: new Date() })
    }
  })
}

/**
 * Passes while an open store is still of this version. Throws what opening it would reject with once a newer version
 * has migrated it.
 */
export const assertUpToDate = (location: string, finished: ReadonlySet<string> | undefined, migrations: readonly Migration[]): void => {
  if (missing({ location }, finished, migrations).length === 0) return
  throw new StorageError('storage-unavailable', `The store ${location} was replaced by an older one while it was in use. Open it again.`)
}

/** Whether a store that can only be read is of this version. Throws `storage-newer` for one of a newer version. */
export const isUpToDate = (location: string, finished: ReadonlySet<string> | undefined, migrations: readonly Migration[]): boolean => missing({ location }, finished, migrations).length === 0

const missing = (target: Pick<MigrationTarget, 'location'>, finished: ReadonlySet<string> | undefined, migrations: readonly Migration[]): readonly Migration[] => {
  const known = new Set(migrations.map((migration) => migration.name))
  for (const name of finished ?? []) {
    if (!known.has(name)) {
      throw new StorageError('storage-newer', `The store ${target.location} was made by a newer version of Cairn (it holds "${name}"); it was left untouched. Update Cairn to use it.`)
    }
  }
  return migrations.filter((migration) => finished?.has(migration.name) !== true)
}
