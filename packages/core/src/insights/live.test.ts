import { describe, expect, it } from '@jest/globals'
import type { SessionFacts } from '../ports/session-storage.ts'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'
import { MINUTE, START, book, conversation, type Step } from './conversation.fixture.ts'
import { createInsights } from './create-insights.ts'
import { activityOf } from './live-activity.ts'

const SONNET = 'claude-sonnet-4-5'
const facts = (name: string, workspace = '/work/shop'): SessionFacts => ({
  id: `test:${name}`,
  agent: 'test',
  externalId: name,
  workspace,
})

/** A store with sessions of these steps, looked at so many minutes after `START`. */
const setup = async (sessions: Readonly<Record<string, readonly Step[]>>, minutes: number) => {
  const store = createInMemoryStore()
  for (const [name, steps] of Object.entries(sessions))
    await store.sessions.append(
      facts(name, name === 'other' ? '/work/tool' : '/work/shop'),
      0,
      conversation(name, steps),
    )
  const clock = createTestClock(START + minutes * MINUTE)
  const insights = createInsights({ ...store, priceBook: () => Promise.resolve(book), clock })
  return { store, insights }
}

const request = (read: number, written: number, after = 1): Step => ({
  model: SONNET,
  usage: { inputTokens: 6, cacheReadTokens: read, cacheWrite5mTokens: written, outputTokens: 300 },
  says: 'I look.',
  after,
})

describe('live sessions', () => {
  it('are those that were written to in the last ten minutes, the latest first', async () => {
    const { insights } = await setup(
      {
        old: [{ user: 'Count the vouchers', after: 4 }],
        edge: [{ user: 'Count the baskets', after: 4.001 }],
        late: [{ user: 'Count the cents', after: 9 }],
        ahead: [{ user: 'Count the days to come', after: 60 }],
      },
      14,
    )
    const { sessions, now } = await insights.live()
    expect(now).toBe(START + 14 * MINUTE)
    expect(sessions.map(({ session }) => session.id)).toEqual(['test:late', 'test:edge'])
  })

  it('tell how full the context is, what is cached until when, and what an hour costs', async () => {
    const steps = [{ user: 'Mend the total' }, request(0, 40_000), request(40_000, 2_000, 6), request(42_000, 8_000, 6)]
    const { store, insights } = await setup({ a: steps }, 16)
    const [live] = (await insights.live()).sessions
    expect(live).toMatchObject({
      model: SONNET,
      context: { tokens: 50_006, window: 200_000, windowFrom: 'model' },
      cache: { tokens: 50_000, expiresAt: START + 19 * MINUTE },
      activity: { state: 'person', call: null },
    })
    // Twelve minutes between the first and the last of them.
    expect(live?.costNanoPerHour).toBe(5n * ((await store.sessions.get('test:a'))?.costNano ?? 0n))
  })

  it('has no rate over less than ten minutes, and none with a request of unknown price', async () => {
    const short = [request(0, 40_000), request(40_000, 2_000, 9.9)]
    const unpriced = [request(0, 40_000), { ...request(40_000, 10, 11), model: 'nobody-knows' }]
    const { insights } = await setup({ short, unpriced }, 13)
    const { sessions } = await insights.live()
    expect(sessions.map(({ costNanoPerHour }) => costNanoPerHour)).toEqual([null, null])
  })

  it('leaves out of the rate what came before the last half hour, and counts subagents', async () => {
    const steps = [request(0, 900_000), request(0, 10_000, 31), { ...request(0, 20_000, 20), subagent: 'explore' }]
    const { store, insights } = await setup({ a: steps }, 53)
    const [live] = (await insights.live()).sessions
    const costs = (await store.usage.requests('test:a')).map(({ costNano }) => costNano ?? 0n)
    expect(live?.costNanoPerHour).toBe(3n * costs.slice(1).reduce((sum, cost) => sum + cost, 0n))
    // A subagent has a context and a cache of its own.
    expect(live?.context?.tokens).toBe(10_006)
    expect(live?.cache?.expiresAt).toBe(START + 37 * MINUTE)
  })

  it('keeps a cache for an hour where that is what was written, and knows of none where nothing was', async () => {
    const hour = [
      { ...request(0, 0), usage: { cacheWrite1hTokens: 5_000, outputTokens: 20 } },
      { ...request(5_000, 0), usage: { cacheReadTokens: 5_000, inputTokens: 60, outputTokens: 20 } },
    ]
    const none = [{ ...request(0, 0), usage: { inputTokens: 9_000, outputTokens: 20 } }]
    const { insights } = await setup({ hour, none }, 3)
    const { sessions } = await insights.live()
    expect(sessions.map(({ session, cache }) => [session.id, cache])).toEqual([
      ['test:hour', { tokens: 5_000, expiresAt: START + 62 * MINUTE }],
      ['test:none', null],
    ])
  })

  it('does not know the context between a compaction and the next request', async () => {
    const { insights, store } = await setup({ a: [request(0, 40_000), { compaction: true }] }, 4)
    expect((await insights.live()).sessions[0]?.context).toBeNull()
    const next = conversation('b', [{ ...request(0, 9_000, 3) }])
    await store.sessions.append(facts('a'), 2, next)
    expect((await insights.live()).sessions[0]?.context?.tokens).toBe(9_006)
  })

  it('reads nothing again of a session that was not written to, whichever others are asked about between', async () => {
    const { store } = await setup({ a: [request(0, 40_000)], other: [request(0, 4_000)] }, 3)
    const read: string[] = []
    const requests: typeof store.usage.requests = (id, options) => {
      read.push(id)
      return store.usage.requests(id, options)
    }
    const clock = createTestClock(START + 3 * MINUTE)
    const usage = { ...store.usage, requests }
    const insights = createInsights({ ...store, usage, priceBook: () => Promise.resolve(book), clock })
    for (const workspace of ['shop', 'tool', 'shop', 'tool']) await insights.live({ workspace })
    await insights.live()
    expect(read).toEqual(['test:a', 'test:other'])
    clock.set(START + 30 * MINUTE)
    expect((await insights.live()).sessions).toEqual([])
    clock.set(START + 3 * MINUTE)
    await insights.live({ workspace: 'shop' })
    expect(read).toEqual(['test:a', 'test:other', 'test:a'])
  })

  it('has the budget of its project, else that of all', async () => {
    const { insights } = await setup({ a: [request(0, 40_000)], other: [request(0, 4_000)] }, 3)
    const asked: string[][] = []
    const { sessions } = await insights.live({
      limitsOf: (projects) => {
        asked.push([...projects].sort())
        return [
          { project: null, limitUsd: 100 },
          { project: '/work/shop', limitUsd: 0.1 },
        ]
      },
    })
    expect(asked).toEqual([['/work/shop', '/work/tool']])
    expect(sessions.map(({ session, budget }) => [session.id, budget?.project, budget?.state])).toEqual(
      expect.arrayContaining([
        ['test:a', '/work/shop', 'exceeded'],
        ['test:other', null, 'ok'],
      ]),
    )
    expect((await insights.live({ workspace: 'tool' })).sessions).toMatchObject([{ budget: null }])
    await expect(insights.live({ limitsOf: () => [{ project: null, limitUsd: -1 }] })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})

describe('activityOf', () => {
  const read = { id: 'c1', name: 'Read', input: { file_path: '/work/shop/total.ts' } }
  const run = { id: 'c2', name: 'Bash', input: { command: 'npm test' } }
  const after = (...steps: readonly Step[]) => {
    const activity = activityOf(conversation('x', steps).map(({ entry }, seq) => ({ ...entry, seq })))
    return activity === null ? null : [activity.state, activity.call?.name, activity.call?.about]
  }

  it('is a call that has no result yet, the latest of several', () => {
    expect(after({ user: 'Mend it' }, { calls: [read, run] })).toEqual(['tool', 'Bash', 'npm test'])
    expect(after({ user: 'Mend it' }, { calls: [read, run] }, { result: ['c2', 'ok'] })).toEqual([
      'tool',
      'Read',
      '/work/shop/total.ts',
    ])
  })

  it('is the model’s turn after a result or a person’s words, and a person’s after a reply', () => {
    expect(after({ user: 'Mend the total' })).toEqual(['model', undefined, undefined])
    expect(after({ calls: [read] }, { result: ['c1', 'export const total'] })).toEqual([
      'model',
      'Read',
      '/work/shop/total.ts',
    ])
    expect(after({ calls: [read] }, { result: ['c1', 'ok'] }, { says: 'Done.' })).toEqual([
      'person',
      'Read',
      '/work/shop/total.ts',
    ])
  })

  it('forgets a call that never got a result once a person says something', () => {
    expect(after({ calls: [run] }, { user: 'Leave that and write the summary' })).toEqual(['model', 'Bash', 'npm test'])
  })

  it('does not end the turn with a subagent’s reply', () => {
    const task = { id: 'c3', name: 'Task', input: { description: 'Look around' } }
    expect(after({ calls: [task] }, { says: 'Found it.', subagent: 'explore' })).toEqual([
      'tool',
      'Task',
      'Look around',
    ])
  })

  it('is nothing without a message', () => {
    expect(after()).toBeNull()
    expect(after({ compaction: true })).toBeNull()
  })
})
