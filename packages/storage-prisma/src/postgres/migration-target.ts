/**
 * Migrations on PostgreSQL, with Prisma's record table. One process at a time applies them, under an advisory lock: all in one
 * transaction where the store is new, and step by step beside others where it is in use.
 */
import type pg from 'pg'
import { applyMigrations } from '../migrations/apply.ts'
import type { AppliedMigrations, MigrationTarget } from '../migrations/apply.ts'
import type { Migration } from '../migrations/migration.ts'
import { migrateOnline } from './online-migration.ts'
import type { OnlineMigrationDeps } from './online-migration.ts'

/**
 * Any number, but always the same: "cairn" as letters of the alphabet, and one more. Programs from before there were steps wait
 * for the number without it, in a statement, whose end an index that is built beside others would wait for.
 */
const LOCK = 301_091_815
/** Between two questions whether another process has finished, ms. */
const POLL_MS = 200

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
 * Applies the migrations that the database lacks, alone among processes; all or none of them where it is a new store. Rejects as
 * {@link applyMigrations} and {@link migrateOnline} do, and with the driver's errors.
 */
export const migratePostgres = async (deps: OnlineMigrationDeps, migrations: readonly Migration[]): Promise<void> => {
  const client = await deps.pool.connect()
  try {
    const target: MigrationTarget = {
      location: deps.location,
      recordTable: RECORD_TABLE,
      finished: () => finishedMigrations(client),
      // A server's database may be shared; only a table with the same name is a conflict.
      foreign: async () =>
        (
          await client.query(
            "SELECT 1 WHERE to_regclass('session') IS NOT NULL AND to_regclass('_prisma_migrations') IS NULL",
          )
        ).rows.length > 0,
      exclusive: (work) => alone(client, work),
      // A step that fails leaves the database as it was before it. Dumps of a server's database are up to who runs the server.
      keepBackup: () => Promise.resolve(),
      online: (migration) => migrateOnline(deps, migration),
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

/**
 * Runs `work` in a transaction that holds the lock of migrations; waits for it as long as it takes. What `work` throws
 * rolls the transaction back.
 */
const alone = async (client: pg.PoolClient, work: () => Promise<void>): Promise<void> => {
  while (!(await beginAlone(client))) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  try {
    // It is idle for as long as steps are done on other connections.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    await work()
    await client.query('COMMIT')
  } catch (error) {
    // Where the connection is lost the server rolls back; what was wrong is the first error.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/**
 * Begins a transaction with the lock of migrations; none and false where another process has it. To wait for it in the
 * transaction would keep a snapshot, whose end an index waits for that the other builds: both would wait for ever. For the same
 * reason the statement has no parameters: the driver would leave its portal open, and the portal its snapshot.
 */
const beginAlone = async (client: pg.PoolClient): Promise<boolean> => {
  await client.query('BEGIN')
  const { rows } = await client.query<{ alone: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS alone`)
  if (rows[0]?.alone === true) return true
  await client.query('ROLLBACK')
  return false
}
