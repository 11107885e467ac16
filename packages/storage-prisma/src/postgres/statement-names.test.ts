import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EntryWrite } from '@cairn/core'
import pg from 'pg'
import { openStore } from '../open-store.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import { StatementNames } from './statement-names.ts'

const failure = (code: string): Error => Object.assign(new Error('x'), { code })

describe('names of statements', () => {
  it('are the same for the same text in every process, and other ones for others', () => {
    const [one, other] = [new StatementNames(), new StatementNames()]
    expect(one.of('SELECT 1')).toBe(other.of('SELECT 1'))
    expect(one.of('SELECT 1')).not.toBe(one.of('SELECT 2'))
    // Longer names would be cut by the server.
    expect(one.of('SELECT 1')).toMatch(/^cairn_[0-9a-f]{32}$/)
  })

  it('are given to so many only; those that have one keep it', () => {
    const names = new StatementNames()
    const given = Array.from({ length: 300 }, (_, index) => names.of(`SELECT ${index}`))
    expect(given.filter((name) => name !== undefined)).toHaveLength(200)
    expect(names.of('SELECT 7')).toBe(given[7])
  })

  it('are given up with the first that a session does not know, and for no other failure', () => {
    const names = new StatementNames()
    for (const code of ['23505', '25P02', '40001']) names.hear(failure(code))
    expect(names.inUse).toBe(names)
    names.hear(failure('26000'))
    expect(names.inUse).toBeUndefined()
    expect(names.of('SELECT 1')).toBeUndefined()
  })
})

describe('a store on PostgreSQL', () => {
  let server: TemporaryPostgres

  beforeAll(async () => {
    server = await startPostgres()
  })

  afterAll(() => server.stop())

  const session = { id: 'cairn:s', agent: 'cairn', externalId: 's' }
  const message = (id: string): EntryWrite => ({
    entry: { kind: 'message', id, at: 1, role: 'user', content: [{ type: 'text', text: `said ${id}` }] },
    externalId: id,
  })

  it('goes on when a table is changed below its statements', async () => {
    const address = await server.database()
    const store = await openStore(address)
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    const append = async (count: number): Promise<void> =>
      expect(await store.sessions.append(session, count, [message(`m${count}`)])).toMatchObject({ ok: true })
    for (let count = 0; count < 8; count += 1) await append(count)
    // What a statement answers has another type then: its plan is not valid any more.
    await client.query('ALTER TABLE session ALTER COLUMN next_seq TYPE bigint')
    for (let count = 8; count < 12; count += 1) await append(count)
    expect((await store.sessions.read(session.id)).map((entry) => entry.kind === 'message' && entry.id)).toEqual(
      Array.from({ length: 12 }, (_, index) => `m${index}`),
    )
    await client.end()
    await store.close()
  })
})
