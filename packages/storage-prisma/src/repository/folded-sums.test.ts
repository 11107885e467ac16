import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { createInMemoryStore } from '@cairn/core/testing'
import type { EntryWrite, Store, UsageQuery } from '@cairn/core'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'

const DAY = 86_400_000
/** Long over; with the days of today, which stay in shards. */
const START = Date.UTC(2024, 2, 28)
const SESSIONS = 21

const request = (session: number, index: number, at: number | null): EntryWrite => ({
  entry: { kind: 'message', id: `m${index}`, at, role: 'assistant', content: [] },
  request: {
    callId: `s${session}-c${index}`,
    at,
    model: `model-${(session + index) % 4}`,
    workspace: `/work/${session % 5}`,
    branch: `b${session % 3}`,
    mode: index % 2 === 0 ? 'plan' : 'act',
    inputTokens: 3 + session * 7 + index,
    cacheReadTokens: 1_000 * index,
    cacheWrite5mTokens: session,
    cacheWrite1hTokens: 0,
    outputTokens: 5 + (index % 3),
    costNano: BigInt(1_000_003 * (1 + session) + index),
    costState: index % 4 === 0 ? 'recorded' : 'computed',
  },
})

/** Over 90 days from START, two of them at a time that is not known and now. */
const writesOf = (session: number): readonly EntryWrite[] => [
  ...Array.from({ length: 12 }, (_, index) =>
    request(session, index, START + ((session * 17 + index * 29) % 90) * DAY + ((index * 7_654_321) % DAY)),
  ),
  request(session, 12, null),
  request(session, 13, Date.now()),
]

const append = (store: Store, session: number, seq: number, writes: readonly EntryWrite[]) =>
  store.sessions.append({ id: `cairn:${session}`, agent: 'cairn', externalId: `${session}` }, seq, writes)

const QUERIES: readonly UsageQuery[] = (
  ['day', 'week', 'model', 'mode', 'agent', 'branch', 'workspace', 'project', 'session'] as const
).flatMap((by) => [
  { by },
  { by, limit: 2 },
  { by, timeZone: 'Asia/Kathmandu', since: START + 5 * DAY + 1_234 },
  { by, timeZone: 'America/St_Johns', since: START + DAY, until: START + 80 * DAY - 1, limit: 3 },
])

describe('sums of past days on PostgreSQL', () => {
  let server: TemporaryPostgres
  let store: DatabaseStore
  let client: pg.Client
  const reference = createInMemoryStore()

  const count = async (condition: string): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT (SELECT count(*) FROM usage_margin WHERE ${condition}) + (SELECT count(*) FROM usage_total WHERE ${condition}) AS count`,
    )
    return Number(rows[0]?.count)
  }
  const fold = (): Promise<unknown> => store.cleanUp.removeOrphans({ dryRun: false, quick: true })
  const expectSame = async (): Promise<void> => {
    for (const query of QUERIES)
      expect([query, await store.usage.report(query)]).toEqual([query, await reference.usage.report(query)])
  }

  beforeAll(async () => {
    server = await startPostgres()
    const address = await server.database()
    store = await openStore(address)
    client = new pg.Client({ connectionString: address })
    await client.connect()
    for (const each of [store, reference])
      for (let session = 0; session < SESSIONS; session += 1) await append(each, session, 0, writesOf(session))
  }, 120_000)

  afterAll(async () => {
    await client.end()
    await store.close()
    await server.stop()
  }, 60_000)

  it('are put together from their shards, and stay the same', async () => {
    const before = await count('shard > 0')
    await expectSame()
    await store.cleanUp.removeOrphans({ dryRun: true, quick: true })
    expect(await count('shard > 0')).toBe(before)
    await fold()
    await expectSame()
    // Those of now, and without a time, are still written to.
    const { rows } = await client.query<{ day: number }>(
      'SELECT DISTINCT day FROM usage_margin WHERE shard > 0 ORDER BY day',
    )
    expect(rows.map(({ day }) => day)).toEqual([-1, expect.any(Number)])
    expect(await count('shard = 0')).toBeGreaterThan(0)
  })

  it('are right while more is written to them, and while a session is removed', async () => {
    for (const each of [store, reference]) {
      // One more of a day and mode of which a session of the same shard, the twentieth, has the only request: that is removed.
      await append(each, 3, 14, [
        request(3, 14, START + 2 * DAY),
        request(3, 15, START + 61 * DAY),
        request(3, 16, START + 53 * DAY),
      ])
      await each.sessions.delete('cairn:19')
      await each.sessions.delete('cairn:4')
      await each.sessions.delete('cairn:11')
    }
    await expectSame()
    expect(await count('requests < 0')).toBeGreaterThan(0)
    await fold()
    await expectSame()
    expect(await count('requests <= 0')).toBe(0)
    expect(await store.verify()).toEqual([])
  })

  it('are put together when they are made anew', async () => {
    await store.rebuild()
    expect(await count(`shard > 0 AND requests > 0`)).toBeLessThan(200)
    await expectSame()
  })

  it('are put together when a machine sends what it used', async () => {
    await append(store, 50, 0, [request(50, 0, START)])
    await append(reference, 50, 0, [request(50, 0, START)])
    const sharded = async (): Promise<number> => {
      const { rows } = await client.query('SELECT 1 FROM usage_margin WHERE day >= 0 AND day < 20000 AND shard > 0')
      return rows.length
    }
    expect(await sharded()).toBeGreaterThan(0)
    await store.sync.target.receive({ machine: { id: 'm' }, at: Date.now(), sessions: [], requests: [] })
    expect(await sharded()).toBe(0)
    await expectSame()
  })
})
