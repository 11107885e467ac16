import { describe, expect, it } from '@jest/globals'
import type { RequestFact } from '../ports/usage-storage.ts'
import { createInMemoryStore } from '../in-memory/index.ts'
import { unpricedModels } from './unpriced-models.ts'

const NOW = Date.parse('2026-05-01T00:00:00Z')

const filled = async () => {
  const store = createInMemoryStore()
  const requests: readonly (Pick<RequestFact, 'model' | 'inputTokens' | 'costNano'> &
    Partial<Pick<RequestFact, 'costState'>>)[] = [
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
    // The agent recorded what one of them cost, which tells no price.
    { model: 'odd', inputTokens: 10, costNano: 3n, costState: 'recorded' },
    { model: 'odd', inputTokens: 10, costNano: null },
    // Recorded with its input, and without a cost.
    { model: 'gpt-5.1-codex', inputTokens: 10, costNano: null },
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
      withoutPrice: [
        { model: 'odd', requests: 1 },
        { model: 'no-such', requests: 2 },
      ],
      withPrice: [
        { model: 'mine', requests: 1, isInputUnknown: false },
        { model: 'claude-sonnet-4-5', requests: 3, isInputUnknown: true },
        { model: 'gpt-5.1-codex', requests: 1, isInputUnknown: false },
      ],
    })
  })

  it('are those whose input an agent did not record, where another agent recorded it for the same model', async () => {
    const { sessions, usage } = await filled()
    await sessions.append({ id: 'b:s', agent: 'b', externalId: 's', branch: 'other' }, 0, [
      {
        entry: { kind: 'message', id: 'b1', at: NOW, role: 'assistant', content: [{ type: 'text', text: 'x' }] },
        request: {
          callId: 'b1',
          at: NOW,
          model: 'claude-sonnet-4-5',
          inputTokens: 400,
          cacheReadTokens: 0,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: 20,
          costNano: 9n,
          costState: 'computed',
        },
      },
    ])
    expect((await unpricedModels(usage, {}, NOW)).withPrice).toContainEqual({
      model: 'claude-sonnet-4-5',
      requests: 3,
      isInputUnknown: true,
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
