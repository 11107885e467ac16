import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import { checkBudget } from './budget.ts'
import { missingOutputTokens } from '../ports/usage-storage.ts'
import { addTotals, cacheHitRatio, emptyTotals, totalsOfRequest } from './totals.ts'

const request = {
  inputTokens: 77,
  cacheReadTokens: 700,
  cacheWrite5mTokens: 150,
  cacheWrite1hTokens: 50,
  cacheWrite30mTokens: 20,
  cacheWrite12hTokens: 3,
  outputTokens: 10,
  reasoningTokens: 4,
  costNano: 5n,
  costState: 'recorded',
  latency: { firstTokenMs: 120, totalMs: 3_400 },
  costSplit: { cacheReadNano: 0n, cacheWriteNano: 0n, outputNano: 0n, savedNano: 2n },
  visibleCharacters: 0,
} as const

describe('totals', () => {
  it('count a request once in every field', () => {
    expect(totalsOfRequest(request)).toEqual({
      requests: 1,
      inputTokens: 77,
      cacheReadTokens: 700,
      cacheWrite5mTokens: 150,
      cacheWrite1hTokens: 50,
      cacheWrite30mTokens: 20,
      cacheWrite12hTokens: 3,
      outputTokens: 10,
      reasoningTokens: 4,
      costNano: 5n,
      recordedCostNano: 5n,
      cacheReadCostNano: 0n,
      cacheWriteCostNano: 0n,
      outputCostNano: 0n,
      savedNano: 2n,
      unpricedRequests: 0,
      partialRequests: 0,
      missingOutputTokens: 0,
      missingOutputCostNano: 0n,
      timedRequests: 1,
      firstTokenMs: 120,
      totalMs: 3_400,
    })
    expect(
      totalsOfRequest({ ...request, costNano: null, costState: 'unpriced', visibleCharacters: 100 }),
    ).toMatchObject({
      costNano: 0n,
      recordedCostNano: 0n,
      unpricedRequests: 1,
      partialRequests: 1,
      missingOutputTokens: 28,
    })
    expect(totalsOfRequest({ ...request, costState: 'computed' }).recordedCostNano).toBe(0n)
  })

  it('add up, from an empty sum', () => {
    const one = totalsOfRequest(request)
    expect(addTotals(emptyTotals, one)).toEqual(one)
    expect(addTotals(one, one)).toMatchObject({ requests: 2, cacheReadTokens: 1400, costNano: 10n })
  })

  it('estimate what is missing of a partial reply only', () => {
    expect([
      missingOutputTokens(10, 54),
      missingOutputTokens(10, 55),
      missingOutputTokens(0, 0),
      missingOutputTokens(1, 27),
    ]).toEqual([0, 11, 0, 9])
  })

  it('report the share read from the cache', () => {
    expect(cacheHitRatio(request)).toBe(0.7)
    expect(cacheHitRatio(emptyTotals)).toBeUndefined()
  })
})

describe('checkBudget', () => {
  it('is exceeded above the limit, not at it', () => {
    expect(checkBudget({ costNano: 1_000_000_000n, unpricedRequests: 0 }, 1)).toEqual({
      exceeded: false,
      spent: 1_000_000_000n,
      limit: 1_000_000_000n,
      unpricedRequests: 0,
    })
    expect(checkBudget({ costNano: 1_000_000_001n, unpricedRequests: 2 }, 1)).toMatchObject({
      exceeded: true,
      unpricedRequests: 2,
    })
    expect(checkBudget({ costNano: 1n, unpricedRequests: 0 }, 0).exceeded).toBe(true)
  })

  it('must be an amount', () => {
    for (const limit of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      try {
        checkBudget({ costNano: 0n, unpricedRequests: 0 }, limit)
        throw new Error('accepted')
      } catch (error) {
        expect(CairnError.is(error) && error.code).toBe('usage')
      }
    }
  })
})
