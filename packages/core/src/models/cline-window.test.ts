import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { contextBudget, fits, shouldCompress, windowLevel } from './context-budget.ts'
import { contextWindowInfo, usedTokens } from './cline-window.ts'

const invalid: unknown = expect.objectContaining({ code: 'invalid-input' })

describe("the window by Cline's rule", () => {
  it('allows what Cline allows', () => {
    const allowed = (window?: number): number => contextWindowInfo(window).maxAllowedSize
    expect([64_000, 128_000, undefined, 200_000, 8000, 1_000_000].map(allowed)).toEqual([
      37_000, 98_000, 98_000, 160_000, 6400, 960_000,
    ])
    // The jump that the default policy does not have.
    expect(allowed(127_999)).toBe(102_399)
  })

  it('accepts a model id, a window, or the facts of a model', () => {
    expect(contextWindowInfo('claude-sonnet-4-5')).toEqual({
      contextWindow: 200_000,
      maxAllowedSize: 160_000,
      maxOutputTokens: 64_000,
    })
    expect(contextWindowInfo({ contextWindow: 64_000 })).toMatchObject({
      contextWindow: 64_000,
      maxAllowedSize: 37_000,
    })
    expect(contextWindowInfo({ contextWindow: undefined })).toMatchObject({
      contextWindow: 128_000,
      maxAllowedSize: 98_000,
    })
    expect(contextWindowInfo({})).toEqual(contextWindowInfo())
    expect(contextWindowInfo({ id: 'gpt-4', contextWindow: 1000 }).contextWindow).toBe(1000)
    expect(contextWindowInfo('nobody-knows-it').maxAllowedSize).toBe(98_000)
  })

  it('DeepSeek has 128,000 tokens whatever the provider', () => {
    expect(contextWindowInfo('deepseek-chat')).toMatchObject({
      contextWindow: 128_000,
      maxAllowedSize: 98_000,
    })
    expect(contextWindowInfo({ id: 'deepseek-chat' }).contextWindow).toBe(128_000)
  })

  it('refuses an invalid window', () => {
    for (const window of [0, -1, Number.NaN, Infinity, 1000.5]) {
      expect(() => contextWindowInfo(window)).toThrow(invalid)
      expect(() => contextWindowInfo({ contextWindow: window })).toThrow(invalid)
    }
    expect(() => contextWindowInfo(0)).toThrow("The context window must be a whole number of tokens above 0, not '0'.")
  })

  it('counts the whole last request, and compacts from the allowed size on', () => {
    const usage = {
      inputTokens: 1,
      outputTokens: 20,
      cacheWrite5mTokens: 300,
      cacheWrite1hTokens: 4000,
      cacheReadTokens: 50_000,
    }
    expect(usedTokens(usage)).toBe(54_321)
    const { maxAllowedSize } = contextWindowInfo(64_000)
    const used = (cacheReadTokens: number): number => usedTokens({ ...usage, cacheWrite1hTokens: 0, cacheReadTokens })
    expect([used(36_678), used(36_679)].map((tokens) => tokens >= maxAllowedSize)).toEqual([false, true])
  })
})

describe('the explicit budget', () => {
  const windows = fc.integer({ min: 2000, max: 2_000_000 })
  const replies = fc.integer({ min: 1, max: 400_000 })

  it('a larger window never means fewer available tokens or a smaller reply', () => {
    fc.assert(
      fc.property(
        windows,
        fc.integer({ min: 0, max: 100_000 }),
        replies,
        fc.option(fc.nat(200_000), { nil: undefined }),
        (window, more, maxOutputTokens, reserve) => {
          const small = contextBudget({ window, maxOutputTokens, reserve })
          const large = contextBudget({ window: window + more, maxOutputTokens, reserve })
          expect(large.usable).toBeGreaterThanOrEqual(small.usable)
          expect(large.reply).toBeGreaterThanOrEqual(small.reply)
          // No jumps: room grows by no more than the window does.
          expect(large.usable - small.usable).toBeLessThanOrEqual(more)
        },
      ),
    )
    const around = [127_999, 128_000, 128_001].map((window) => contextBudget({ window, maxOutputTokens: 8192 }).usable)
    expect(around).toEqual([119_807, 119_808, 119_809])
  })

  it('reply, system prompt, tools and messages fit the window together, with tokens left for messages', () => {
    fc.assert(
      fc.property(
        windows,
        replies,
        fc.double({ min: 0, max: 0.49, noNaN: true }),
        fc.double({ min: 0, max: 0.49, noNaN: true }),
        (window, maxOutputTokens, system, tools) => {
          const [systemTokens, toolTokens] = [Math.floor(window * system), Math.floor(window * tools)]
          const budget = contextBudget({ window, maxOutputTokens, systemTokens, toolTokens })
          expect(budget.usable).toBeGreaterThan(0)
          expect(budget.reply).toBeGreaterThan(0)
          expect(budget.reply).toBeLessThanOrEqual(maxOutputTokens)
          expect(budget.usable + budget.reply + systemTokens + toolTokens).toBeLessThanOrEqual(window)
        },
      ),
    )
  })

  it('reserves the whole reply where the window allows it, else a quarter of the available tokens', () => {
    expect(contextBudget({ window: 200_000, maxOutputTokens: 16_000, systemTokens: 5000, toolTokens: 15_000 })).toEqual(
      { window: 200_000, reply: 16_000, usable: 164_000 },
    )
    expect(contextBudget({ window: 2000, maxOutputTokens: 8192 })).toEqual({
      window: 2000,
      reply: 500,
      usable: 1500,
    })
    expect(contextBudget({ window: 32_000, maxOutputTokens: 8192, systemTokens: 20_000 })).toEqual({
      window: 32_000,
      reply: 3000,
      usable: 9000,
    })
    expect(contextBudget({ window: 200_000, maxOutputTokens: 64_000, reserve: 16_000 }).usable).toBe(184_000)
    expect(
      contextBudget({
        window: 400_000,
        maxOutputTokens: 128_000,
        reserve: 16_000,
        maxInputTokens: 272_000,
        systemTokens: 2000,
      }).usable,
    ).toBe(270_000)
  })

  it('refuses impossible budgets and invalid token counts', () => {
    expect(() => contextBudget({ window: 8000, maxOutputTokens: 1000, systemTokens: 5000, toolTokens: 3000 })).toThrow(
      'The system prompt and the tools take 8000 tokens, which leaves no room for a message in a window of 8000; choose a model with a larger window or fewer tools.',
    )
    for (const bad of [
      { window: 0 },
      { window: -5 },
      { window: Number.NaN },
      { maxOutputTokens: 0 },
      { systemTokens: -1 },
      { toolTokens: 1.5 },
      { reserve: Number.NaN },
      { maxInputTokens: 0 },
    ])
      expect(() => contextBudget({ window: 10_000, maxOutputTokens: 1000, ...bad })).toThrow(invalid)
  })

  it('says when to compress and when nothing fits any more', () => {
    const budget = contextBudget({ window: 10_000, maxOutputTokens: 2000 })
    expect(budget.usable).toBe(8000)
    expect([0, 5999, 6000, 8000, 8001].map((used) => windowLevel(used, budget))).toEqual([
      'ok',
      'ok',
      'near',
      'near',
      'over',
    ])
    expect([8000, 8001].map((used) => fits(used, budget))).toEqual([true, false])
    expect([
      shouldCompress(5999, budget),
      shouldCompress(6000, budget),
      shouldCompress(4000, budget, 0.5),
      shouldCompress(3999, budget, 0.5),
    ]).toEqual([false, true, true, false])
  })
})
