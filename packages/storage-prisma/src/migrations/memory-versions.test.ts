/** What stores of the version before held of memory and notes is the first version of it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations as postgresMigrations } from '../generated/postgresql/migrations.ts'
import { migrations as sqliteMigrations } from '../generated/sqlite/migrations.ts'
import { openStore } from '../open-store.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import type { Migration } from './migration.ts'

const NAME = '20261121182508_memory_and_recall'
const before = (migrations: readonly Migration[]): readonly Migration[] => migrations.filter(({ name }) => name < NAME)

const folder = mkdtempSync(join(tmpdir(), 'cairn-memory-versions-'))
let server: TemporaryPostgres | undefined

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Two versions of an entry, the second one current, and a note. */
const fill = (database: SqlDatabase): Promise<void> =>
  database.transaction({ durability: 'lazy' }, async (transaction) => {
    const version =
      'INSERT INTO memory_version (entry_id, workspace, kind, text, confidence, examples, first_seen_at, last_confirmed_at, applications, valid_from, valid_to) VALUES'
    await transaction.run(`${version} ('m', '/w', 'pattern', 'one', 0.5, '["a"]', 100, 100, 0, 100, 200)`)
    await transaction.run(`${version} ('m', '/w', 'pattern', 'two', 0.6, '[]', 100, 200, 1, 200, NULL)`)
    await transaction.run(
      `INSERT INTO note (workspace, "key", text, session_id, created_at, updated_at) VALUES ('/w', 'k', 'noted', 's', 100, 300)`,
    )
  })

const expectKept = async (address: string): Promise<void> => {
  const store = await openStore(address)
  try {
    expect(await store.notes.list('/w')).toEqual([
      { workspace: '/w', key: 'k', text: 'noted', sessionId: 's', createdAt: 100, updatedAt: 300 },
    ])
    expect(await store.memory.get('m')).toMatchObject({
      text: 'two',
      source: 'user',
      commit: null,
      confirmations: 0,
      contradictions: 0,
    })
    expect(
      (await store.memory.history('m')).map(({ entry: { text }, validFrom, validTo }) => [text, validFrom, validTo]),
    ).toEqual([
      ['one', 100, 200],
      ['two', 200, null],
    ])
    await store.notes.set({ workspace: '/w', key: 'k', text: 'again', at: 400 })
    expect([(await store.notes.get('/w', 'k', 300))?.text, (await store.notes.get('/w', 'k'))?.text]).toEqual([
      'noted',
      'again',
    ])
  } finally {
    await store.close()
  }
}

describe('memory and notes of the previous version', () => {
  it('are kept on SQLite', async () => {
    const path = join(folder, 'store.db')
    const old = await SqliteDatabase.open(path, before(sqliteMigrations))
    await fill(old)
    await old.close()
    await expectKept(`file:${path}`)
  })

  it('are kept on PostgreSQL', async () => {
    if (server === undefined) throw new Error('there is no server')
    const address = await server.database()
    const old = await PostgresDatabase.open(address, before(postgresMigrations))
    await fill(old)
    await old.close()
    await expectKept(address)
  })
})
