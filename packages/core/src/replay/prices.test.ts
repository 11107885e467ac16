import { describe, expect, it } from '@jest/globals'
import { pricesOfModel } from './prices.ts'

const at = Date.UTC(2026, 0, 15)

describe('prices of a model', () => {
  it('are the list prices per million tokens, by cache lifetime', async () => {
    expect(await pricesOfModel('claude-sonnet-4-5', { at, cacheLifetime: 300 })).toEqual({
      input: 3,
      output: 15,
      write: 3.75,
      read: 0.3,
    })
    expect(await pricesOfModel('claude-sonnet-4-5', { at, cacheLifetime: 3600 })).toEqual({
      input: 3,
      output: 15,
      write: 6,
      read: 0.3,
    })
  })

  it("are the user's own where they are set", async () => {
    const overrides = { mine: { input: 0.0375, output: 2 } }
    expect(await pricesOfModel('mine', { at, cacheLifetime: 300, overrides })).toEqual({
      input: 0.0375,
      output: 2,
      write: 0.0375,
      read: 0.0375,
    })
  })

  it('are unknown for a model without a price', async () => {
    expect(await pricesOfModel('no-such-model', { at, cacheLifetime: 300 })).toBeUndefined()
  })
})
