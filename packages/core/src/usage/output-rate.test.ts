import { describe, expect, it } from '@jest/globals'
import type { PriceBook } from '../ports/price-book.ts'
import { outputRateOf } from './output-rate.ts'
import { createPriceBook } from './price-book.ts'

const query = { model: 'm', at: 0 }
const usage = { inputTokens: 7, cacheReadTokens: 9, cacheWrite5mTokens: 1, cacheWrite1hTokens: 0, outputTokens: 3 }

describe('the price of an output token', () => {
  it('is exact, fractions of a nano-USD included', () => {
    const prices = createPriceBook({ overrides: { m: { input: 3, output: 0.0375 } } })
    expect(outputRateOf(prices, query, usage)).toBe(37_500_000n)
  })

  it('is that of a request of this size, where the price depends on it', () => {
    const small = { ...usage, inputTokens: 100_000 }
    const large = { ...usage, inputTokens: 300_000 }
    const gemini = { model: 'gemini-2.5-pro', at: Date.parse('2026-01-05') }
    const [low, high] = [small, large].map((one) => outputRateOf(createPriceBook(), gemini, one))
    expect([low, high]).toEqual([10_000_000_000n, 15_000_000_000n])
  })

  it('is derived from total costs where a price book has no split', () => {
    const prices: PriceBook = {
      cost: (_, { inputTokens, outputTokens }) => BigInt(inputTokens * 3 + outputTokens * 15_000 + 1),
      split: () => undefined,
    }
    expect(outputRateOf(prices, query, usage)).toBe(15_000_000_000n)
  })

  it('is unknown for a model without a price', () => {
    expect(outputRateOf(createPriceBook(), { model: 'nobody-knows-it', at: 0 }, usage)).toBeUndefined()
  })
})
