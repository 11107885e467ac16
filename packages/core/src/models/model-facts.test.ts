import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import { MODEL_FAMILIES, MODEL_LIMITS } from './known-models.ts'
import { createModelCatalog } from './model-catalog.ts'
import { modelFacts } from './model-facts.ts'
import { parseModelOverrides } from './model-overrides.ts'

describe('facts of models', () => {
  it('finds a model under every name that agents write', () => {
    const names = [
      'claude-sonnet-4-5-20250929',
      'claude-sonnet-4.5',
      'Claude-Sonnet-4-5',
      'anthropic/claude-sonnet-4.5',
      'openrouter/anthropic/claude-sonnet-4.5:thinking',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-sonnet-4-5@20250929',
      'claude-4.5-sonnet',
    ]
    for (const name of names) {
      expect({ ...modelFacts(name), id: '' }).toEqual({
        id: '',
        contextWindow: 200_000,
        maxOutputTokens: 64_000,
        minimumCacheableTokens: 1024,
        cache: 'anthropic',
        cacheLifetimeSeconds: 300,
        charsPerToken: 2.7,
        thinkingSignature: 'bound-to-turn',
        known: true,
      })
    }
  })

  it('tells versions with a common prefix apart', () => {
    const minimum = (model: string): number => modelFacts(model).minimumCacheableTokens
    expect(
      [
        'claude-opus-4-20250514',
        'claude-opus-4-1',
        'claude-opus-4-5',
        'claude-opus-4-7',
        'claude-opus-4-8',
        'claude-opus-5-5',
      ].map(minimum),
    ).toEqual([1024, 1024, 4096, 2048, 1024, 512])
    const window = (model: string): number => modelFacts(model).contextWindow
    expect(
      [
        'gpt-4',
        'gpt-4-turbo',
        'gpt-4o-mini',
        'gpt-4.1-nano',
        'gpt-5',
        'gpt-5-chat-latest',
        'gpt-5.4',
        'gpt-5.4-mini',
        'o1-mini',
        'o3',
      ].map(window),
    ).toEqual([8192, 128_000, 128_000, 1_047_576, 400_000, 128_000, 1_050_000, 400_000, 128_000, 200_000])
    expect(
      ['llama3:8b', 'meta.llama3-1-70b-instruct-v1:0', 'gemini-2.5-pro', 'qwen3-coder-plus', 'qwen3-coder:30b'].map(
        window,
      ),
    ).toEqual([8192, 128_000, 1_048_576, 1_000_000, 262_144])
  })

  it('reads a window from the name', () => {
    expect(modelFacts('claude-sonnet-4-5[1m]').contextWindow).toBe(1_000_000)
    expect(modelFacts('sonnet[1m]')).toMatchObject({
      contextWindow: 1_000_000,
      cache: 'anthropic',
      known: true,
    })
    expect(modelFacts('anthropic.claude-3-sonnet-20240229-v1:0:200k').contextWindow).toBe(200_000)
    expect(modelFacts('some-model[32k]')).toMatchObject({ contextWindow: 32_000, known: true })
    expect(modelFacts('gpt-5[1m]')).not.toHaveProperty('maxInputTokens')
  })

  it("knows GPT-5's input limit, which is less than its window", () => {
    expect(modelFacts('openai/gpt-5.1-codex')).toMatchObject({
      contextWindow: 400_000,
      maxInputTokens: 272_000,
    })
  })

  it('a DeepSeek model behind an OpenAI-compatible provider has 128,000 tokens', async () => {
    const catalog = await createModelCatalog()
    for (const name of [
      'deepseek-chat',
      'DeepSeek-Reasoner',
      'deepseek/deepseek-v3.2',
      'accounts/fireworks/models/deepseek-v3p1',
      'deepseek-r1:70b',
    ])
      for (const facts of [
        modelFacts(name, { provider: 'openai' }),
        catalog.facts(name, 'openai'),
        catalog.facts(name, 'deepseek'),
      ])
        expect(facts).toMatchObject({ contextWindow: 128_000, known: true })
    expect(modelFacts('deepseek-v4-pro').contextWindow).toBe(1_000_000)
  })

  it('knows which models bind signatures to the conversation, including later models of a family', () => {
    const bound = [
      'claude-opus-5-5',
      'claude-opus-5.5-20270301',
      'claude-sonnet-5-5',
      'anthropic/claude-sonnet-5.7',
      'claude-fable-5-1',
      'claude-5.1-fable',
      'claude-opus-6',
      'claude-sonnet-6-20280101',
      'us.anthropic.claude-opus-10-2-v1:0',
    ]
    const ofTurn = [
      'claude-opus-5',
      'claude-opus-5-20260401',
      'claude-opus-5-4',
      'claude-sonnet-5',
      'claude-fable-5',
      'claude-fable-5-20260401',
      'claude-haiku-5-5',
      'claude-opus-4-8',
      'claude-opus-4-20250514',
      'claude-3-opus-20240229',
      'opus',
      'gpt-5.6',
      '',
    ]
    for (const name of bound)
      expect([name, modelFacts(name).thinkingSignature]).toEqual([name, 'bound-to-conversation'])
    for (const name of ofTurn) expect([name, modelFacts(name).thinkingSignature]).toEqual([name, 'bound-to-turn'])
    const overrides = parseModelOverrides({ 'my-own-model': { thinkingSignature: 'bound-to-conversation' } })
    expect(modelFacts('my-own-model', { overrides }).thinkingSignature).toBe('bound-to-conversation')
  })

  it('assumes little of an unknown model, and says so', () => {
    const unknown = {
      contextWindow: 128_000,
      maxOutputTokens: 8192,
      minimumCacheableTokens: 1024,
      cache: 'none',
      cacheLifetimeSeconds: 0,
      charsPerToken: 2.7,
      thinkingSignature: 'bound-to-turn',
      known: false,
    }
    for (const id of ['my-own-model', '', '///', '[1x]', '__proto__', 'constructor'])
      expect(modelFacts(id)).toEqual({ id, ...unknown })
  })

  it('falls back to the price list', async () => {
    const catalog = await createModelCatalog()
    expect(catalog.facts('cohere/command-a')).toMatchObject({ contextWindow: 256_000, known: true })
    expect(catalog.facts('phi-4', 'azure')).toMatchObject({ contextWindow: 16_384, known: true })
    expect(catalog.facts('my-own-model', 'nobody')).toMatchObject({ contextWindow: 128_000, known: false })
    expect(catalog.facts('phi-4', 'azure')).toBe(catalog.facts('phi-4', 'azure'))
    expect(modelFacts('x', { listed: () => ({ contextWindow: 50_000, hasCache: true }) })).toMatchObject({
      contextWindow: 50_000,
      cache: 'automatic',
      cacheLifetimeSeconds: 300,
    })
  })

  it("prefers the user's table, field by field", async () => {
    const table = {
      'Claude-Sonnet-4-5[1m]': { contextWindow: 500_000 },
      'my-model': { contextWindow: 32_000, cache: 'automatic' },
      'gpt-5': { contextWindow: 100_000 },
    }
    const catalog = await createModelCatalog(table)
    expect(catalog.facts('claude-sonnet-4-5[1m]')).toMatchObject({
      contextWindow: 500_000,
      maxOutputTokens: 64_000,
    })
    expect(catalog.facts('claude-sonnet-4-5').contextWindow).toBe(200_000)
    expect(catalog.facts('proxy/my-model')).toMatchObject({
      contextWindow: 32_000,
      cache: 'automatic',
      known: true,
    })
    expect(catalog.facts('openai/gpt-5')).toMatchObject({ contextWindow: 100_000 })
    expect(catalog.facts('openai/gpt-5')).not.toHaveProperty('maxInputTokens')
  })

  it('refuses an unusable table in one sentence that names the position', async () => {
    const sentenceOf = (value: unknown): string => {
      try {
        parseModelOverrides(value)
      } catch (thrown) {
        expect(CairnError.is(thrown) && thrown.code).toBe('invalid-input')
        return thrown instanceof Error ? thrown.message : ''
      }
      return 'accepted'
    }
    for (const window of [0, -1, 1.5, Number.NaN, '200k', null])
      expect(sentenceOf({ m: { contextWindow: window } })).toMatch(
        /^The fact 'contextWindow' of the model 'm' can't be used: [^\n]+\.$/,
      )
    expect(sentenceOf({ m: { cache: 'maybe' } })).toMatch(/^The fact 'cache' of the model 'm'/)
    expect(sentenceOf({ m: { window: 5 } })).toMatch(/^The facts of the model 'm' can't be used: .*window/)
    expect(sentenceOf({ m: 5 })).toMatch(/^The facts of the model 'm'/)
    expect(sentenceOf([])).toMatch(/^The table of model facts/)
    expect(sentenceOf({ m: { charsPerToken: 3.5 } })).toBe('accepted')
    await expect(createModelCatalog({ m: { contextWindow: 0 } })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })

  it('has consistent rows', () => {
    for (const [, traits] of [...MODEL_LIMITS, ...MODEL_FAMILIES]) {
      for (const value of Object.values(traits)) expect(typeof value === 'string' || value > 0).toBe(true)
      const { contextWindow = Infinity, maxOutputTokens = 0, maxInputTokens = 0 } = traits
      expect(Math.max(maxOutputTokens, maxInputTokens)).toBeLessThanOrEqual(contextWindow)
    }
  })
})
