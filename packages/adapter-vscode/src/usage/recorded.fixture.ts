/** A store in memory with a few requests, for the tests of this folder. */
import type { RequestFact, Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'

/** A Thursday afternoon in UTC, Friday morning in Auckland. */
export const NOW = Date.parse('2026-03-05T15:00:00Z')
const HOUR_MS = 3_600_000

let requests = 0

/** Adds a session of one request to the store. */
export const record = async (
  store: Store,
  workspace: string,
  at: number,
  more: Partial<RequestFact> = {},
  visibleCharacters = 0,
): Promise<void> => {
  requests += 1
  const externalId = `s${requests}`
  const request: RequestFact = {
    callId: externalId,
    at,
    model: 'model-1',
    inputTokens: 100,
    cacheReadTokens: 800,
    cacheWrite5mTokens: 100,
    cacheWrite1hTokens: 0,
    outputTokens: 50,
    costNano: 250_000_000n,
    costState: 'computed',
    ...more,
  }
  const entry = {
    kind: 'message',
    at,
    role: 'assistant',
    id: externalId,
    content: [{ type: 'text', text: 'done' }],
  } as const
  const result = await store.sessions.append({ id: `cairn:${externalId}`, agent: 'cairn', externalId, workspace }, 0, [
    { entry, externalId, request, visibleCharacters },
  ])
  if (!result.ok) throw new Error('unexpected conflict')
}

/** Today, this week, and long ago, in three projects. */
export const filledStore = async (): Promise<Store> => {
  const store = createInMemoryStore()
  await record(store, '/code/shop', NOW - HOUR_MS)
  await record(store, '/code/shop/packages/cart', NOW - 2 * HOUR_MS, { costNano: null, costState: 'unpriced' })
  await record(store, '/code/shop-2', NOW - 3 * HOUR_MS)
  await record(store, '/code/shop', NOW - 50 * HOUR_MS, { model: 'model-2' })
  await record(store, 'C:\\Code\\Bill|ing', NOW - 2_000 * HOUR_MS, { costState: 'recorded', outputTokens: 10 }, 400)
  return store
}
