/**
 * Applies the checked-in migrations at first open, in one transaction unless the database has a way to do it beside others,
 * and keeps Prisma's own record of them, so that `prisma migrate status` agrees. A store that holds a migration which this
 * version does not know was made by a newer one: it is refused before anything is written. So is one whose migrations are not
 * the first of ours, each as it is here: what its tables look like is then not known.
 */
import { randomUUID } from 'node:crypto'
import { StorageError } from '@cairn/core'
import { migrationProblems } from './migration.ts'
import { damagedStore } from '../sql/damaged.ts'
import type { Migration } from './migration.ts'

/** Finished migrations of a store: their checksums by name. */
export type AppliedMigrations = ReadonlyMap<string, string>

/** What a migration run needs of a database; statements are whole scripts. */
export interface MigrationTarget {
  readonly location: string
  /** Undefined when there is no table of them. */
  finished(): Promise<AppliedMigrations | undefined>
  /** Whether the database holds something other than a store of Cairn. */
  foreign(): Promise<boolean>
  /** Runs `work` with the database to itself, in a transaction. */
  exclusive(work: () => Promise<void>): Promise<void>
  /**
   * Keeps the store as it is before it is changed; called inside of `exclusive`, and only where there is something to keep.
   * Rejects where that can't be done: then nothing is migrated.
   */
  keepBackup(next: Migration): Promise<void>
  /** Runs several SQL statements, inside of `exclusive`. */
  script(sql: string): Promise<void>
  /** Notes a migration as finished in Prisma's table, inside of `exclusive`. */
  record(row: {
    readonly id: string
    readonly checksum: string
    readonly name: string
    readonly at: Date
  }): Promise<void>
  readonly recordTable: string
  /**
   * Applies and notes one migration of a store that others go on using; called inside of `exclusive`, and kept also where
   * that rolls back. Where it is missing, all migrations are part of the transaction.
   */
  readonly online?: (migration: Migration) => Promise<void>
}

/**
 * Brings a store up to date; does nothing where it is. All is one transaction, after a backup where the store has
 * something in it; or such a store is left to `online`, where the target has that. Rejects with `storage-newer` and
 * leaves the store untouched if it is newer, with `storage-unavailable` for a database of another program or build,
 * with `storage-corrupt` for a damaged record of migrations, and with a TypeError for a faulty list of them.
 */
export const applyMigrations = async (target: MigrationTarget, migrations: readonly Migration[]): Promise<void> => {
  const [problem] = migrationProblems(migrations)
  if (problem !== undefined) throw new TypeError(problem)
  const known = await target.finished()
  if (missing(target, known, migrations).length === 0) return
  if (known === undefined && (await target.foreign())) {
    throw new StorageError(
      'storage-unavailable',
      `${target.location} is a database of another program; it was left untouched. Name another place for the store.`,
    )
  }
  await target.exclusive(async () => {
    // Another process may have migrated it between the check and the lock.
    const finished = await target.finished()
    const lacking = missing(target, finished, migrations)
    const [next] = lacking
    if (next === undefined) return
    if (finished === undefined) await target.script(target.recordTable)
    else if (finished.size > 0) await target.keepBackup(next)
    const online = finished !== undefined && finished.size > 0 ? target.online : undefined
    for (const migration of lacking) {
      if (online !== undefined) {
        await online(migration)
        continue
      }
      await target.script(migration.sql)
      await target.record({ id: randomUUID(), checksum: migration.checksum, name: migration.name, at: new Date() })
    }
  })
}

/**
 * Passes while an open store is still of this version. Throws a StorageError: what opening it would reject with where a
 * newer version or another build has migrated it, `storage-unavailable` where an older store is in its place (undefined:
 * one with nothing applied).
 */
export const assertUpToDate = (
  location: string,
  finished: AppliedMigrations | undefined,
  migrations: readonly Migration[],
): void => {
  if (missing({ location }, finished, migrations).length === 0) return
  throw new StorageError(
    'storage-unavailable',
    `The store ${location} was replaced by an older one while it was in use. Open it again.`,
  )
}

/**
 * Whether a store that can only be read is of this version; false for an older one. Throws `storage-newer` for one of a
 * newer version, `storage-unavailable` for one of another build, `storage-corrupt` where a checksum of its migrations
 * is damaged.
 */
export const isUpToDate = (
  location: string,
  finished: AppliedMigrations | undefined,
  migrations: readonly Migration[],
): boolean => missing({ location }, finished, migrations).length === 0

/**
 * The migrations that are still to be applied, in order; throws a StorageError where the applied ones are not the
 * beginning of these. An empty store has none applied. A checksum that differs in a few bits counts as damage.
 */
const missing = (
  { location }: Pick<MigrationTarget, 'location'>,
  finished: AppliedMigrations = new Map(),
  migrations: readonly Migration[],
): readonly Migration[] => {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of finished) {
    const migration = known.get(name)
    if (migration === undefined)
      throw new StorageError(
        'storage-newer',
        `The store ${location} was made by a newer version of Cairn (it holds "${name}"); it was left untouched. Update Cairn to use it.`,
      )
    if (migration.checksum !== checksum && isNearlyEqual(migration.checksum, checksum))
      throw damagedStore(location, `the checksum of its migration ${name} is not what was written`)
    if (migration.checksum !== checksum)
      throw new StorageError(
        'storage-unavailable',
        `The store ${location} was made by another build of Cairn, whose migration "${name}" is not the one that this version has; it was left untouched. Use it with the Cairn that made it.`,
      )
  }
  const lacking = migrations.filter(({ name }) => !finished.has(name))
  const first = lacking[0]
  const later = migrations.find(({ name }) => first !== undefined && name > first.name && finished.has(name))
  if (first !== undefined && later !== undefined)
    throw new StorageError(
      'storage-unavailable',
      `The store ${location} holds the migration "${later.name}" but not "${first.name}", which comes before it; it was left untouched. Use it with the Cairn that made it.`,
    )
  return lacking
}

/** Characters in which two checksums of one text may differ after damage; those of two texts differ in nearly all of their 64. */
const MOST_DAMAGED = 8

/** Whether two texts of one length differ in a few characters only, as damage leaves them. */
const isNearlyEqual = (left: string, right: string): boolean => {
  if (left.length !== right.length) return false
  let different = 0
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) different += 1
  return different <= MOST_DAMAGED
}
