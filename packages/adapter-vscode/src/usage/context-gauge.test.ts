import { createEngine } from '@cairn/core'
import type { RequestFact, Store } from '@cairn/core'
import { LIVE_MS } from '@cairn/core/insights'
import { createHasher } from '@cairn/core/node'
import {
  createInMemoryFileSystem,
  createInMemoryStore,
  createSequentialIds,
  createTestClock,
} from '@cairn/core/testing'
import { gaugeItem, readGauge } from './context-gauge.ts'
import { NOW, record } from './recorded.fixture.ts'

const MINUTE = 60_000
/** Its window has 200,000 tokens. */
const MODEL = 'claude-sonnet-4-5'

const gauge = (store: Store, now = NOW, projects: readonly string[] = ['/code/shop']) => {
  const engine = createEngine({
    store,
    fileSystem: createInMemoryFileSystem(),
    hasher: createHasher(),
    clock: createTestClock(now),
    ids: createSequentialIds('gauge'),
    timeZone: 'UTC',
  })
  return readGauge(engine, projects)
}

const shopSession = async (store: Store) => {
  const [session] = (await store.sessions.list({ workspace: '/code/shop' })).sessions
  if (session === undefined) throw new Error('no session')
  return session
}

/** Adds a request of 50,500 tokens to the project's session. */
const goOn = async (store: Store, more: Partial<RequestFact>): Promise<void> => {
  const session = await shopSession(store)
  const at = more.at ?? NOW
  const callId = `more-${session.requests}`
  const request: RequestFact = {
    callId,
    at,
    model: MODEL,
    inputTokens: 1_000,
    cacheReadTokens: 49_000,
    cacheWrite5mTokens: 500,
    cacheWrite1hTokens: 0,
    outputTokens: 700,
    costNano: null,
    costState: 'unpriced',
    ...more,
  }
  const entry = { kind: 'message', at, id: callId, role: 'assistant', content: [{ type: 'text', text: 'on' }] } as const
  const { id, agent, externalId } = session
  await store.sessions.append({ id, agent, externalId }, 'end', [{ entry, externalId: callId, request }])
}

describe('the context gauge', () => {
  it('shows the input of the last request of the session at work, without those of subagents', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW - 9 * MINUTE)
    await record(store, '/code/other', NOW)
    await goOn(store, { at: NOW - 5 * MINUTE })
    await goOn(store, { at: NOW - 4 * MINUTE, subagent: 'search', inputTokens: 90_000 })
    const read = await gauge(store)
    expect(read).toMatchObject({ model: MODEL, context: { tokens: 50_500, window: 200_000, windowFrom: 'model' } })
    if (read === undefined) throw new Error('no gauge')
    const item = gaugeItem(read, NOW)
    expect(item.text).toBe('$(pie-chart) 25 %')
    expect(item.label).toMatch(/^Cairn: the context of s\d+ holds 50\.5K of 200K tokens, 25 %$/)
    expect(item.tooltip).toContain('it was written to 4 min ago. Select')
    expect(item.isWarning).toBe(false)
  })

  it('is of the project that was written to last', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW - 2 * MINUTE)
    await record(store, '/code/tool', NOW - MINUTE, { model: MODEL, inputTokens: 700 })
    const of = async (...projects: readonly string[]) => (await gauge(store, NOW, projects))?.session.workspace
    expect(await of('/code/shop', '/code/tool')).toBe('/code/tool')
    expect(await of('/code/shop')).toBe('/code/shop')
    expect(await of()).toBeUndefined()
  })

  it('warns when the context is nearly full, and says that a window is a guess', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW - MINUTE)
    await goOn(store, { inputTokens: 124_000, at: NOW - 5_000 })
    const full = await gauge(store)
    expect(full && gaugeItem(full, NOW)).toMatchObject({ text: '$(pie-chart) 87 %', isWarning: true })
    expect(full && gaugeItem(full, NOW).tooltip).not.toContain('guess')
    await goOn(store, { inputTokens: 201_000, at: NOW - 4_000 })
    const over = await gauge(store)
    expect(over && gaugeItem(over, NOW)).toMatchObject({ text: '$(pie-chart) 98 %', isWarning: true })
    expect(over && gaugeItem(over, NOW).tooltip).toContain('is a guess')
  })

  it('is gone after a compaction until the next request', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW - 9 * MINUTE)
    await goOn(store, { inputTokens: 140_000, at: NOW - 3 * MINUTE })
    const { id, agent, externalId } = await shopSession(store)
    const entry = { kind: 'compaction', at: NOW - 2 * MINUTE, trigger: 'auto' } as const
    await store.sessions.append({ id, agent, externalId }, 'end', [{ entry }])
    expect(await gauge(store)).toBeUndefined()
    await goOn(store, { cacheReadTokens: 8_500, at: NOW - MINUTE })
    expect(await gauge(store)).toMatchObject({ context: { tokens: 10_000 } })
  })

  it('is there only while a session is at work', async () => {
    const store = createInMemoryStore()
    expect(await gauge(store)).toBeUndefined()
    await record(store, '/code/shop', NOW)
    expect(await gauge(store)).toBeDefined()
    expect(await gauge(store, NOW + LIVE_MS - 1)).toBeDefined()
    expect(await gauge(store, NOW + LIVE_MS)).toBeUndefined()
  })

  it('never lets a title become markup', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW)
    await goOn(store, { model: '[x](command:evil)<b>' })
    const read = await gauge(store)
    expect(read && gaugeItem(read, NOW).tooltip).not.toMatch(/[^\\](\[|<)/)
  })
})
