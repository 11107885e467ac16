import type { RequestFact, Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { LIVE_MS, gaugeItem, readGauge } from './context-gauge.ts'
import { NOW, record } from './recorded.fixture.ts'

const MINUTE = 60_000
const factsOf = (model: string) => ({ contextWindow: 10_000, known: model !== 'secret' })
const gauge = (store: Store, now = NOW) => readGauge({ store, projects: ['/code/shop'], factsOf, now })

/** Adds a request to the first session. */
const goOn = async (store: Store, more: Partial<RequestFact>): Promise<void> => {
  const [session] = (await store.sessions.list({ workspace: '/code/shop' })).sessions
  if (session === undefined) throw new Error('no session')
  const at = more.at ?? NOW
  const callId = `more-${session.requests}`
  const request: RequestFact = {
    callId,
    at,
    model: 'model-1',
    inputTokens: 1_000,
    cacheReadTokens: 4_000,
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
  it('shows the last request of the session at work, without those of subagents', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW - 20 * MINUTE)
    await record(store, '/code/other', NOW)
    await goOn(store, { at: NOW - 5 * MINUTE })
    await goOn(store, { at: NOW - 4 * MINUTE, subagent: 'search', inputTokens: 9_000 })
    const read = await gauge(store)
    expect(read).toMatchObject({ tokens: 6_200, window: 10_000, model: 'model-1', at: NOW - 5 * MINUTE })
    if (read === undefined) throw new Error('no gauge')
    const item = gaugeItem(read, NOW)
    expect(item.text).toBe('$(pie-chart) 62 %')
    expect(item.label).toMatch(/^Cairn: the context of s\d+ holds 6\.2K of 10K tokens, 62 %$/)
    expect(item.tooltip).toContain('5 min ago')
    expect(item.isWarning).toBe(false)
  })

  it('warns when the context is nearly full, and gives no share where the window is not known or too small', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW - MINUTE)
    await goOn(store, { inputTokens: 3_500, at: NOW - 5_000 })
    const full = await gauge(store)
    expect(full && gaugeItem(full, NOW)).toMatchObject({ text: '$(pie-chart) 87 %', isWarning: true })
    await goOn(store, { inputTokens: 50_000, at: NOW - 4_000 })
    const over = await gauge(store)
    expect(over && gaugeItem(over, NOW)).toMatchObject({ text: '$(pie-chart) 55.2K', isWarning: false })
    await goOn(store, { model: 'secret', at: NOW - 3_000 })
    const unknown = await gauge(store)
    expect(unknown && gaugeItem(unknown, NOW).text).toBe('$(pie-chart) 6.2K')
  })

  it('is there only while a session is at work', async () => {
    const store = createInMemoryStore()
    expect(await gauge(store)).toBeUndefined()
    await record(store, '/code/shop', NOW)
    expect(await gauge(store)).toBeDefined()
    expect(await gauge(store, NOW + LIVE_MS)).toBeDefined()
    expect(await gauge(store, NOW + LIVE_MS + 1)).toBeUndefined()
  })

  it('never lets a title become markup', async () => {
    const store = createInMemoryStore()
    await record(store, '/code/shop', NOW)
    await goOn(store, { model: '[x](command:evil)<b>' })
    const read = await gauge(store)
    expect(read && gaugeItem(read, NOW).tooltip).not.toMatch(/[^\\](\[|<)/)
  })
})
