import { describe, expect, it } from '@jest/globals'
import type { Engine, LogEntry, SessionSummary } from '@cairn/core'
import { sessionFacts, sessionUntil } from './facts.ts'

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

describe('a session as it was', () => {
  const title = (seq: number, text: string): LogEntry => ({ seq, at: 1_000 * seq, kind: 'title', title: text })

  it('has the title of then: none before one was given', () => {
    const renamed = { ...session, title: 'Third' }
    const log = [title(3, 'First'), title(5, 'Second'), title(9, 'Third')]
    expect([0, 1, 2, 3].map((count) => sessionUntil(renamed, log.slice(0, count), true).title)).toEqual([
      null,
      'First',
      'Second',
      'Third',
    ])
  })

  it('has the title that came with it', () => {
    expect(sessionUntil({ ...session, title: 'From the agent' }, [], false).title).toBe('From the agent')
  })
})
