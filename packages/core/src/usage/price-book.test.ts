import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CairnError } from '../errors.ts'
import { usdFromNano } from '../money.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import { createPriceBook } from './price-book.ts'

const AT = Date.UTC(2026, 2, 1, 12)
const usage = (more: Partial<TokenUsage> = {}): TokenUsage => ({
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  ...more,
})
const book = createPriceBook()
const perMillion = (model: string, provider?: string, at = AT): number | undefined => {
  // Ten thousand tokens a hundred times: no tier is reached.
  const cost = book.cost({ model, provider, at }, usage({ inputTokens: 10_000 }))
  return cost === undefined ? undefined : usdFromNano(cost * 100n)
}

describe('split', () => {
  it('has parts that add up to the cost, and the amount saved by caching', () => {
    const count = fc.nat({ max: 300_000 })
    fc.assert(
      fc.property(
        fc.constantFrom('claude-sonnet-4-5', 'gpt-5', 'gpt-4.1-mini'),
        count,
        count,
        count,
        count,
        count,
        (model, inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, outputTokens) => {
          const request = { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens, outputTokens }
          const split = book.split({ model, at: AT }, request)
          const cost = book.cost({ model, at: AT }, request)
          const uncached = book.cost(
            { model, at: AT },
            usage({
              inputTokens: inputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens,
              outputTokens,
            }),
          )
          if (split === undefined || cost === undefined || uncached === undefined) throw new Error('no price')
          expect(split.inputNano + split.cacheReadNano + split.cacheWriteNano + split.outputNano).toBe(cost)
          // Both are rounded once: they may differ by a nano-USD.
          const difference = split.savedNano - (uncached - cost)
          expect(difference <= 1n && difference >= -1n).toBe(true)
        },
      ),
    )
  })

  it('is unknown where the price is', () => {
    expect(book.split({ model: 'no-such-model', at: AT }, usage({ inputTokens: 1 }))).toBeUndefined()
  })

  it('gives each class its price', () => {
    const split = book.split(
      { model: 'claude-sonnet-4-5', at: AT },
      usage({ inputTokens: 1000, cacheReadTokens: 1000, cacheWrite5mTokens: 1000, outputTokens: 1000 }),
    )
    // $3, $0.30, $3.75 and $15 a million; uncached, the input would have been $9 a million of each thousand.
    expect(split).toEqual({
      inputNano: 3_000_000n,
      cacheReadNano: 300_000n,
      cacheWriteNano: 3_750_000n,
      outputNano: 15_000_000n,
      savedNano: 1_950_000n,
    })
  })
})

describe('cost', () => {
  it("equals the library's, rounded to a nano-USD, for requests of any size", () => {
    const count = fc.oneof(
      fc.nat({ max: 2000 }),
      fc.nat({ max: 400_000 }),
      fc.constantFrom(0, 1, 199_999, 200_000, 200_001),
    )
    const model = fc.constantFrom<readonly [string, string]>(
      ['claude-opus-4-5-20251101', 'anthropic'],
      ['claude-sonnet-4-5', 'anthropic'],
      ['claude-opus-4-6', 'anthropic'],
      ['claude-3-5-haiku-20241022', 'anthropic'],
      ['claude-fable-5-1', 'anthropic'],
      ['gpt-5', 'openai'],
      ['gpt-4.1-mini', 'openai'],
      ['o3', 'openai'],
      ['gemini-2.5-pro', 'google'],
      ['gemini-2.5-flash', 'google'],
      ['deepseek-chat', 'deepseek'],
      ['grok-code-fast-1', 'x-ai'],
      ['MiniMax-M2', 'minimax'],
      ['qwen/qwen3-coder', 'openrouter'],
    )
    fc.assert(
      fc.property(
        model,
        count,
        count,
        count,
        count,
        count,
        fc.integer({ min: 0, max: 700 }),
        ([name, provider], input, read, write5m, write1h, output, day) => {
          const at = Date.UTC(2025, 5, 1) + day * 86_400_000 + ((day * 7_777_777) % 86_400_000)
          const theirs = calcPrice(
            {
              input_tokens: input + read + write5m + write1h,
              cache_read_tokens: read,
              cache_write_tokens: write5m + write1h,
              cache_write_1h_tokens: write1h,
              output_tokens: output,
            },
            name,
            { providerId: provider, timestamp: new Date(at) },
          )
          const ours = book.cost(
            { model: name, provider, at },
            {
              inputTokens: input,
              cacheReadTokens: read,
              cacheWrite5mTokens: write5m,
              cacheWrite1hTokens: write1h,
              outputTokens: output,
            },
          )
          expect(theirs).not.toBeNull()
          expect(Math.abs(usdFromNano(ours ?? -1n) - (theirs?.total_price ?? 0))).toBeLessThan(1e-9)
        },
      ),
      { numRuns: 1500 },
    )
  })

  it("is the sum of the token classes, as in Cline's own test", () => {
    const prices = createPriceBook({
      overrides: { 'a-model': { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 } },
    })
    const cost = prices.cost(
      { model: 'a-model', at: AT },
      usage({ inputTokens: 2000, outputTokens: 1000, cacheWrite5mTokens: 1500, cacheReadTokens: 500 }),
    )
    expect(cost).toBe(26_775_000n)
  })

  it('prices one-hour cache writes separately', () => {
    const query = { model: 'claude-opus-4-5', at: AT }
    expect(book.cost(query, usage({ cacheWrite5mTokens: 1_000 }))).toBe(6_250_000n)
    expect(book.cost(query, usage({ cacheWrite1hTokens: 1_000 }))).toBe(10_000_000n)
  })

  it('takes writes for half an hour and for twelve at a price of their own, else at that of the shorter lifetime', () => {
    const prices = createPriceBook({
      overrides: {
        own: { input: 2, output: 8, cacheWrite5m: 2.5, cacheWrite30m: 3, cacheWrite12h: 4 },
        shorter: { input: 2, output: 8, cacheWrite30m: 3 },
        none: { input: 2, output: 8 },
      },
    })
    const costs = (model: string) =>
      [usage({ cacheWrite30mTokens: 1_000 }), usage({ cacheWrite12hTokens: 1_000 })].map((tokens) =>
        prices.cost({ model, at: AT }, tokens),
      )
    expect(costs('own')).toEqual([3_000_000n, 4_000_000n])
    expect(costs('shorter')).toEqual([3_000_000n, 3_000_000n])
    expect(costs('none')).toEqual([2_000_000n, 2_000_000n])
  })

  it('applies a tier to all tokens of a request that reaches it', () => {
    const query = { model: 'gemini-2.5-pro', at: AT }
    expect(book.cost(query, usage({ inputTokens: 200_000 }))).toBe(250_000_000n)
    expect(book.cost(query, usage({ inputTokens: 100_000, cacheReadTokens: 100_001 }))).toBe(250_000_000n + 25_000_250n)
  })

  it("uses the price at the request's time, by day and by hour", () => {
    const large = usage({ inputTokens: 300_000 })
    expect(book.cost({ model: 'claude-opus-4-6', at: Date.UTC(2026, 2, 12, 23, 59) }, large)).toBe(3_000_000_000n)
    expect(book.cost({ model: 'claude-opus-4-6', at: Date.UTC(2026, 2, 13) }, large)).toBe(1_500_000_000n)
    const hour = (hours: number) =>
      book.cost({ model: 'deepseek-reasoner', at: Date.UTC(2025, 5, 1, hours) }, usage({ inputTokens: 1_000_000 }))
    expect(hour(3)).not.toBe(hour(20))
  })

  it('is unknown, never 0, for a model without a price', () => {
    for (const model of ['my-own-model', '', '<synthetic>', 'unknown', '/', 'qwen2.5-coder:32b'])
      expect([model, perMillion(model)]).toEqual([model, undefined])
    expect(perMillion('gpt-4.1', 'ollama')).toBeUndefined()
    expect(perMillion('ollama/gpt-4.1')).toBeUndefined()
  })

  it('is exact for the largest requests', () => {
    const prices = createPriceBook({ overrides: { m: { input: 0.123456789, output: 1 } } })
    expect(prices.cost({ model: 'm', at: AT }, usage({ inputTokens: 9_007_199_254_740_991 }))).toBe(
      (9_007_199_254_740_991n * 123_456_789n + 500_000n) / 1_000_000n,
    )
  })
})

describe('names', () => {
  it.each([
    ['anthropic/claude-sonnet-4-5', undefined, 3],
    ['claude-sonnet-4-5[1m]', undefined, 3],
    ['Claude-Sonnet-4-5-20250929', 'anthropic', 3],
    ['claude-sonnet-4-5-20250929', 'claude-code', 3],
    ['anthropic/claude-opus-4.5:thinking', 'cline', 5],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'bedrock', 3],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', undefined, 5.5],
    ['claude-sonnet-4@20250514', 'vertex', 3],
    ['openai/gpt-5', undefined, 1.25],
    ['gpt-5-2025-08-07', undefined, 1.25],
    ['gpt-5-codex', 'openai-native', 1.25],
    ['models/gemini-2.5-pro', undefined, 1.25],
    ['publishers/google/models/gemini-2.5-flash', 'vertex_ai', 0.3],
    ['openrouter/anthropic/claude-sonnet-4.5', undefined, 3],
    ['anthropic/claude-sonnet-4.5', 'a-gateway-of-ours', 3],
    ['copilot/claude-sonnet-4', undefined, 3],
    ['x-ai/grok-code-fast-1', undefined, 0.2],
  ])('finds %s of %s', (model, provider, price) => {
    expect(perMillion(model, provider)).toBeCloseTo(price, 9)
  })
})

describe('overrides', () => {
  it('come first, by full name or by its last part, whatever the case', () => {
    const prices = createPriceBook({ overrides: { 'GPT-5': { input: 100, output: 200 } } })
    for (const model of ['gpt-5', 'openai/gpt-5', 'GPT-5'])
      expect(prices.cost({ model, at: AT }, usage({ inputTokens: 10 }))).toBe(1_000_000n)
    expect(prices.cost({ model: 'gpt-5-mini', at: AT }, usage({ inputTokens: 1_000_000 }))).toBe(250_000_000n)
  })

  it('do not make an omitted class free', () => {
    const prices = createPriceBook({ overrides: { m: { input: 10, output: 20 } } })
    expect(
      prices.cost(
        { model: 'm', at: AT },
        usage({ cacheReadTokens: 1000, cacheWrite5mTokens: 1000, cacheWrite1hTokens: 1000 }),
      ),
    ).toBe(30_000_000n)
  })

  it('must be amounts', () => {
    for (const input of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      try {
        createPriceBook({ overrides: { m: { input, output: 1 } } })
        throw new Error('accepted')
      } catch (error) {
        expect(CairnError.is(error) && error.code).toBe('invalid-input')
      }
    }
  })
})
