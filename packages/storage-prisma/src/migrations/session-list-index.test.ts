/** Stores of the version before lists of sessions had an index of their own are brought up to date, nothing in them changed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryWrite } from '@cairn/core'
import { migrations as postgresMigrations } from '../generated/postgresql/migrations.ts'
import { migrations as sqliteMigrations } from '../generated/sqlite/migrations.ts'
import { processBudget } from '../health/process-budget.ts'
import { openStore } from '../open-store.ts'
import { PackReader } from '../packs/pack-reader.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import { Appends } from '../repository/appends.ts'
import { LabelCache } from '../repository/labels.ts'
import { INDEX_SIZES } from '../search/index-sizes.ts'
import { IndexMaintenance } from '../search/index-maintenance.ts'
import type { SqlDatabase, SqlRow } from '../sql/database.ts'
import { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import type { Migration } from './migration.ts'

const NAME = '20261121151341_session_list_index'
const before = (migrations: readonly Migration[]): readonly Migration[] => migrations.filter(({ name }) => name < NAME)

const DROPPED = [
  'session_cost_nano_idx',
  'session_updated_at_idx',
  'session_workspace_id_updated_at_idx',
  'usage_day_session_id_idx',
]
const MADE = ['session_list_idx', 'usage_day_session_id_model_id_idx', 'usage_day_branch_id_session_id_idx']
const INDEXES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'index'",
  postgresql: "SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public'",
}
const KEPT = [
  'session',
  'entry',
  'pack',
  'block',
  'label',
  'workspace',
  'usage_fact',
  'usage_day',
  'usage_quarter',
  'usage_margin',
  'usage_total',
]

const T0 = Date.UTC(2026, 0, 5)
const SESSIONS = 5

/** A long text, so that there are blocks; every second request by another model. */
const write = (id: string, index: number): EntryWrite => ({
  entry: {
    kind: 'message',
    id,
    at: T0 + index * 60_000,
    role: 'assistant',
    content: [{ type: 'text', text: `${id} says: `.padEnd(700, 'word ') }],
  },
  request: {
    callId: id,
    at: T0 + index * 60_000,
    model: index % 2 === 0 ? 'large' : 'small',
    inputTokens: 1,
    cacheReadTokens: 2,
    cacheWrite5mTokens: 3,
    cacheWrite1hTokens: 4,
    outputTokens: 5,
    costNano: BigInt(index + 1),
    costState: 'computed',
  },
})

const CHECKED = ['session', 'usage_fact', 'entry']
/** Columns without a value, which may be missing. */
const OPTIONAL: readonly (readonly [table: string, column: string])[] = [
  ...CHECKED.map((table) => [table, 'checksum'] as const),
  ['session', 'unsynced_from'],
  ...['attempt', 'first_token_ms', 'total_ms'].map((column) => ['usage_fact', column] as const),
]

/** What later versions added to tables that are written here. */
const SUMS = ['usage_quarter', 'usage_day', 'usage_margin', 'usage_total']
const LIFETIMES = ['cache_write_30m', 'cache_write_12h']
const LATER: readonly (readonly [table: string, column: string])[] = [
  ...['unsynced', 'synced_entries', 'shared', 'machine_id'].map((column) => ['session', column] as const),
  ['session', 'missing_output_nano'],
  ['usage_fact', 'output_rate'],
  ...SUMS.map((table) => [table, 'missing_output_nano'] as const),
  ...['usage_fact', ...SUMS].flatMap((table) => LIFETIMES.map((column) => [table, column] as const)),
  ...SUMS.flatMap((table) => ['timed', 'first_token_ms', 'total_ms'].map((column) => [table, column] as const)),
]

/** Writes as this version does, to which tables and columns of later versions are lent: what they hold is thrown away. */
const fill = async (database: SqlDatabase): Promise<void> => {
  const bytes = database.dialect === 'sqlite' ? 'BLOB' : 'BYTEA'
  await database.transaction({ durability: 'lazy' }, (transaction) =>
    transaction.run(
      `CREATE TABLE search_tail (entry_id INTEGER, session_id INTEGER, seq INTEGER, workspace_id INTEGER, data ${bytes})`,
    ),
  )
  await database.transaction({ durability: 'lazy' }, async (transaction) => {
    await transaction.run('CREATE TABLE clean_up (id INTEGER, removed_names INTEGER)')
    await transaction.run('INSERT INTO clean_up VALUES (1, 0)')
  })
  for (const [table, column] of LATER)
    await database.transaction({ durability: 'lazy' }, (transaction) =>
      transaction.run(`ALTER TABLE ${table} ADD COLUMN ${column} BIGINT NOT NULL DEFAULT 0`),
    )
  for (const [table, column] of OPTIONAL)
    await database.transaction({ durability: 'lazy' }, (transaction) =>
      transaction.run(`ALTER TABLE ${table} ADD COLUMN ${column} INTEGER`),
    )
  const appends = new Appends({
    database,
    maintenance: new IndexMaintenance(database, INDEX_SIZES),
    labels: new LabelCache(),
    packs: new PackReader(database, processBudget()),
    pending: new Map(),
  })
  for (let session = 0; session < SESSIONS; session += 1) {
    const facts = {
      id: `cairn:s${session}`,
      agent: 'cairn',
      externalId: `s${session}`,
      workspace: '/work/shop',
      branch: 'main',
    }
    await appends.append(
      facts,
      0,
      Array.from({ length: session + 1 }, (_, index) => write(`s${session}-${index}`, index)),
    )
  }
  await appends.idle()
  await database.transaction({ durability: 'lazy' }, (transaction) => transaction.run('DROP TABLE search_tail'))
  await database.transaction({ durability: 'lazy' }, (transaction) => transaction.run('DROP TABLE clean_up'))
  for (const [table, column] of LATER)
    await database.transaction({ durability: 'lazy' }, (transaction) =>
      transaction.run(`ALTER TABLE ${table} DROP COLUMN ${column}`),
    )
  for (const [table, column] of OPTIONAL)
    await database.transaction({ durability: 'lazy' }, (transaction) =>
      transaction.run(`ALTER TABLE ${table} DROP COLUMN ${column}`),
    )
}

/** What they added, and nothing here writes. */
const UNWRITTEN = ['finding', 'remote', 'chosen_project', 'sent_project']

const later = new Set([...[...LATER, ...OPTIONAL].map(([, column]) => column), ...UNWRITTEN])

const rowsOf = async (database: SqlDatabase): Promise<readonly unknown[]> => {
  const all: unknown[] = []
  for (const table of KEPT) {
    const rows = await database.all<SqlRow>(`SELECT * FROM ${table}`)
    all.push([
      table,
      rows
        .map((row) =>
          JSON.stringify(
            Object.entries(row)
              .filter(([column]) => !later.has(column))
              .sort(),
          ),
        )
        .sort(),
    ])
  }
  return all
}

const indexesOf = async (database: SqlDatabase): Promise<readonly string[]> =>
  (await database.all<{ name: string }>(INDEXES[database.dialect])).map(({ name }) => name)

/** `open` opens the database after these migrations. */
const migrate = async (
  address: string,
  migrations: readonly Migration[],
  open: (migrations: readonly Migration[]) => Promise<SqlDatabase>,
): Promise<void> => {
  const old = await open(before(migrations))
  await fill(old)
  expect(await indexesOf(old)).toEqual(expect.arrayContaining(DROPPED))
  const rows = await rowsOf(old)
  await old.close()

  const store = await openStore(address)
  expect(await store.verify()).toEqual([])
  expect(await store.sessions.read('cairn:s4')).toHaveLength(5)
  const page = await store.sessions.list({ model: 'small', branch: 'main', sort: 'messages', order: 'ascending' })
  expect(page.sessions.map(({ externalId, costNano }) => [externalId, costNano])).toEqual([
    ['s1', 3n],
    ['s2', 6n],
    ['s3', 10n],
    ['s4', 15n],
  ])
  // The search index, which came later, is made at the first search.
  expect((await store.search.search({ text: 'says', limit: 99 })).length).toBe(15)
  expect(await store.verify()).toEqual([])
  await store.close()

  const now = await open(migrations)
  expect(await rowsOf(now)).toEqual(rows)
  const indexes = await indexesOf(now)
  expect(indexes).toEqual(expect.arrayContaining(MADE))
  expect(indexes.filter((name) => DROPPED.includes(name))).toEqual([])
  await now.close()
}

describe('the index of session lists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-migration-'))
  let server: TemporaryPostgres | undefined

  beforeAll(async () => {
    server = await startPostgres()
  })

  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is added to a SQLite store of the previous version', async () => {
    const path = join(folder, 'store.db')
    await migrate(`file:${path}`, sqliteMigrations, (migrations) => SqliteDatabase.open(path, migrations))
  })

  it('is added to a PostgreSQL store of the previous version', async () => {
    const address = (await server?.database()) ?? ''
    await migrate(address, postgresMigrations, (migrations) => PostgresDatabase.open(address, migrations))
  })
})
