import { describe, expect, it } from '@jest/globals'
import type { Engine, SessionSummary } from '@cairn/core'
import { sessionFacts } from './facts.ts'

const session = { id: 'pi:s', agent: 'pi', messages: 2, requests: 3, redactions: 0 } as unknown as SessionSummary
const total = {
  requests: 3,
  inputTokens: 12,
  cacheReadTokens: 345,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 6789,
  costNano: 4_400_000n,
}

const costOf = async (more: {
  missingOutputCostNano: bigint
  unpricedRequests: number
}): Promise<string | undefined> => {
  const engine = { usage: { report: () => Promise.resolve({ rows: [], total: { ...total, ...more } }) } }
  const facts = await sessionFacts(session, engine as unknown as Engine)
  return facts.find(([name]) => name === 'cost')?.[1]
}

describe('the cost above a transcript', () => {
  it.each([
    [0n, 0, '$0.0044'],
    [156_300_000n, 0, '$0.0044 + ~$0.1563 for output that was not recorded'],
    // Too little to be shown: nothing is said of it.
    [9_000n, 1, '$0.0044, without 1 request of unknown cost'],
    [156_300_000n, 2, '$0.0044 + ~$0.1563 for output that was not recorded, without 2 requests of unknown cost'],
  ])(
    'with an estimate of %s nanodollars and %i unpriced requests',
    async (missingOutputCostNano, unpricedRequests, expected) => {
      expect(await costOf({ missingOutputCostNano, unpricedRequests })).toBe(expected)
    },
  )
})
