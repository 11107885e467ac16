/** Migrations on SQLite: under `BEGIN IMMEDIATE`, with Prisma's record table. */
import type { Database } from 'better-sqlite3'
import { applyMigrations } from '../migrations/apply.ts'
import type { AppliedMigrations, MigrationTarget } from '../migrations/apply.ts'
import type { Migration } from '../migrations/migration.ts'
import { backUpForMigration } from '../backups/migration-backup.ts'
import type { Connection } from './connection.ts'
import { retryWhileBusy } from './write-queue.ts'
import type { WriteQueue } from './write-queue.ts'

const RECORD_TABLE = `CREATE TABLE "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT,
  "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`

/**
 * Finished migrations, with their checksums, by name; undefined when there is no table of them. Throws SQLite's
 * errors.
 */
export const finishedMigrations = (database: Database): AppliedMigrations | undefined => {
  const table = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'")
    .get()
  if (table === undefined) return undefined
  const rows = database
    .prepare(
      'SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    )
    .all() as { migration_name: string; checksum: string }[]
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

/**
 * Applies the migrations that the file lacks, all in one transaction of the queue, after a backup of one that has some.
 * Waits while another process writes. `location` is the file's path. Rejects as {@link applyMigrations} does, and
 * leaves the file untouched then.
 */
export const migrateSqlite = (
  location: string,
  connection: Connection,
  queue: WriteQueue,
  migrations: readonly Migration[],
): Promise<void> => {
  const { database } = connection
  const target: MigrationTarget = {
    location,
    recordTable: RECORD_TABLE,
    finished: () => retryWhileBusy(() => finishedMigrations(database)),
    // Tables without Prisma's record of migrations. Another process may be creating the store: it does so in one
    // transaction.
    foreign: () =>
      retryWhileBusy(
        () =>
          database.prepare("SELECT 1 FROM sqlite_master WHERE name <> '_prisma_migrations'").get() !== undefined &&
          database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get() === undefined,
      ),
    exclusive: (work) => queue.transaction('FULL', work),
    // On a connection of its own, as the one that migrates is in its transaction: nobody writes meanwhile.
    keepBackup: ({ name }) => backUpForMigration(location, name),
    script: (sql) => {
      database.exec(sql)
      return Promise.resolve()
    },
    record: ({ id, checksum, name, at }) => {
      database
        .prepare(
          'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES (?, ?, ?, ?, ?, 1)',
        )
        .run(id, checksum, at.getTime(), name, at.getTime())
      return Promise.resolve()
    },
  }
  return applyMigrations(target, migrations)
}
