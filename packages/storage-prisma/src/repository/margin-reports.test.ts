import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { createInMemoryStore } from '@cairn/core/testing'
import type { EntryWrite, Store, UsageQuery } from '@cairn/core'
import { openStore } from '../open-store.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import { MarginReports } from './margin-reports.ts'

const DAY = 86_400_000
const START = Date.UTC(2025, 8, 30)
const NAMED = ['model', 'mode', 'agent', 'branch', 'workspace', 'project'] as const

/** Costs of different lengths, some of them equal; every seventh without a time, and without a branch. */
const request = (session: number, index: number): EntryWrite => {
  const at = index % 7 === 6 ? null : START + ((session * 31 + index * 13) % 50) * DAY + ((index * 8_765_432) % DAY)
  return {
    entry: { kind: 'message', id: `m${index}`, at, role: 'assistant', content: [] },
    request: {
      callId: `s${session}-c${index}`,
      at,
      // A name that requests without one have in reports, too.
      model: (session * index) % 5 === 3 ? 'unknown' : `model-${(session * index) % 5}`,
      workspace: `/work/${session % 7}`,
      ...(index % 7 === 5 ? {} : { branch: (session + index) % 6 === 2 ? 'unknown' : `b${(session + index) % 6}` }),
      mode: index % 3 === 0 ? 'plan' : 'act',
      inputTokens: 3 + session * 7 + index,
      cacheReadTokens: 1_000 * index,
      cacheWrite5mTokens: session,
      cacheWrite1hTokens: 0,
      outputTokens: 5 + (index % 3),
      costNano: index % 4 === 1 ? null : 7n ** BigInt((session + index) % 12),
      costState: index % 4 === 1 ? 'unpriced' : index % 4 === 0 ? 'recorded' : 'computed',
    },
  }
}

const QUERIES: readonly UsageQuery[] = NAMED.flatMap((by) => [
  { by },
  { by, limit: 1 },
  { by, limit: 3, since: START + 5 * DAY + 1_234 },
  { by, since: START + 2 * DAY + 3_600_000, until: START + 33 * DAY - 1, limit: 2 },
  { by, since: START + 2 * DAY + 3_600_000, until: START + 33 * DAY - 1 },
  { by, since: START + 40 * DAY, until: START + 40 * DAY },
  { by, since: START - 9 * DAY, until: START },
  { by, since: START + 3 * DAY, until: START + 3 * DAY + 700_000 },
])

describe('reports on PostgreSQL that are asked for at once', () => {
  let server: TemporaryPostgres
  let address: string
  let store: Store
  const reference = createInMemoryStore()

  beforeAll(async () => {
    server = await startPostgres()
    address = await server.database()
    store = await openStore(address)
    for (const each of [store, reference])
      for (let session = 0; session < 15; session += 1)
        await each.sessions.append(
          { id: `cairn:${session}`, agent: session % 2 === 0 ? 'cairn' : 'pi', externalId: `${session}` },
          0,
          Array.from({ length: 20 }, (_, index) => request(session, index)),
        )
  }, 120_000)

  afterAll(async () => {
    await store.close()
    await server.stop()
  }, 60_000)

  it('are those that are made one by one', async () => {
    const wanted = await Promise.all(QUERIES.map((query) => reference.usage.report(query)))
    const atOnce = await Promise.all(QUERIES.map((query) => store.usage.report(query)))
    expect(atOnce.map((report, index) => [QUERIES[index], report])).toEqual(
      wanted.map((report, index) => [QUERIES[index], report]),
    )
    for (const [index, query] of QUERIES.entries())
      expect([query, await store.usage.report(query)]).toEqual([query, wanted[index]])
  })

  it('are refused where the sums of a dimension are not those of another', async () => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      await client.query('UPDATE usage_margin SET output_tokens = output_tokens + 1 WHERE dimension = 5 AND day >= 0')
      await expect(store.usage.report({ by: 'branch' })).rejects.toMatchObject({ code: 'storage-corrupt' })
      // What is asked for beside it is of the same statement; by itself it is right.
      expect(await store.usage.report({ by: 'model' })).toEqual(await reference.usage.report({ by: 'model' }))
      await client.query('UPDATE usage_margin SET output_tokens = output_tokens - 1 WHERE dimension = 5 AND day >= 0')
      expect(await store.usage.report({ by: 'branch' })).toEqual(await reference.usage.report({ by: 'branch' }))
    } finally {
      await client.end()
    }
  })
})

/** A database of which only statements, and names that nobody asks for, are known. */
const databaseOf = (all: (sql: string) => Promise<never[]>): SqlDatabase =>
  ({ all, lookup: () => Promise.resolve([]), dialect: 'postgresql', location: 'here' }) as unknown as SqlDatabase

describe('statements of reports', () => {
  it('are one for each range of time, however many ask, and new ones afterwards', async () => {
    const sent: string[] = []
    const all = (sql: string): Promise<never[]> => {
      sent.push(sql)
      return Promise.resolve([])
    }
    const reports = new MarginReports(databaseOf(all))
    const ask = () =>
      Promise.all(
        [{}, { since: START }, { since: START }].flatMap((range) =>
          (['model', 'branch', 'agent'] as const).map((by) => reports.report({ by, ...range, limit: 4 }, by)),
        ),
      )
    const found = await ask()
    expect(found.every(({ rows, total }) => rows.length === 0 && total.requests === 0)).toBe(true)
    expect(sent).toHaveLength(2)
    await ask()
    expect(sent).toHaveLength(4)
  })

  it('fail for all who asked, and not for those who ask afterwards', async () => {
    let failures = 1
    const all = (): Promise<never[]> => {
      failures -= 1
      return failures < 0 ? Promise.resolve([]) : Promise.reject(new Error('away'))
    }
    const reports = new MarginReports(databaseOf(all))
    const ask = () =>
      Promise.allSettled([reports.report({ by: 'model' }, 'model'), reports.report({ by: 'mode' }, 'mode')])
    expect((await ask()).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect((await ask()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  })
})
