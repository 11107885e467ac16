/** What lets a session lie in one database, and others in another: read from the catalogue of a real one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { openStore } from '../open-store.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'

/**
 * Tables without a session, and why no row of a session in another database is missed by that: each database has its own
 * names, folders and machines; what is remembered, set and imported is in no team's store; the rest is about the database.
 */
const WITHOUT_SESSION = {
  names: ['label', 'machine', 'workspace'],
  sums: ['usage_margin', 'usage_total'],
  contents: ['block'],
  'search index': ['search_page', 'search_segment'],
  'in no team’s store': ['import_skip', 'imported_file', 'state', 'state_scope'],
  'the database itself': ['_prisma_migrations', 'clean_up', 'health_sample'],
  'known by the session’s public id': ['deleted_session', 'session'],
}

let server: TemporaryPostgres
let client: pg.Client

beforeAll(async () => {
  server = await startPostgres()
  const address = await server.database()
  await (await openStore(address)).close()
  client = new pg.Client({ connectionString: address })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.stop()
})

const namesOf = async (sql: string): Promise<string[]> =>
  (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name).sort()

describe('the tables of a store', () => {
  it('have a session in each row, or are known to need none', async () => {
    const tables = await namesOf("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
    const withSession = await namesOf(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'session_id'`,
    )
    expect(tables.filter((name) => !withSession.includes(name))).toEqual(Object.values(WITHOUT_SESSION).flat().sort())
    expect(withSession).toEqual(expect.arrayContaining(['entry', 'pack', 'usage_fact', 'usage_quarter', 'usage_day']))
  })

  it('refer to nothing by keys that the database would have to hold itself', async () => {
    expect(await namesOf("SELECT conname AS name FROM pg_constraint WHERE contype = 'f'")).toEqual([])
    expect(await namesOf('SELECT foreign_table_name AS name FROM information_schema.foreign_tables')).toEqual([])
  })

  it('keep a call, a session and an entry unique, which a partition by time or folder could not', async () => {
    const unique = await client.query<{ table: string; columns: string }>(
      `SELECT indrelid::regclass::text AS "table", string_agg(attname, ',' ORDER BY ord) AS columns
       FROM pg_index CROSS JOIN LATERAL unnest(indkey) WITH ORDINALITY AS key(attnum, ord)
       JOIN pg_attribute ON attrelid = indrelid AND pg_attribute.attnum = key.attnum
       WHERE indisunique AND indrelid::regclass::text IN ('usage_fact', 'session', 'entry') GROUP BY indexrelid, indrelid`,
    )
    const keys = unique.rows.map(({ table, columns }) => `${table} ${columns}`)
    expect(keys).toEqual(
      expect.arrayContaining([
        'usage_fact call_hash',
        'session key',
        'entry session_id,seq',
        'entry session_id,external_id',
      ]),
    )
  })
})
