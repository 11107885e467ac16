/** Stores of the version before, which knew no price of missing output, get the estimate for what they hold. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryWrite, Store, UsageGrouping } from '@cairn/core'
import { migrations as postgresMigrations } from '../generated/postgresql/migrations.ts'
import { migrations as sqliteMigrations } from '../generated/sqlite/migrations.ts'
import { openStore } from '../open-store.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { checkedTables } from '../sql/row-checksum.ts'
import { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import type { Migration } from './migration.ts'

const NAME = '20261122085824_missing_output_cost'
const last = (migrations: readonly Migration[]): Migration | undefined => migrations.find(({ name }) => name === NAME)

const T0 = Date.UTC(2026, 0, 5)
const GROUPINGS: readonly UsageGrouping[] = ['session', 'model', 'mode', 'workspace', 'branch', 'agent', 'day', 'month']
const LATER = ['session', 'usage_quarter', 'usage_day', 'usage_margin', 'usage_total']

interface Written {
  readonly model: string
  readonly output: number
  readonly costOutput: bigint
  readonly visible: number
  readonly state?: 'recorded' | 'unpriced'
}

/** At 15,000 nano-USD a token of the large model, 37.5 of the small one. */
const REQUESTS: readonly Written[] = [
  { model: 'large', output: 2, costOutput: 30_000n, visible: 270 },
  { model: 'large', output: 100, costOutput: 1_500_000n, visible: 10 },
  { model: 'large', output: 0, costOutput: 0n, visible: 27 },
  { model: 'small', output: 2, costOutput: 75n, visible: 27 },
  { model: 'large', output: 1, costOutput: 0n, visible: 27, state: 'recorded' },
  { model: 'none', output: 1, costOutput: 0n, visible: 270, state: 'unpriced' },
]
/** 98, 0, 10 and 9 tokens of the large model and 8 of the small one. */
const EXPECTED = (98n + 10n + 9n) * 15_000n + 300n

const writeOf = ({ model, output, costOutput, visible, state }: Written, index: number): EntryWrite => {
  const at = index === 3 ? null : T0 + index * 40_000_000
  return {
    entry: { kind: 'message', id: `m${index}`, at, role: 'assistant', content: [{ type: 'text', text: 'words' }] },
    visibleCharacters: visible,
    request: {
      callId: `c${index}`,
      at,
      model,
      workspace: `/work/${index % 2}`,
      inputTokens: 1,
      cacheReadTokens: 2,
      cacheWrite5mTokens: 3,
      cacheWrite1hTokens: 4,
      outputTokens: output,
      costNano: state === 'unpriced' ? null : 2_000_000n,
      costState: state ?? 'computed',
      costSplit: { cacheReadNano: 1n, cacheWriteNano: 1n, outputNano: costOutput, savedNano: 0n },
    },
  }
}

const fill = async (store: Store): Promise<void> => {
  for (const [index, written] of REQUESTS.entries()) {
    const id = `s${index % 2}`
    const known = await store.sessions.get(`cairn:${id}`)
    const facts = { id: `cairn:${id}`, agent: 'cairn', externalId: id }
    const result = await store.sessions.append(facts, known?.entries ?? 0, [writeOf(written, index)])
    expect(result.ok).toBe(true)
  }
}

/** Makes it a store of the version before: one without the columns that came with it and after it. */
const takeBack = async (database: SqlDatabase): Promise<void> => {
  await database.transaction({ durability: 'synced' }, async (transaction) => {
    for (const table of LATER) await transaction.run(`ALTER TABLE ${table} DROP COLUMN missing_output_nano`)
    await transaction.run('ALTER TABLE usage_fact DROP COLUMN output_rate')
    for (const table of ['usage_fact', ...LATER.slice(1)])
      for (const column of ['cache_write_30m', 'cache_write_12h', 'first_token_ms', 'total_ms'])
        await transaction.run(`ALTER TABLE ${table} DROP COLUMN ${column}`)
    for (const table of LATER.slice(1)) await transaction.run(`ALTER TABLE ${table} DROP COLUMN timed`)
    await transaction.run('ALTER TABLE usage_fact DROP COLUMN attempt')
    for (const { table } of checkedTables) await transaction.run(`ALTER TABLE ${table.name} DROP COLUMN checksum`)
    await transaction.run('DROP INDEX state_scope_revision_idx')
    await transaction.run('ALTER TABLE state DROP COLUMN revision')
    await transaction.run('DROP INDEX checkpoint_session_id_at_idx')
    for (const column of ['kind', 'label', 'left_out'])
      await transaction.run(`ALTER TABLE checkpoint DROP COLUMN ${column}`)
    await transaction.run('DROP INDEX session_unsynced_idx')
    for (const column of ['unsynced', 'unsynced_from', 'synced_entries', 'shared', 'machine_id'])
      await transaction.run(`ALTER TABLE session DROP COLUMN ${column}`)
    await transaction.run('DROP INDEX usage_day_branch_id_session_id_idx')
    await transaction.run('ALTER TABLE deleted_session DROP COLUMN withdraw')
    for (const column of ['finding', 'remote', 'chosen_project', 'sent_project'])
      await transaction.run(`ALTER TABLE workspace DROP COLUMN ${column}`)
    for (const table of ['machine', 'request_failure', 'clean_up', 'health_sample', 'state_scope'])
      await transaction.run(`DROP TABLE ${table}`)
    await transaction.run('DELETE FROM _prisma_migrations WHERE migration_name >= ?', [NAME])
  })
}

const migrate = async (address: string, open: () => Promise<SqlDatabase>): Promise<void> => {
  const made = await openStore(address)
  await fill(made)
  expect((await made.usage.report({ by: 'day' })).total.missingOutputCostNano).toBe(0n)
  await made.close()
  const database = await open()
  await takeBack(database)
  await database.close()

  const store = await openStore(address)
  try {
    for (const by of GROUPINGS) {
      const { rows, total } = await store.usage.report({ by })
      expect([by, total.missingOutputCostNano]).toEqual([by, EXPECTED])
      expect([by, rows.reduce((sum, row) => sum + row.missingOutputCostNano, 0n)]).toEqual([by, EXPECTED])
    }
    const { sessions } = await store.sessions.list({})
    expect(sessions.reduce((sum, session) => sum + session.missingOutputCostNano, 0n)).toBe(EXPECTED)
    expect(await store.verify()).toEqual([])
    await store.rebuild()
    expect((await store.usage.report({ by: 'model' })).total.missingOutputCostNano).toBe(EXPECTED)
  } finally {
    await store.close()
  }
}

describe('the cost of unrecorded output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-missing-output-'))
  let server: TemporaryPostgres | undefined

  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it('is in the newest migrations of both databases', () => {
    expect([last(sqliteMigrations)?.name, last(postgresMigrations)?.name]).toEqual([NAME, NAME])
  })

  it('is computed for a SQLite store of the previous version', async () => {
    const path = join(folder, 'store.db')
    await migrate(`file:${path}`, () => SqliteDatabase.open(path, sqliteMigrations))
  }, 60_000)

  it('is computed for a PostgreSQL store of the previous version', async () => {
    const address = (await server?.database()) ?? ''
    await migrate(address, () => PostgresDatabase.open(address, postgresMigrations))
  }, 60_000)
})
