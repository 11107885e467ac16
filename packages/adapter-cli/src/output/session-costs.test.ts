import { describe, expect, it } from '@jest/globals'
import type { SubagentSumsQuery } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { sessionCostsJson, subagentsOf } from './session-costs.ts'

const sum = (costNano: bigint, requests: number, unpricedRequests = 0) => ({ costNano, requests, unpricedRequests })

describe('sessionCostsJson', () => {
  it('is the mean of the requests with a price, and what subagents used', () => {
    const subagents = { sessionId: 'a:1', subagents: 3, ...sum(250_000_000n, 12, 1) }
    expect(sessionCostsJson(sum(9_000_000_000n, 14, 2), subagents)).toEqual({
      costPerRequestUsd: 0.75,
      subagents: { count: 3, requests: 12, unpricedRequests: 1, costUsd: 0.25 },
    })
    expect(sessionCostsJson(sum(0n, 0), undefined)).toEqual({
      costPerRequestUsd: null,
      subagents: { count: 0, requests: 0, unpricedRequests: 0, costUsd: 0 },
    })
    expect(sessionCostsJson(sum(0n, 5, 5), undefined)).toMatchObject({ costPerRequestUsd: null })
  })
})

describe('subagentsOf', () => {
  it('asks for few sessions one by one, and for many at once', async () => {
    const asked: SubagentSumsQuery[] = []
    const store = createInMemoryStore()
    const usage = {
      ...store.usage,
      subagentSums: (query: SubagentSumsQuery) => {
        asked.push(query)
        return store.usage.subagentSums(query)
      },
    }
    const engine = { store: { ...store, usage } }
    await subagentsOf(['a:1', 'b:2'], { since: 7, filter: { model: 'm' } }, engine)
    expect(asked).toEqual(['a:1', 'b:2'].map((session) => ({ since: 7, filter: { model: 'm', session } })))
    asked.length = 0
    await subagentsOf(
      Array.from({ length: 101 }, (_, index) => `a:${index}`),
      { since: 7 },
      engine,
    )
    expect(asked).toEqual([{ since: 7 }])
  })
})
