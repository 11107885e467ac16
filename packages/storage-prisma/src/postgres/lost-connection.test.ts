/** A PostgreSQL server that is restarted while stores are open: nobody is told, nothing is lost, nothing is there twice. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { CairnError, StorageError } from '@cairn/core'
import type { EntryWrite } from '@cairn/core'
import { memoryEntry, writeMemory } from '@cairn/core/testing'
import { openStore } from '../open-store.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import { LAST_STATEMENT, isConnectionLost, untilConnected, wasCommitted } from './lost-connection.ts'
import type { LastStatement } from './lost-connection.ts'

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

const isOurs = process.env['CAIRN_TEST_POSTGRES_URL'] === undefined ? it : it.skip

describe('A store on PostgreSQL', () => {
  isOurs('goes on through restarts of the server, without an error and without a loss', async () => {
    const store = await openStore(await server.database())
    let isOver = false
    const appends = async (): Promise<number> => {
      let count = 0
      for (; !isOver; count += 1) {
        const result = await store.sessions.append(session, count, [message(`m${count}`)])
        // A commit without an answer, done again, would find its own entry there.
        expect(result).toMatchObject({ ok: true })
      }
      return count
    }
    const settings = async (): Promise<number> => {
      let count = 0
      for (; !isOver; count += 1) await store.state.set({ tier: 'global' }, new Map([['count', count]]))
      return count
    }
    const entries = async (): Promise<number> => {
      let count = 0
      for (; !isOver; count += 1) await writeMemory(store, count + 1, { op: 'put', entry: memoryEntry(`e${count}`) })
      return count
    }
    const reads = async (): Promise<number> => {
      let count = 0
      for (; !isOver; count += 1) expect((await store.sessions.list({})).total).toBeLessThan(2)
      return count
    }
    const work = Promise.all([appends(), settings(), entries(), reads()])
    let failure: unknown
    work.catch((error: unknown) => (failure = error))
    const written = async (): Promise<number> => (await store.sessions.get(session.id))?.entries ?? 0
    for (let restart = 0; restart < 3; restart += 1) {
      const before = await written()
      while (failure === undefined && (await written()) < before + 5) await setImmediate()
      await server.restart()
    }
    isOver = true
    const [appended, set, remembered] = await work
    expect((await store.sessions.read(session.id)).map((entry) => entry.kind === 'message' && entry.id)).toEqual(
      Array.from({ length: appended }, (_, index) => `m${index}`),
    )
    expect(await store.state.get({ tier: 'global' }, 'count')).toBe(set - 1)
    expect(await store.memory.list('/work/shop')).toHaveLength(remembered)
    expect(await store.verify()).toEqual([])
    await store.close()
  })
})

describe('A transaction whose connection was lost at its commit', () => {
  it('is found out to be committed, or not', async () => {
    const pool = new pg.Pool({ connectionString: await server.database() })
    const ended = async (by: 'COMMIT' | 'ROLLBACK'): Promise<LastStatement> => {
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query('CREATE TABLE IF NOT EXISTS t (id int)')
      await client.query('INSERT INTO t VALUES (1)')
      const { rows } = await client.query<LastStatement>(LAST_STATEMENT)
      await client.query(by)
      client.release()
      if (rows[0] === undefined) throw new Error('no answer')
      return rows[0]
    }
    const kept = await ended('COMMIT')
    expect(await wasCommitted(pool, 'here', kept)).toBe(true)
    expect(await wasCommitted(pool, 'here', await ended('ROLLBACK'))).toBe(false)
    expect(await wasCommitted(pool, 'here', { ...kept, id: null })).toBe(true)
    // The same number on a server that was promoted may be anybody's.
    await expect(wasCommitted(pool, 'here', { ...kept, timeline: '00000009' })).rejects.toThrow(/is not known/)
    await pool.end()
  })

  it('is told in a sentence when that can’t be found out', async () => {
    const answers = { query: () => Promise.resolve({ rows: [{ status: null }] }) }
    const error: unknown = await wasCommitted(answers as unknown as pg.Pool, 'postgresql://h/d', {
      id: '7',
      timeline: '00000001',
    }).catch((thrown: unknown) => thrown)
    expect(CairnError.is(error) && [error.code, error.message]).toEqual([
      'storage-unavailable',
      expect.stringMatching(
        /^The connection to the store postgresql:\/\/h\/d was lost .+ is not known; see what is there/,
      ),
    ])
  })
})

describe('A lost connection', () => {
  it.each<readonly [unknown, boolean]>([
    [Object.assign(new Error('x'), { code: '57P01' }), true],
    [Object.assign(new Error('x'), { code: '57P05' }), true],
    [Object.assign(new Error('x'), { code: '25P03' }), true],
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), true],
    [new Error('Connection terminated unexpectedly'), true],
    [new Error('outer', { cause: Object.assign(new Error('x'), { originalCode: '57P01' }) }), true],
    [new Error('ConnectionClosed', { cause: { kind: 'ConnectionClosed' } }), true],
    [{ code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'DatabaseNotReachable' } } } }, true],
    [{ code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'UniqueConstraintViolation' } } } }, false],
    [Object.assign(new Error('x'), { code: '23505' }), false],
    [new Error('timeout exceeded when trying to connect'), true],
    [new Error('something else'), false],
    // What became of a commit could not be found out: not to be done again.
    [new StorageError('storage-unavailable', 'x', { cause: Object.assign(new Error('x'), { code: '57P01' }) }), false],
    ['text', false],
  ])('is known from others: case %#', (thrown, isLost) => {
    expect(isConnectionLost(thrown)).toBe(isLost)
  })

  it('is waited for as long as was said, and nothing else is', async () => {
    const failing = (code: string) => {
      let attempts = 0
      const ended = untilConnected(
        () => {
          attempts += 1
          return Promise.reject(Object.assign(new Error(code), { code }))
        },
        undefined,
        100,
      )
      return ended.then(
        () => 0,
        () => attempts,
      )
    }
    expect(await failing('ECONNREFUSED')).toBeGreaterThan(1)
    expect(await failing('23505')).toBe(1)
  })
})
