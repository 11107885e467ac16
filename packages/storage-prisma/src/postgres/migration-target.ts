/**
 * Migrations on PostgreSQL: in a transaction, under an advisory lock, with Prisma's record table. Others go on writing
 * meanwhile: indexes are built beside them, and a lock that is not had soon is given up, and asked for again later.
 */
import type pg from 'pg'
import { StorageError } from '@cairn/core'
import { errorCode } from '../sql/error-code.ts'
import { applyMigrations } from '../migrations/apply.ts'
import type { AppliedMigrations, MigrationTarget } from '../migrations/apply.ts'
import type { Migration } from '../migrations/migration.ts'

/** Any number, but always the same: "cairn" as letters of the alphabet. */
const LOCK = 301_091_814

/** Whoever waits for a table's lock keeps all others waiting behind it, for no longer than this, ms. */
const LOCK_TIMEOUT_MS = 300
/** For how long a lock is asked for again and again, ms. */
const LOCK_PATIENCE_MS = 60_000
const LONGEST_PAUSE_MS = 1_000
/** A lock that was not had in time, or only by somebody else who wanted the other's. */
const LOCK_NOT_HAD = ['55P03', '40P01']
/** Between two questions whether another process is done with its migration, ms. */
const TURN_PAUSE_MS = 100
/** A table, or a column of it, that is only made by the migration itself. */
const NOT_THERE_YET = ['42P01', '42703']

/** The statements of a migration that make indexes: the index's name, and what comes after it. */
const INDEXES = /^CREATE (?<unique>UNIQUE )?INDEX "(?<name>[a-z0-9_]+)"(?<rest> ON [^;]+);/gm

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
    let built: ReadonlySet<string> = new Set()
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
      exclusive: (work) => untilLocked(location, () => inTransaction(client, work)),
      prepare: async (next) => {
        built = await buildIndexes(pool, next)
      },
      // Statements that change tables are part of the transaction: one that fails leaves the database as it was. Dumps of a
      // server's database are up to who runs the server.
      keepBackup: () => Promise.resolve(),
      script: async (sql) => {
        await client.query(
          sql.replace(INDEXES, (statement, unique: string | undefined, name: string, rest: string) =>
            built.has(name) ? `CREATE ${unique ?? ''}INDEX IF NOT EXISTS "${name}"${rest};` : statement,
          ),
        )
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

type Client = Pick<pg.ClientBase, 'query'>

/** Runs `work` in a transaction that is alone among those that migrate, and gives up on a table's lock after a moment. */
const inTransaction = async (client: Client, work: () => Promise<void>): Promise<void> => {
  await client.query('BEGIN')
  try {
    await untilAlone(client)
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await work()
    await client.query('COMMIT')
  } catch (error) {
    // Where the connection is lost the server rolls back; what was wrong is the first error.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/**
 * Waits for the lock of migrations, in a transaction. It asks again and again: a statement that waits has a snapshot, whose end
 * an index that is built beside it would wait for, and so both for each other.
 */
const untilAlone = async (client: Client): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS alone', [LOCK])
    if (rows[0]?.alone === true) return
    await new Promise((resolve) => setTimeout(resolve, TURN_PAUSE_MS))
  }
}

/** Runs `work` again, after a pause, while it can't have a lock; rejects with `storage-busy` after a minute of that. */
const untilLocked = async (location: string, work: () => Promise<void>): Promise<void> => {
  const endAt = performance.now() + LOCK_PATIENCE_MS
  for (let pause = LOCK_TIMEOUT_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await work()
      return
    } catch (error) {
      if (!LOCK_NOT_HAD.includes(errorCode(error))) throw error
      if (performance.now() > endAt)
        throw new StorageError(
          'storage-busy',
          `The store ${location} can't be updated to this version now: others have its tables in use without a pause. It was left as it is; try again later, or end what reads it for long.`,
          { cause: error },
        )
    }
    // Who waited for the lock goes first.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
  }
}

/** Whether an index is built to its end; undefined where there is none of the name. */
const isValidIndex = async (client: Client, name: string): Promise<boolean | undefined> => {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))',
    [name],
  )
  return rows[0]?.valid
}

/**
 * Builds the indexes of a migration beside writers, on another connection than the one with the lock of migrations, as that
 * is in a transaction. Leaves those out whose table or columns are not there yet, and returns the others' names. An index that
 * a killed process has left half-built goes first. Rejects with the driver's errors.
 */
const buildIndexes = async (client: Client, { sql }: Migration): Promise<ReadonlySet<string>> => {
  const built = new Set<string>()
  for (const { groups } of sql.matchAll(INDEXES)) {
    const { unique = '', name = '', rest = '' } = groups ?? {}
    if ((await isValidIndex(client, name)) === false) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`)
    try {
      await client.query(`CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS "${name}"${rest}`)
      built.add(name)
    } catch (error) {
      if (!NOT_THERE_YET.includes(errorCode(error))) throw error
    }
  }
  return built
}
