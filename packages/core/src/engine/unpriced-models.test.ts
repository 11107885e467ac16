import { describe, expect, it } from '@jest/globals'
import type { RequestFact } from '../ports/usage-storage.ts'
import { createInMemoryStore } from '../in-memory/index.ts'
import { unpricedModels } from './unpriced-models.ts'

const NOW = Date.parse('2026-05-01T00:00:00Z')

const filled = async () => {
  const store = createInMemoryStore()
  const requests: readonly Pick<RequestFact, 'model' | 'inputTokens' | 'costNano'>[] = [
    { model: 'no-such', inputTokens: 900, costNano: null },
    { model: 'no-such', inputTokens: 0, costNano: null },
    // Its output alone was recorded: no cost, though the price list has it.
    { model: 'claude-sonnet-4-5', inputTokens: 0, costNano: null },
    { model: 'claude-sonnet-4-5', inputTokens: 0, costNano: null },
    { model: 'claude-sonnet-4-5', inputTokens: 0, costNano: null },
    // One of them has a cost by a price of the user's own.
    { model: 'mine', inputTokens: 10, costNano: 5n },
    { model: 'mine', inputTokens: 0, costNano: null },
    { model: 'gpt-5.1', inputTokens: 10, costNano: 7n },
  ]
  await store.sessions.append(
    { id: 'a:s', agent: 'a', externalId: 's', branch: 'main' },
    0,
    requests.map((request, index) => ({
      entry: {
        kind: 'message',
        id: `m${index}`,
        at: NOW - index,
        role: 'assistant',
        content: [{ type: 'text', text: 'x' }],
      },
      request: {
        callId: `c${index}`,
        at: NOW - index,
        cacheReadTokens: 0,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: 20,
        costState: request.costNano === null ? 'unpriced' : 'computed',
        ...request,
      },
    })),
  )
  return store
}

describe('requests without a cost', () => {
  it('are told apart by whether their model has a price', async () => {
    const { usage } = await filled()
    expect(await unpricedModels(usage, {}, NOW)).toEqual({
      withoutPrice: [{ model: 'no-such', requests: 2 }],
      withPrice: [
        { model: 'mine', requests: 1 },
        { model: 'claude-sonnet-4-5', requests: 3 },
      ],
    })
  })

  it('are those of the query, whatever its limit', async () => {
    const { usage } = await filled()
    const { total } = await usage.report({ by: 'day' })
    const { withoutPrice, withPrice } = await unpricedModels(usage, { filter: { branch: 'main' }, limit: 1 }, NOW)
    expect([...withoutPrice, ...withPrice].reduce((sum, { requests }) => sum + requests, 0)).toBe(
      total.unpricedRequests,
    )
    expect(await unpricedModels(usage, { filter: { model: 'gpt-5.1' } }, NOW)).toEqual({
      withoutPrice: [],
      withPrice: [],
    })
    expect(await unpricedModels(usage, { since: NOW - 1 }, NOW)).toEqual({
      withoutPrice: [{ model: 'no-such', requests: 2 }],
      withPrice: [],
    })
  })
})
