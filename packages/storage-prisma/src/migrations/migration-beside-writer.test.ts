/** A large store on PostgreSQL is migrated while somebody writes to it, and while somebody reads from it for long. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { migrations } from '../generated/postgresql/migrations.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'

const ROWS = 300_000
/** The version before people, projects and the indexes of branches. */
const OLD = migrations.filter(({ name }) => name < '20261123160000')
/** How long somebody reads from a table that is to be changed, ms. */
const READ_MS = 4_000

let server: TemporaryPostgres
const clients: pg.Client[] = []
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await server.stop()
})

const connected = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  clients.push(client)
  return client
}

const DAY = `INSERT INTO usage_day (day, session_id, workspace_id, model_id, mode_id, agent_id, branch_id, requests, input_tokens,
  cache_read, cache_write_5m, cache_write_1h, output_tokens, reasoning_tokens, cost_nano, recorded_nano, cost_cache_read_nano,
  cost_cache_write_nano, cost_output_nano, saved_nano, unpriced, partial, missing_output)
  SELECT n % 700, n, 1, n % 9, 0, 1, n % 50, 1, 1, 1, 0, 0, 1, 0, 5, 5, 0, 0, 0, 0, 0, 0, 0`

/** A store of the old version with many rows. */
const oldStore = async (): Promise<string> => {
  const address = await server.database()
  await (await PostgresDatabase.open(address, OLD)).close()
  const client = await connected(address)
  await client.query(`${DAY} FROM generate_series(1, ${ROWS}) AS n`)
  return address
}

/** Writes a row after the other, as a program of the old version does, until it is stopped; then says how long the longest took, ms. */
const startWriter = async (
  address: string,
): Promise<{ readonly stop: () => Promise<{ longest: number; rows: number }> }> => {
  const client = await connected(address)
  let isOver = false
  const writing = (async () => {
    let longest = 0
    let rows = 0
    for (; !isOver; rows += 1) {
      const startedAt = performance.now()
      await client.query('BEGIN')
      await client.query(`${DAY} FROM (SELECT $1::int AS n) AS one`, [ROWS + 1 + rows])
      await client.query("UPDATE workspace SET name = name WHERE path = ''")
      await client.query('COMMIT')
      longest = Math.max(longest, performance.now() - startedAt)
    }
    return { longest, rows }
  })()
  return {
    stop: () => {
      isOver = true
      return writing
    },
  }
}

const indexesOf = async (address: string): Promise<readonly string[]> => {
  const { rows } = await (
    await connected(address)
  ).query<{ name: string }>(
    "SELECT relname AS name FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = 'usage_day'::regclass AND indisvalid ORDER BY 1",
  )
  return rows.map(({ name }) => name)
}
const INDEXES = ['usage_day_branch_id_session_id_idx', 'usage_day_pkey', 'usage_day_session_id_model_id_idx']

describe('A migration beside a writer', () => {
  it('keeps nobody waiting behind somebody who reads for long, and is done once they are', async () => {
    const address = await oldStore()
    const reader = await connected(address)
    await reader.query('BEGIN')
    await reader.query('SELECT count(*) FROM workspace')
    const writer = await startWriter(address)
    const startedAt = performance.now()
    const migrating = PostgresDatabase.open(address, migrations)
    await setTimeout(READ_MS)
    await reader.query('COMMIT')
    await (await migrating).close()
    const took = performance.now() - startedAt
    const { longest, rows } = await writer.stop()
    expect(took).toBeGreaterThan(READ_MS)
    expect(rows).toBeGreaterThan(10)
    // A lock that is waited for to the end keeps every writer waiting as long as the reader reads.
    expect(longest).toBeLessThan(READ_MS / 2)
    expect(await indexesOf(address)).toEqual(INDEXES)
    const { rows: counts } = await reader.query<{ count: string }>('SELECT count(*) FROM usage_day')
    expect(Number(counts[0]?.count)).toBe(ROWS + rows)
  })

  it('goes on where a killed one left an index half-built', async () => {
    const address = await oldStore()
    const client = await connected(address)
    // What a CREATE INDEX CONCURRENTLY that is ended in the middle leaves: there, and not to be used.
    await expect(
      client.query('CREATE UNIQUE INDEX CONCURRENTLY usage_day_branch_id_session_id_idx ON usage_day (workspace_id)'),
    ).rejects.toThrow(/could not create unique index/)
    expect(await indexesOf(address)).not.toContain('usage_day_branch_id_session_id_idx')
    const [first, second] = await Promise.all([
      PostgresDatabase.open(address, migrations),
      PostgresDatabase.open(address, migrations),
    ])
    await first.check()
    await first.close()
    await second.close()
    expect(await indexesOf(address)).toEqual(INDEXES)
  })
})
