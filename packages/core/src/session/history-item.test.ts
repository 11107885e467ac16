import { describe, expect, it } from '@jest/globals'
import type { SessionSummary } from '../ports/session-storage.ts'
import { toHistoryItem } from './history-item.ts'

const session: SessionSummary = {
  id: 'cline:1',
  agent: 'cline',
  externalId: '1',
  workspace: '/work/shop',
  branch: null,
  title: 'Fix the cart',
  startedAt: 1,
  updatedAt: 5,
  entries: 9,
  messages: 8,
  favourite: true,
  redactions: 0,
  requests: 1,
  costNano: 0n,
  missingOutputCostNano: 0n,
  unpricedRequests: 0,
}
const usage = {
  inputTokens: 2000,
  outputTokens: 1000,
  cacheReadTokens: 500,
  cacheWrite5mTokens: 1000,
  cacheWrite1hTokens: 500,
  costNano: 26_775_000n,
}

describe('toHistoryItem', () => {
  it("has all of the item's facts", () => {
    expect(toHistoryItem(session, usage, { size: 12_345, deletedRange: [2, 5], firstWords: 'not needed' })).toEqual({
      id: 'cline:1',
      ts: 5,
      task: 'Fix the cart',
      tokensIn: 2000,
      tokensOut: 1000,
      cacheWrites: 1500,
      cacheReads: 500,
      totalCost: 0.026775,
      size: 12_345,
      cwdOnTaskInitialization: '/work/shop',
      conversationHistoryDeletedRange: [2, 5],
      isFavorited: true,
    })
  })

  it('leaves out unknown facts', () => {
    const item = toHistoryItem({ ...session, title: null, workspace: null, updatedAt: null, favourite: false }, usage, {
      firstWords: 'Please fix',
    })
    expect(item).toMatchObject({ ts: 0, task: 'Please fix', isFavorited: false })
    expect(Object.keys(item)).not.toContain('cwdOnTaskInitialization')
    expect(Object.keys(item)).not.toContain('conversationHistoryDeletedRange')
  })
})
