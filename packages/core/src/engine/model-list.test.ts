import { describe, expect, it } from '@jest/globals'
import { knownModels } from './model-list.ts'

const AT = Date.UTC(2026, 5, 1)

describe('knownModels', () => {
  it('describes a listed model', async () => {
    const { models, describe: describeModel } = await knownModels({ at: AT })
    const model = models.find(({ id, provider }) => provider === 'anthropic' && id === 'claude-sonnet-4-5')
    expect(model && describeModel(model)).toEqual({
      id: 'claude-sonnet-4-5',
      provider: 'anthropic',
      contextWindow: 200_000,
      isOwnWindow: false,
      maxOutputTokens: 64_000,
      cache: 'anthropic',
      cacheLifetimeSeconds: 300,
      prices: { input: 3, cacheRead: 0.3, cacheWrite: 3.75, cacheWrite1h: 6, output: 15 },
      isOwnPrice: false,
      isCurrent: false,
      isDeprecated: false,
    })
  })

  it('says null for what nobody knows, instead of a default', async () => {
    const known = await knownModels({ at: AT })
    expect(known.describe(known.named('a-model-of-mine'))).toMatchObject({
      provider: null,
      contextWindow: null,
      maxOutputTokens: null,
      cache: 'none',
      prices: null,
    })
  })

  it("gives a model on the user's own machine no provider", async () => {
    const known = await knownModels({ at: AT })
    expect(known.named('gpt-5').provider).toBe('openai')
    expect(known.named('ollama/gpt-5').provider).toBeNull()
  })

  it("takes the user's window and prices first, and says that they are theirs", async () => {
    const known = await knownModels({
      at: AT,
      facts: { 'claude-sonnet-4-5': { contextWindow: 64_000 } },
      prices: { 'claude-sonnet-4-5': { input: 1, output: 2 } },
    })
    expect(known.describe(known.named('anthropic/Claude-Sonnet-4-5'))).toMatchObject({
      contextWindow: 64_000,
      isOwnWindow: true,
      maxOutputTokens: 64_000,
      prices: { input: 1, cacheRead: 1, cacheWrite: 1, output: 2 },
      isOwnPrice: true,
    })
    await expect(knownModels({ at: AT, facts: { m: { contextWindow: -1 } } })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})
