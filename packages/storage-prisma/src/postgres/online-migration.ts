/**
 * Applies a migration to a store on PostgreSQL while others read and write it. Each step is a transaction of its own that gives
 * up on a lock after a second, so nobody waits behind it for longer, or builds an index beside writers. Prisma's record has a
 * row of the migration from its first step on, with the number of steps done, so that a killed process is continued by the next.
 * Nothing here needs a session of the server (decision 077).
 */
import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { StorageError } from '@cairn/core'
import type { Migration } from '../migrations/migration.ts'
import { planOf } from '../migrations/online-plan.ts'
import type { Step } from '../migrations/online-plan.ts'
import { errorCode } from '../sql/error-code.ts'

/** Whoever waits for a table's lock keeps all others waiting behind it, for no longer than this. */
export const LOCK_TIMEOUT_MS = 1_000
/** For how long one step is tried again and again. */
const PATIENCE_MS = 60_000
const SHORTEST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2_000
/** No lock in time, or a deadlock that the server ended. */
const NO_LOCK = ['55P03', '40P01']
const DUPLICATE_ROW = '23505'
/** Rows of a batch: some ten milliseconds, for which their writers may have to wait. */
const BATCH_ROWS = 1_000
const BEFORE_ALL = '-9223372036854775808'
const POLL_MS = 200

export interface OnlineMigrationDeps {
  /** For messages. */
  readonly location: string
  /** Gives two connections at once. */
  readonly pool: pg.Pool
  /** How long each step is tried, ms; default a minute. */
  readonly patienceMs?: number
}

/** A migration's row in Prisma's record, of which so many steps are done. */
interface Progress {
  readonly id: string
  readonly done: number
}

/**
 * Applies and records one migration; the caller sees to it that no other process applies one. Where an earlier attempt ended
 * in the middle, it goes on from there. Rejects with `storage-busy` while others leave no moment for a lock (what was done
 * is kept), with `storage-unavailable` where another build of Cairn has begun this migration, and with the driver's errors.
 */
export const migrateOnline = async (deps: OnlineMigrationDeps, migration: Migration): Promise<void> => {
  const { pool } = deps
  const { steps, problems } = planOf(migration.sql)
  const id = await begin(deps, migration)
  for (;;) {
    const progress = { id, done: await stepsDone(pool, id) }
    const step = steps[progress.done]
    if (step === undefined) break
    await untilLocked(deps, migration, step, () => perform(pool, progress, step, problems.length > 0))
  }
  await pool.query('UPDATE "_prisma_migrations" SET finished_at = now(), logs = NULL WHERE id = $1', [id])
}

/**
 * Notes that a migration is begun, where it is not yet; returns its id, which is the same in every process. Rejects
 * with `storage-unavailable` if another build has begun it.
 */
const begin = async ({ pool, location }: OnlineMigrationDeps, { name, checksum }: Migration): Promise<string> => {
  const id = createHash('sha256').update(`${name}\n${checksum}`).digest('hex').slice(0, randomUUID().length)
  const others = await pool.query(
    'SELECT 1 FROM "_prisma_migrations" WHERE migration_name = $1 AND id <> $2 AND rolled_back_at IS NULL',
    [name, id],
  )
  if (others.rows.length > 0)
    throw new StorageError(
      'storage-unavailable',
      `The store ${location} holds the migration "${name}" half done by another build of Cairn; it was left as it is. Open it with the Cairn that began it.`,
    )
  await pool.query(
    'INSERT INTO "_prisma_migrations" (id, checksum, migration_name, applied_steps_count) VALUES ($1, $2, $3, 0) ON CONFLICT (id) DO NOTHING',
    [id, checksum, name],
  )
  return id
}

/** How many steps of a migration are done. Rejects if its record is gone. */
const stepsDone = async (pool: pg.Pool, id: string): Promise<number> => {
  const { rows } = await pool.query<{ done: number }>(
    'SELECT applied_steps_count AS done FROM "_prisma_migrations" WHERE id = $1',
    [id],
  )
  if (rows[0] === undefined) throw new Error('the record of a migration went while it was applied')
  return rows[0].done
}

/** Does one step, or one batch of it, and notes that it is done. `isWhole`: the step is all of a script that has no steps. */
const perform = async (pool: pg.Pool, progress: Progress, step: Step, isWhole: boolean): Promise<void> => {
  if (step.kind === 'create-index') await createIndex(pool, step)
  if (step.kind === 'drop-index') await pool.query(`DROP INDEX CONCURRENTLY IF EXISTS "${step.name}"`)
  await inTransaction(pool, progress, async (client, cursor) => {
    if (isWhole) await keepWritersOut(client)
    if (step.kind === 'transaction') await client.query(step.sql)
    if (step.kind === 'batches') return nextBatch(client, step, cursor)
    return undefined
  })
}

/**
 * Until the transaction ends nobody else writes of a session; all read. The statements of a whole script each see what was
 * committed before them: a message that came between two of them would be in the new index twice, or not at all.
 */
const keepWritersOut = async (client: pg.PoolClient): Promise<void> => {
  const { rows } = await client.query<{ isThere: boolean }>(`SELECT to_regclass('"session"') IS NOT NULL AS "isThere"`)
  if (rows[0]?.isThere === true) await client.query('LOCK TABLE "session" IN EXCLUSIVE MODE')
}

/**
 * Runs `work` in a transaction that waits for no lock longer than {@link LOCK_TIMEOUT_MS}, and notes with it where the
 * next batch of the step begins, or that the step is done where `work` returns undefined. Does nothing if the step is
 * done already. What `work` or the server throws undoes it and is rejected with.
 */
const inTransaction = async (
  pool: pg.Pool,
  { id, done }: Progress,
  work: (client: pg.PoolClient, cursor: string) => Promise<string | undefined>,
): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
    const { rows } = await client.query<{ cursor: string | null }>(
      'SELECT logs AS cursor FROM "_prisma_migrations" WHERE id = $1 AND applied_steps_count = $2 AND finished_at IS NULL FOR UPDATE',
      [id, done],
    )
    if (rows[0] !== undefined) {
      const cursor = await work(client, rows[0].cursor ?? BEFORE_ALL)
      await client.query('UPDATE "_prisma_migrations" SET applied_steps_count = $2, logs = $3 WHERE id = $1', [
        id,
        cursor === undefined ? done + 1 : done,
        cursor ?? null,
      ])
    }
    await client.query('COMMIT')
  } catch (error) {
    // Where the connection is lost the server rolls back; what was wrong is the first error.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/** Runs a statement for the next rows after the cursor; returns the last of them, or undefined where there are none. */
const nextBatch = async (
  client: pg.PoolClient,
  { table, column, before, after }: Extract<Step, { kind: 'batches' }>,
  cursor: string,
): Promise<string | undefined> => {
  const name = `"${table}"."${column}"`
  const { rows } = await client.query<{ last: string | null }>(
    `SELECT max(n)::text AS last FROM (SELECT ${name} AS n FROM "${table}" WHERE ${name} > $1::bigint ORDER BY 1 LIMIT ${BATCH_ROWS}) AS batch`,
    [cursor],
  )
  const last = rows[0]?.last
  if (last == null) return undefined
  await client.query(`${before}${name} > ${BigInt(cursor)} AND ${name} <= ${BigInt(last)}${after}`)
  return last
}

/**
 * Builds an index beside writers; nothing where a finished one of its name is there. One that an earlier attempt has
 * left unfinished, which no query uses, is dropped and built again; one that the server still builds for a process that
 * was killed is waited for. Rejects as the server does; what it began is dropped then.
 */
const createIndex = async (pool: pg.Pool, { name, sql }: Extract<Step, { kind: 'create-index' }>): Promise<void> => {
  const drop = `DROP INDEX CONCURRENTLY IF EXISTS "${name}"`
  while (await isBeingBuilt(pool, name)) await pause(POLL_MS)
  const { rows } = await pool.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))',
    [name],
  )
  if (rows[0]?.valid === true) return
  if (rows[0]?.valid === false) await pool.query(drop)
  try {
    await pool.query(sql)
  } catch (error) {
    // An unfinished unique index would refuse writes already.
    await pool.query(drop).catch(() => undefined)
    throw error
  }
}

/** Whether an index of this name is being built now, by anybody. */
const isBeingBuilt = async (pool: pg.Pool, name: string): Promise<boolean> => {
  const { rows } = await pool.query(
    'SELECT 1 FROM pg_stat_progress_create_index WHERE datname = current_database() AND index_relid = to_regclass(quote_ident($1))',
    [name],
  )
  return rows.length > 0
}

/**
 * Runs `work` again, with growing pauses, while others keep it from a lock, or, in a step of statements, insert a row
 * first that it inserts. After `patienceMs` it rejects with `storage-busy`, or with the driver's error for such a row;
 * at once for other errors.
 */
const untilLocked = async (
  { location, patienceMs = PATIENCE_MS }: OnlineMigrationDeps,
  { name }: Migration,
  step: Step,
  work: () => Promise<void>,
): Promise<void> => {
  const endAt = performance.now() + patienceMs
  for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
    try {
      await work()
      return
    } catch (error) {
      const isLocked = NO_LOCK.includes(errorCode(error))
      // A writer was faster with a row that the step inserts, too.
      const isOvertaken = step.kind === 'transaction' && errorCode(error) === DUPLICATE_ROW
      if (!isLocked && !isOvertaken) throw error
      if (performance.now() > endAt) throw isLocked ? busy(location, name, error) : error
    }
    // Who waited behind the lock goes first.
    await pause(wait * (0.5 + Math.random()))
  }
}

/** The error of a migration that gets no lock. Made, not thrown. */
const busy = (location: string, name: string, cause: unknown): StorageError =>
  new StorageError(
    'storage-busy',
    `The store ${location} can't be brought up to date now ("${name}"): others have its tables in use without a pause. What is done of it is kept. End what reads or changes them for long, such as a dump, and open the store again.`,
    { cause },
  )

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
