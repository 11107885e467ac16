import type { StoredRequest } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { LONG_SESSION, addLongSession } from '../../../e2e/sample-session.ts'
import { sessionContext, sessionHead } from './session-queries.ts'
import { subagentsView } from './subagents-view.ts'

const DOLLAR = 1_000_000_000n

const request = (subagent: string | null, dollars: bigint | null, partial = false): StoredRequest => ({
  at: 1,
  model: 'm',
  provider: null,
  mode: null,
  workspace: null,
  missingOutputCostNano: 0n,
  subagent,
  inputTokens: 10,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 1,
  costNano: dollars === null ? null : dollars * DOLLAR,
  costState: dollars === null ? 'unpriced' : 'recorded',
  partial,
})

describe('what subagents cost', () => {
  it('is listed by subagent, the most expensive first, with the main conversation and the total', () => {
    const view = subagentsView([
      request(null, 5n),
      request('cheap', 9n, true),
      request('dear', 10n),
      request('dear', 6n),
      request('free', null),
    ])
    expect(view?.rows.map(({ name, requests, cost }) => [name, requests.text, cost.text])).toEqual([
      ['dear', '2', '$16.00'],
      ['cheap', '1', '$9.00'],
      ['free', '1', 'unpriced'],
    ])
    expect([view?.own.cost.text, view?.all.cost.text, view?.total.cost.text]).toEqual(['$5.00', '$25.00', '$30.00'])
    expect(view).toMatchObject({ count: 3, requestCount: 4, others: null, own: { costShare: 5 / 30 } })
    expect(view?.rows[1]?.cost.notes.join(' ')).toContain('Partial')
  })

  it('is absent without subagents, and sums many small ones in one row', () => {
    expect(subagentsView([request(null, 1n)])).toBeUndefined()
    expect(subagentsView([])).toBeUndefined()
    const many = subagentsView(Array.from({ length: 130 }, (_, index) => request(`agent ${index}`, BigInt(index))))
    expect(many?.rows[0]?.cost.text).toBe('$129.00')
    expect(many?.rows.length).toBe(100)
    expect(many?.others).toMatchObject({ count: 30, cost: { text: '$435.00' } })
  })

  it('adds up to what the session cost', async () => {
    const store = createInMemoryStore()
    await addLongSession(store, 300, Date.parse('2026-05-05T12:00:00Z'))
    const { subagents } = await sessionContext(store.usage, LONG_SESSION)
    const head = await sessionHead(store, LONG_SESSION, Date.now())
    expect(subagents?.total.cost.text).toBe(head?.total.cost.text)
    expect(subagents?.total.requests.text).toBe(String((await store.usage.requests(LONG_SESSION)).length))
    expect(subagents?.rows.map(({ name }) => name)).toEqual(['explore-1'])
  })
})
