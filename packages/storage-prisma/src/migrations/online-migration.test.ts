/** A store on PostgreSQL is brought up to date while programs of an older version write to it and read from it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { CairnError } from '@cairn/core'
import { migrations } from '../generated/postgresql/migrations.ts'
import { openStore } from '../open-store.ts'
import { migratePostgres } from '../postgres/migration-target.ts'
import { LOCK_TIMEOUT_MS } from '../postgres/online-migration.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import { laterMigrations, migration } from '../testing/later-migrations.ts'
import { openOldProgram } from '../testing/old-store.ts'
import type { OldProgram } from '../testing/old-store.ts'
import { isPoolerInstalled, startPooler } from '../testing/temporary-pooler.ts'
import type { TemporaryPooler } from '../testing/temporary-pooler.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'

/** Several batches. */
const ENTRIES = 3_500
/** An append waits for a lock that is given up, and for a machine that is busy with other things. */
const LONGEST_APPEND_MS = 5 * LOCK_TIMEOUT_MS
/** A writer that has appended so often since then has not been kept waiting. */
const ENOUGH_APPENDS = 20
const CONDITION_MS = 120_000

let server: TemporaryPostgres
const clients: pg.Client[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  server = await startPostgres()
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const client of clients.splice(0)) await client.end()
})

afterAll(() => server.stop())

const connected = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  clients.push(client)
  return client
}

/** Waits until a condition holds; rejects with its name after two minutes. */
const until = async (name: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const endAt = performance.now() + CONDITION_MS
  while (!(await condition())) {
    if (performance.now() > endAt) throw new Error(`still not: ${name}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const found = async (client: pg.Client, sql: string): Promise<boolean> => (await client.query(sql)).rows.length > 0
/** Whether somebody waits for a lock with such a statement. */
const isWaiting = (client: pg.Client, statement: string): Promise<boolean> =>
  found(
    client,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '${statement}%'`,
  )
const numberOf = async (client: pg.Client, sql: string): Promise<number> =>
  Number((await client.query<{ n: string }>(`SELECT (${sql})::text AS n`)).rows[0]?.n)

/** A store of the older version with some thousand entries; its program. */
const oldStore = async (): Promise<{ readonly address: string; readonly program: OldProgram }> => {
  const address = await server.database()
  const program = await openOldProgram(address)
  await program.append('long', ENTRIES)
  for (let index = 1; index <= 5; index += 1) await program.append(`short-${index}`, index)
  return { address, program }
}

const migrate = async (address: string, list = laterMigrations): Promise<void> =>
  (await PostgresDatabase.open(address, list)).close()

const startMigrating = (address: string): ChildProcess => {
  const script = fileURLToPath(new URL('../testing/migrating-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@cairn/source', script, address], {
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  children.push(child)
  return child
}

const kill = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended
}

interface Writer {
  /** Appends since the start. */
  readonly count: () => number
  /** Ends it, and says how long the longest append took, ms. */
  readonly stop: () => Promise<number>
}

/** Appends one message after the other. */
const startWriting = (program: OldProgram, session: string): Writer => {
  const end = new AbortController()
  const writing = (async () => {
    let longest = 0
    while (!end.signal.aborted) {
      const startedAt = performance.now()
      await program.append(session, 1)
      longest = Math.max(longest, performance.now() - startedAt)
    }
    return longest
  })()
  // Its error is reported when it is awaited.
  writing.catch(() => undefined)
  return {
    count: () => program.acknowledged(session),
    stop: () => {
      end.abort()
      return writing
    },
  }
}

const SCHEMA = `SELECT 'column' AS kind, table_name AS of, format('%s %s %s %s %s', ordinal_position, column_name, data_type, is_nullable, column_default) AS what
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index', indrelid::regclass::text, format('%s valid %s', pg_get_indexdef(indexrelid), indisvalid)
    FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
  UNION ALL SELECT 'constraint', conrelid::regclass::text, format('%s %s %s', conname, pg_get_constraintdef(oid), convalidated)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  ORDER BY 1, 2, 3`

/** All columns, indexes and constraints. */
const schemaOf = async (address: string): Promise<readonly unknown[]> =>
  (await (await connected(address)).query<Record<string, string>>(SCHEMA)).rows

/** Fails unless a store is what a new one of these migrations would be, each noted once, and holds what was acknowledged. */
const expectUpToDate = async (address: string, list = laterMigrations): Promise<void> => {
  const fresh = await server.database()
  await migrate(fresh, list)
  expect(await schemaOf(address)).toEqual(await schemaOf(fresh))
  const client = await connected(address)
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND logs IS NULL ORDER BY 1',
  )
  expect(rows.map(({ name }) => name)).toEqual(list.map(({ name }) => name))
  expect(await numberOf(client, 'SELECT count(*) FROM "_prisma_migrations"')).toBe(list.length)
}

/** Fails unless every acknowledged message is there, and the store of this version finds no fault in itself. */
const expectComplete = async (address: string, program: OldProgram, sessions: readonly string[]): Promise<void> => {
  await (await connected(address)).query(`DELETE FROM "_prisma_migrations" WHERE migration_name LIKE '2999%'`)
  const store = await openStore(address)
  try {
    for (const session of sessions) {
      const count = program.acknowledged(session)
      const entries = await store.sessions.read(`cairn:${session}`, { limit: count + 1 })
      expect(entries.map((entry) => entry.kind === 'message' && entry.id)).toEqual(
        Array.from({ length: count }, (_, index) => `${session}-${index}`),
      )
    }
    expect(await store.verify()).toEqual([])
  } finally {
    await store.close()
  }
}

describe('a migration of a store that is in use', () => {
  it('keeps no writer waiting, behind those who read for long either, and loses nothing', async () => {
    const { address, program } = await oldStore()
    const [watcher, snapshot, reader] = [await connected(address), await connected(address), await connected(address)]
    const writer = startWriting(program, 'live')
    // An index can't be used before those who began before it have ended.
    await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await snapshot.query('SELECT count(*) FROM entry')
    const migrating = migrate(address)
    migrating.catch(() => undefined)
    await until('an index waits for a reader', () => isWaiting(watcher, 'CREATE INDEX CONCURRENTLY'))
    const before = writer.count()
    await until('the writer goes on beside the index', () => writer.count() >= before + ENOUGH_APPENDS)
    // A lock alone, without a snapshot: it is in the way of tables that change, not of indexes.
    await reader.query('BEGIN')
    await reader.query('LOCK TABLE entry IN ACCESS SHARE MODE')
    await snapshot.query('COMMIT')
    for (const attempt of ['first', 'second']) {
      await until(`a table waits for a reader, the ${attempt} time`, () => isWaiting(watcher, 'ALTER TABLE "entry"'))
      const count = writer.count()
      await until('the writer goes on beside the table', () => writer.count() >= count + ENOUGH_APPENDS)
    }
    await reader.query('COMMIT')
    await migrating
    expect(await writer.stop()).toBeLessThan(LONGEST_APPEND_MS)
    expect(await numberOf(watcher, `SELECT count(*) FROM entry WHERE filled > 1 OR owner IS NULL`)).toBe(0)
    expect(await numberOf(watcher, `SELECT count(*) FROM entry WHERE filled = 1`)).toBeGreaterThanOrEqual(
      ENTRIES + before,
    )
    await program.close()
    await expectUpToDate(address)
    await expectComplete(address, program, ['long', 'live', 'short-3'])
  })

  it('makes of a store of the first version what a new one is', async () => {
    const address = await server.database()
    await migrate(address, migrations.slice(0, 1))
    await migrate(address)
    await expectUpToDate(address)
  })
})

describe('a migration whose process is killed', () => {
  /** Kills a process that migrates a store while it builds an index, and leaves the reader in its way. */
  const killedWithIndex = async (address: string, watcher: pg.Client): Promise<pg.Client> => {
    const snapshot = await connected(address)
    await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await snapshot.query('SELECT count(*) FROM entry')
    const child = startMigrating(address)
    await until('an index waits for a reader', () => isWaiting(watcher, 'CREATE INDEX CONCURRENTLY'))
    await kill(child)
    return snapshot
  }
  const INVALID = 'SELECT 1 FROM pg_index WHERE NOT indisvalid'

  it('is continued where an index was left unfinished', async () => {
    const { address, program } = await oldStore()
    const watcher = await connected(address)
    const snapshot = await killedWithIndex(address, watcher)
    await watcher.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONC%'",
    )
    await until('the server has ended the build', async () => !(await isWaiting(watcher, 'CREATE INDEX')))
    expect(await found(watcher, INVALID)).toBe(true)
    await snapshot.query('COMMIT')
    await migrate(address)
    await program.close()
    await expectUpToDate(address)
    await expectComplete(address, program, ['long', 'short-5'])
  })

  it('waits for an index that the server still builds for it', async () => {
    const { address, program } = await oldStore()
    const watcher = await connected(address)
    const snapshot = await killedWithIndex(address, watcher)
    expect(await isWaiting(watcher, 'CREATE INDEX CONCURRENTLY')).toBe(true)
    let isOver = false
    const migrating = migrate(address).finally(() => (isOver = true))
    migrating.catch(() => undefined)
    await until('the next one asks whether it is built', () =>
      found(
        watcher,
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%progress_create_index WHERE%' AND pid <> pg_backend_pid()",
      ),
    )
    expect([isOver, await found(watcher, INVALID)]).toEqual([false, true])
    await snapshot.query('COMMIT')
    await migrating
    await program.close()
    await expectUpToDate(address)
  })

  it('fills no row twice and none not at all', async () => {
    const { address, program } = await oldStore()
    await program.close()
    const [watcher, gate] = [await connected(address), await connected(address)]
    await migrate(address, laterMigrations.slice(0, migrations.length + 1))
    await gate.query('BEGIN')
    await gate.query('SELECT 1 FROM entry WHERE seq = 2500 FOR UPDATE')
    const child = startMigrating(address)
    await until(
      'two batches are done, and the third waits',
      async () =>
        (await found(watcher, `SELECT 1 FROM _prisma_migrations WHERE logs IS NOT NULL AND logs::bigint >= 2000`)) &&
        (await isWaiting(watcher, 'UPDATE "entry" SET "filled"')),
    )
    await kill(child)
    await gate.query('COMMIT')
    expect(await numberOf(watcher, 'SELECT count(*) FROM entry WHERE filled = 1')).toBeLessThan(ENTRIES)
    await migrate(address)
    expect(await numberOf(watcher, 'SELECT count(*) FROM entry WHERE filled <> 1')).toBe(0)
    await expectUpToDate(address)
  })
})

describe('several processes that migrate one store at once', () => {
  let pooler: TemporaryPooler | undefined

  beforeAll(async () => {
    if (isPoolerInstalled()) pooler = await startPooler(await server.database())
  })

  afterAll(() => pooler?.stop())

  it.each(['directly', ...(isPoolerInstalled() ? ['through a pooler'] : [])])('do it once, %s', async (way) => {
    const { address, program } = await oldStore()
    const writer = startWriting(program, 'live')
    const migrated = way === 'directly' ? address : (pooler?.through(address) ?? address)
    await Promise.all(Array.from({ length: 4 }, () => migrate(migrated)))
    expect(await writer.stop()).toBeLessThan(LONGEST_APPEND_MS)
    const client = await connected(address)
    expect(await numberOf(client, 'SELECT count(*) FROM entry WHERE filled > 1')).toBe(0)
    expect(await numberOf(client, 'SELECT count(*) FROM entry WHERE filled = 1')).toBeGreaterThanOrEqual(ENTRIES)
    await program.close()
    await expectUpToDate(address)
    await expectComplete(address, program, ['long', 'live'])
  })
})

describe('a migration that can not be done', () => {
  const sentenceOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work
      return 'none'
    } catch (error) {
      return CairnError.is(error) ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`
    }
  }

  it('gives up in a sentence where others leave it no moment, and goes on from there later', async () => {
    const { address, program } = await oldStore()
    const reader = await connected(address)
    await reader.query('BEGIN')
    await reader.query('LOCK TABLE entry IN ACCESS SHARE MODE')
    const pool = new pg.Pool({ connectionString: address })
    const sentence = await sentenceOf(migratePostgres({ location: 'here', pool, patienceMs: 0 }, laterMigrations))
    await pool.end()
    expect(sentence).toMatch(
      /^storage-busy: The store here can't be brought up to date now \("20261128165226_entry_checksum"\): .+ is kept\./,
    )
    await program.append('after', 3)
    await reader.query('COMMIT')
    await migrate(address)
    await program.close()
    await expectUpToDate(address)
    await expectComplete(address, program, ['after', 'short-2'])
  })

  it('leaves no index behind that others would have to obey', async () => {
    const { address, program } = await oldStore()
    const unique = migration('29990101000001_unique', 'CREATE UNIQUE INDEX "role_idx" ON "entry"("role");')
    expect(await sentenceOf(migrate(address, [...migrations, unique]))).toMatch(
      /^storage-failed: .+ could not create unique index "role_idx"/,
    )
    expect(await found(await connected(address), "SELECT 1 WHERE to_regclass('role_idx') IS NOT NULL")).toBe(false)
    await program.append('after', 2)
    await program.close()
    await expectComplete(address, program, ['after'])
  })

  it('refuses what another build has begun', async () => {
    const { address, program } = await oldStore()
    await program.close()
    const [one, other] = ['a', 'b'].map((name) =>
      migration('29990101000001_two_builds', `CREATE INDEX "role_idx" ON "entry"("${name}");`),
    )
    if (one === undefined || other === undefined) throw new Error('two migrations')
    expect(await sentenceOf(migrate(address, [...migrations, one]))).toMatch(/^storage-failed: .+ "a" does not exist/)
    expect(await sentenceOf(migrate(address, [...migrations, other]))).toMatch(
      /^storage-unavailable: .+ holds the migration "29990101000001_two_builds" half done by another build of Cairn/,
    )
  })
})
