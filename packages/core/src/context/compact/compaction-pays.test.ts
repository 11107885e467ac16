import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ContextPrices } from '../policy.ts'
import { compactionPays, summaryCostUsd, type CompactionCase } from './compaction-pays.ts'

const ANTHROPIC_5M: ContextPrices = { input: 3, output: 15, write: 3.75, read: 0.3 }
const ANTHROPIC_1H: ContextPrices = { input: 3, output: 15, write: 6, read: 0.3 }
const GPT_5: ContextPrices = { input: 1.25, output: 10, write: 1.25, read: 0.125 }
const DEEPSEEK: ContextPrices = { input: 0.27, output: 1.1, write: 0.27, read: 0.07 }
const GPT_4O: ContextPrices = { input: 2.5, output: 10, write: 2.5, read: 1.25 }
const NO_CACHE: ContextPrices = { input: 3, output: 15, write: 3, read: 3 }

const even: CompactionCase = {
  prices: ANTHROPIC_5M,
  isWarm: true,
  removedTokens: 40_000,
  suffixTokens: 40_000,
  requestsToCome: 20,
  summaryUsd: 0,
}

describe('compactionPays', () => {
  it.each([
    ['Anthropic, five minutes', ANTHROPIC_5M, 11.5],
    ['Anthropic, an hour', ANTHROPIC_1H, 19],
    ['GPT-5', GPT_5, 9],
    ['DeepSeek', DEEPSEEK, 20 / 7],
    ['gpt-4o', GPT_4O, 1],
    ['no cache', NO_CACHE, 0],
  ])('%s: with as much kept as removed, breaks even after (w − r) / r requests', (_name, prices, requests) => {
    expect(compactionPays({ ...even, prices }).breakEvenRequests).toBeCloseTo(requests, 9)
    expect(compactionPays({ ...even, prices, suffixTokens: 10_000 }).breakEvenRequests).toBeCloseTo(requests / 4, 9)
    expect(compactionPays({ ...even, prices, requestsToCome: Math.max(0, Math.ceil(requests) - 1) }).pays).toBe(false)
    expect(compactionPays({ ...even, prices, requestsToCome: Math.floor(requests) + 1 }).pays).toBe(true)
  })

  it('includes the cost of the summary', () => {
    const summaryUsd = summaryCostUsd({ prices: ANTHROPIC_5M, isWarm: true, inputTokens: 100_000, outputTokens: 2000 })
    expect(summaryUsd).toBeCloseTo(0.06, 9)
    const { costUsd, savedUsd, breakEvenRequests } = compactionPays({ ...even, summaryUsd })
    expect(costUsd).toBeCloseTo(3.45 * 0.04 + 0.06, 9)
    expect(savedUsd).toBeCloseTo(20 * 0.3 * 0.04, 9)
    expect(breakEvenRequests).toBeCloseTo(11.5 + 0.06 / (0.3 * 0.04), 9)
    expect(compactionPays({ ...even, requestsToCome: 13 }).pays).toBe(true)
    expect(compactionPays({ ...even, requestsToCome: 13, summaryUsd }).pays).toBe(false)
  })

  it('pays at once on a cold cache, where only the summary costs anything', () => {
    expect(compactionPays({ ...even, isWarm: false, requestsToCome: 1 })).toMatchObject({
      pays: true,
      costUsd: 0,
      breakEvenRequests: 0,
    })
    // The next request is spared 40,000 tokens at 3.75, each one after it at 0.3.
    expect(compactionPays({ ...even, isWarm: false, requestsToCome: 3, summaryUsd: 0.17 })).toMatchObject({
      pays: true,
    })
    expect(compactionPays({ ...even, isWarm: false, requestsToCome: 1, summaryUsd: 0.17 })).toMatchObject({
      pays: false,
    })
    expect(compactionPays({ ...even, isWarm: false, requestsToCome: 0 })).toMatchObject({ pays: false, savedUsd: 0 })
  })

  it('a summary costs the full price of its input when the cache is cold', () => {
    expect(summaryCostUsd({ prices: ANTHROPIC_5M, isWarm: false, inputTokens: 100_000, outputTokens: 0 })).toBeCloseTo(
      0.3,
      9,
    )
  })

  it('never pays when nothing is removed', () => {
    expect(compactionPays({ ...even, removedTokens: 0 })).toMatchObject({ pays: false, breakEvenRequests: Infinity })
    expect(compactionPays({ ...even, removedTokens: 0, isWarm: false })).toMatchObject({
      pays: false,
      breakEvenRequests: 0,
    })
  })

  it.each([{ removedTokens: -1 }, { suffixTokens: NaN }, { requestsToCome: -2 }, { summaryUsd: NaN }])(
    'refuses %j',
    (wrong) => {
      expect(() => compactionPays({ ...even, ...wrong })).toThrow(/must be a number from 0 on/)
    },
  )

  it('agrees with the difference of two bills, with and without it', () => {
    const number = (max: number) => fc.integer({ min: 1, max })
    fc.assert(
      fc.property(
        number(1000),
        number(1000),
        number(1000),
        number(1000),
        fc.nat(60),
        fc.nat(100),
        fc.boolean(),
        (kept, removed, suffix, read, more, requests, isWarm) => {
          const prices: ContextPrices = { input: read + more, output: 1, write: read + more, read }
          const bill = (first: number, size: number): number =>
            requests === 0 ? 0 : first + (requests - 1) * size * read
          const without = bill(
            isWarm ? (kept + suffix + removed) * read : (kept + suffix + removed) * prices.write,
            kept + suffix + removed,
          )
          const withIt = bill(
            isWarm ? kept * read + suffix * prices.write : (kept + suffix) * prices.write,
            kept + suffix,
          )
          const verdict = compactionPays({
            prices,
            isWarm,
            removedTokens: removed,
            suffixTokens: suffix,
            requestsToCome: requests,
            summaryUsd: 0,
          })
          // A compaction that no request follows is not paid either.
          if (requests > 0) expect((verdict.savedUsd - verdict.costUsd) * 1e6).toBeCloseTo(without - withIt, 3)
        },
      ),
    )
  })
})
