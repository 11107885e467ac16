/** A store of several databases answers what one with all of it would. */
import { beforeAll, describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import type { EntryWrite, SessionQuery } from '../ports/session-storage.ts'
import { FILE_LIST_SORTS } from '../recall/file-list.ts'
import type { Store } from '../ports/store.ts'
import { USAGE_GROUPINGS, type RequestFact, type UsageQuery } from '../ports/usage-storage.ts'
import { combineStores } from './combine-stores.ts'

const T0 = Date.UTC(2026, 1, 27, 21)
const HOUR = 3_600_000
const SESSIONS = 41
/** The last one lies in the first one's repository, which only some shards know. */
const FOLDERS = ['/work/app', '/work/lib', '/srv/tool', '/work/app/packages/inner']

/** The n-th request of a session; figures of different sizes, in no order. */
const fact = (session: number, n: number): RequestFact => ({
  callId: `call-${session}-${n}`,
  at: n % 11 === 10 ? null : T0 + ((session * 37 + n * 5) % 400) * HOUR,
  model: `model-${(session + n) % 5}`,
  ...(n % 3 === 0 ? {} : { provider: n % 2 === 0 ? 'anthropic' : 'openai' }),
  ...(n % 4 === 0 ? { subagent: `helper-${n}` } : {}),
  ...(session % 6 === 0 ? {} : { workspace: FOLDERS[(session + n) % 7 === 0 ? 2 : session % 4] ?? '' }),
  branch: `branch-${session % 3}`,
  inputTokens: 10 ** (session % 6) + n,
  cacheReadTokens: (session * 7_919) % 50_000,
  cacheWrite5mTokens: n * 13,
  cacheWrite1hTokens: 0,
  outputTokens: 5 + ((session * n) % 900),
  costNano: n % 9 === 8 ? null : BigInt(10 ** (session % 8)) * BigInt(n + 1) + BigInt(session),
  costState: n % 9 === 8 ? 'unpriced' : n % 2 === 0 ? 'recorded' : 'computed',
})

const plant = async (store: Store, session: number): Promise<void> => {
  const writes = Array.from({ length: 1 + ((session * 5) % 17) }, (_, n): EntryWrite => {
    const request = fact(session, n)
    return {
      entry: {
        kind: 'message',
        id: `m${n}`,
        // Every third session has the times of the one before.
        at: T0 + ((session - (session % 3 === 2 ? 1 : 0)) * 53 + n) * HOUR,
        role: 'assistant',
        content: [
          { type: 'text', text: `reply ${n} of session ${session} about shards` },
          {
            type: 'tool_call',
            id: `t${n}`,
            // Some files are only read.
            name: (session + n) % 3 === 0 && (session * 3 + n * n) % 11 < 8 ? 'Edit' : 'Read',
            input: { file_path: `/work/app/src/${(session * 3 + n * n) % 11}.ts` },
          },
        ],
      },
      request,
      visibleCharacters: 40 * n,
    }
  })
  const result = await store.sessions.append(
    {
      id: `claude-code:s${session}`,
      agent: session % 5 === 0 ? 'codex' : 'claude-code',
      externalId: `s${session}`,
      title: `Session ${session % 10}`,
      ...(session % 6 === 0 ? {} : { workspace: FOLDERS[session % 4] ?? '' }),
    },
    0,
    writes,
  )
  if (!result.ok) throw new Error('the session was there')
  if (session % 4 === 1)
    await store.usage.addFailure(`claude-code:s${session}`, {
      id: 'f',
      at: T0 + session,
      model: `model-${session % 2}`,
      code: session % 3 === 0 ? 'overloaded' : 'rate-limit',
      attempt: 1,
      totalMs: 10,
    })
}

const one = createInMemoryStore()
const parts = [createInMemoryStore(), createInMemoryStore(), createInMemoryStore()] as const
const combined = combineStores(parts)

beforeAll(async () => {
  for (let session = 0; session < SESSIONS; session += 1) {
    await plant(one, session)
    await plant(parts[(session * session) % 3] ?? parts[2], session)
  }
  // Of the folder /work/app only, so that what lies in it follows from that.
  for (const store of [one, combined])
    await store.projects.note([{ path: '/work/app', finding: 'repository', remote: 'example.com/app' }])
})

describe('a combined store', () => {
  it('has something in at least two shards', async () => {
    const counts = await Promise.all(parts.map(async (part) => (await part.sessions.list({})).total))
    expect(counts.filter((count) => count > 5).length).toBeGreaterThan(1)
  })

  it.each([...USAGE_GROUPINGS])('reports by %s what one store does, with filters, times and limits', async (by) => {
    const queries: Omit<UsageQuery, 'by'>[] = [
      {},
      { timeZone: 'Asia/Kolkata' },
      { since: T0 + 50 * HOUR, until: T0 + 301 * HOUR },
      { limit: 1 },
      { limit: 3, since: T0 + 20 * HOUR },
      { filter: { model: 'model-2' } },
      { filter: { project: '/work/app/packages/inner' } },
      { filter: { project: 'app', branch: 'branch-1' }, limit: 2 },
      { filter: { workspace: 'unknown' } },
      { filter: { model: 'nobody' } },
    ]
    for (const query of queries)
      expect({ query, report: await combined.usage.report({ by, ...query }) }).toEqual({
        query,
        report: await one.usage.report({ by, ...query }),
      })
  })

  it('has the same movers, provider sums, subagents and failures', async () => {
    const spans = { before: { since: T0, until: T0 + 150 * HOUR }, now: { since: T0 + 150 * HOUR } }
    for (const limit of [1, 4, 100])
      expect(await combined.usage.sessionMovers({ ...spans, limit })).toEqual(
        await one.usage.sessionMovers({ ...spans, limit }),
      )
    const sorted = (values: readonly object[]): string[] =>
      values
        .map((value) => JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)))
        .sort()
    const query = { boundaries: [T0 + 80 * HOUR, T0 + 200 * HOUR], filter: { project: 'app' } }
    expect(sorted(await combined.usage.providerSums(query))).toEqual(sorted(await one.usage.providerSums(query)))
    expect(sorted(await combined.usage.subagentSums({}))).toEqual(sorted(await one.usage.subagentSums({})))
    expect(await combined.usage.failures()).toEqual(await one.usage.failures())
  })

  it('lists sessions in the same order, whatever they are sorted by, page by page', async () => {
    const queries: SessionQuery[] = (['updated', 'started', 'cost', 'messages'] as const).flatMap((sort) =>
      (['ascending', 'descending'] as const).map((order) => ({ sort, order })),
    )
    for (const query of [...queries, { project: 'app' }, { text: 'Session 3' }, { agent: 'codex' }]) {
      const all = await combined.sessions.list({ ...query, limit: 1_000 })
      const expected = await one.sessions.list({ ...query, limit: 1_000 })
      expect(all.total).toBe(expected.total)
      // Where values are equal, the order is that of the shards.
      const values = ({ updatedAt, startedAt, costNano, messages }: (typeof all.sessions)[number]) =>
        ({ updated: updatedAt, started: startedAt, cost: costNano, messages })[query.sort ?? 'updated']
      expect(all.sessions.map(values)).toEqual(expected.sessions.map(values))
      const pages = []
      for (let offset = 0; offset < all.total; offset += 7)
        pages.push(...(await combined.sessions.list({ ...query, limit: 7, offset })).sessions)
      expect(pages).toEqual(all.sessions)
    }
  })

  it('lists files in the same order, whatever they are sorted by, page by page', async () => {
    for (const sort of FILE_LIST_SORTS)
      for (const order of ['ascending', 'descending'] as const) {
        const files = (store: Store, page: { readonly limit?: number; readonly offset?: number } = {}) =>
          store.search.files({ sort, order, ...page })
        const all = await files(combined)
        const expected = await files(one)
        expect({ sort, order, ...all }).toEqual({ sort, order, ...expected })
        expect(all.files.some(({ edits }) => edits === 0) && all.files.some(({ edits }) => edits > 0)).toBe(true)
        expect((await files(combined, { limit: 4, offset: 3 })).files).toEqual(all.files.slice(3, 7))
      }
  })

  it('finds sessions, their logs and what they say, wherever they are', async () => {
    for (let session = 0; session < SESSIONS; session += 1) {
      const id = `claude-code:s${session}`
      expect(await combined.sessions.get(id)).toEqual(await one.sessions.get(id))
      expect(await combined.sessions.read(id)).toEqual(await one.sessions.read(id))
      expect(await combined.usage.requests(id, { last: 3 })).toEqual(await one.usage.requests(id, { last: 3 }))
    }
    expect(await combined.sessions.read('claude-code:none')).toEqual([])
    expect((await combined.sessions.resolve('s1')).map(({ id }) => id)).toEqual(['claude-code:s1'])
    expect(await combined.sessions.resolve('s', 100)).toHaveLength(SESSIONS)
    const hits = await combined.search.search({ text: 'session 17 about shards', limit: 3 })
    expect(hits[0]?.sessionId).toBe('claude-code:s17')
  })

  it('corrects a word only if no shard has it', async () => {
    const [left, right] = [createInMemoryStore(), createInMemoryStore()]
    const say = (store: Store, text: string) =>
      store.sessions.append({ id: 'pi:a', agent: 'pi', externalId: 'a' }, 0, [
        { entry: { kind: 'message', id: 'm', at: T0, role: 'user', content: [{ type: 'text', text }] } },
      ])
    await say(left, 'the webhook of the shading renderer retries the migration')
    await say(right, 'webhooks deliver to the sharding layer after the migration')
    const both = combineStores([left, right])
    const query = { text: 'webhook sharding migratoin' }
    expect((await left.search.correct(query)).corrections.map(({ word }) => word)).toContain('sharding')
    expect(await both.search.correct(query)).toEqual({
      text: 'webhook sharding migration',
      corrections: [{ word: 'migratoin', instead: 'migration' }],
    })
  })

  it('adds up what the stores hold, and tells of changes to any of them', async () => {
    const { location: _one, ...expected } = await one.statistics()
    const { location: _combined, ...sums } = await combined.statistics()
    expect(sums).toEqual(expected)
    let told = 0
    const end = combined.onChange(() => (told += 1))
    await plant(parts[1], 900)
    expect(told).toBeGreaterThan(0)
    expect(await combined.sessions.delete('claude-code:s900')).toMatchObject({ sessionId: 'claude-code:s900' })
    expect(await combined.sessions.get('claude-code:s900')).toBeUndefined()
    end()
  })

  it('refuses appends and imports in a sentence', async () => {
    const facts = { id: 'claude-code:new', agent: 'claude-code', externalId: 'new' }
    await expect(combined.sessions.append(facts, 0, [])).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('take in what cairn sync sends'),
    })
  })
})
