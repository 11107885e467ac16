/** Migrations on PostgreSQL: in a transaction, under an advisory lock, with Prisma's record table. */
import type pg from 'pg'
import { applyMigrations } from '../migrations/apply.ts'
import type { AppliedMigrations, MigrationTarget } from '../migrations/apply.ts'
import type { Migration } from '../migrations/migration.ts'

/** Any number, but always the same: "cairn" as letters of the alphabet. */
const LOCK = 301_091_814

const RECORD_TABLE = `CREATE TABLE "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT,
  rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`

/** Finished migrations, with their checksums, by name; undefined when there is no table of them. */
export const finishedMigrations = async (
  client: Pick<pg.ClientBase, 'query'>,
): Promise<AppliedMigrations | undefined> => {
  const table = await client.query<{ found: string | null }>(`SELECT to_regclass('_prisma_migrations') AS found`)
  if (table.rows[0]?.found == null) return undefined
  const rows = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  )
  return new Map(rows.rows.map((row) => [row.migration_name, row.checksum]))
}

/**
 * Applies the migrations that the database lacks, all or none, alone among processes. Rejects as {@link
 * applyMigrations} does, and with the driver's errors.
 */
export const migratePostgres = async (
  location: string,
  pool: pg.Pool,
  migrations: readonly Migration[],
): Promise<void> => {
  const client = await pool.connect()
  try {
    const target: MigrationTarget = {
      location,
      recordTable: RECORD_TABLE,
      finished: () => finishedMigrations(client),
      // A server's database may be shared; only a table with the same name is a conflict.
      foreign: async () =>
        (
          await client.query(
            "SELECT 1 WHERE to_regclass('session') IS NOT NULL AND to_regclass('_prisma_migrations') IS NULL",
          )
        ).rows.length > 0,
      exclusive: async (work) => {
        await client.query('BEGIN')
        try {
          await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
          await work()
          await client.query('COMMIT')
        } catch (error) {
          // Where the connection is lost the server rolls back; what was wrong is the first error.
          await client.query('ROLLBACK').catch(() => undefined)
          throw error
        }
      },
      // Statements that change tables are part of the transaction: one that fails leaves the database as it was. Dumps of a
      // server's database are up to who runs the server.
      keepBackup: () => Promise.resolve(),
      script: async (sql) => {
        await client.query(sql)
      },
      record: async ({ id, checksum, name, at }) => {
        await client.query(
          'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ($1, $2, $3, $4, $3, 1)',
          [id, checksum, at, name],
        )
      },
    }
    await applyMigrations(target, migrations)
  } finally {
    client.release()
  }
}
