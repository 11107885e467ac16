import { describe, expect, it } from '@jest/globals'
import { listedProviders, listedProviderOf } from './listed-models.ts'
import { nearestModels, nearestNames } from './nearest-models.ts'

describe('nearestNames', () => {
  const known = ['gpt-5', 'claude-sonnet-5', 'claude-opus-4-5', 'us.anthropic.claude-opus-4-5-v1:0', 'gemini-3-pro']

  it.each([
    ['claude-sonet-5', ['claude-sonnet-5']],
    ['gtp-5', ['gpt-5']],
    ['Claude-4.5-Opus', ['claude-opus-4-5']],
    ['anthropic/claude-opus-45-20251101', ['claude-opus-4-5']],
    ['gemini-3-por', ['gemini-3-pro']],
    ['banana', []],
    ['', []],
    ['---', []],
  ])('of %j is first %j', (name, nearest) => {
    expect(nearestNames(name, known).slice(0, 1)).toEqual(nearest)
  })

  it('gives of names that are compared alike the shortest, and no more than asked for', () => {
    expect(nearestNames('claude-opus-4-6', known)).toEqual(['claude-opus-4-5'])
    expect(nearestNames('abc-1', ['abc-2', 'abc-3', 'abc-4'], 2)).toEqual(['abc-2', 'abc-3'])
  })

  it('takes names of any length', () => {
    expect(nearestNames('x'.repeat(1_000_000), known)).toEqual([])
  })
})

describe('nearestModels', () => {
  it('looks through the whole price list', async () => {
    expect((await nearestModels('claude-sonet-4-5'))[0]).toBe('claude-sonnet-4-5')
    expect(await nearestModels('zzzzzqqqq')).toEqual([])
    expect((await nearestModels('claude-sonet-4-5', { limit: 1 })).length).toBe(1)
  })

  it('looks through the models of one provider, as that provider writes them', async () => {
    expect((await nearestModels('claude-sonet-4-5', { provider: 'openrouter' }))[0]).toMatch(
      /^anthropic\/claude-sonnet-4/,
    )
    expect(await nearestModels('claude-sonet-4-5', { provider: 'openai' })).toEqual([])
    expect(await nearestModels('claude-sonet-4-5', { provider: 'vllm' })).toEqual([])
  })

  it('does not give back the name itself, which a provider may have refused', async () => {
    const nearest = await nearestModels('Claude-Sonnet-4-5', { provider: 'anthropic' })
    expect(nearest.length).toBeGreaterThan(0)
    expect(nearest).not.toContain('claude-sonnet-4-5')
  })
})

describe('listedProviders', () => {
  it('has the makers, each with models', async () => {
    const providers = await listedProviders()
    for (const id of ['anthropic', 'openai', 'google', 'openrouter'])
      expect(providers.find((provider) => provider.id === id)?.models.length).toBeGreaterThan(10)
  })

  it.each([
    ['claude-sonnet-4-5-20250929', 'anthropic'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'openrouter'],
    ['a-model-of-mine', undefined],
  ])('the provider of %s is %s', (model, provider) => {
    expect(listedProviderOf(model)).toBe(provider)
  })
})
