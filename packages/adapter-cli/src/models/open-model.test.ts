import { describe, expect, it } from '@jest/globals'
import type { Context } from '../command.ts'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'
import { openLanguageModel, servedBy, type ModelChoice } from './open-model.ts'

const opened = (choice: ModelChoice, variables: Readonly<Record<string, string>> = {}) => {
  const context: Pick<Context, 'surroundings' | 'now' | 'terminal'> = {
    terminal: SILENT_TERMINAL,
    surroundings: { variables, platform: 'linux', home: '/home/me', folder: '/home/me' },
    now: () => Date.UTC(2026, 10, 1),
  }
  return openLanguageModel(choice, context)
}

describe('openLanguageModel', () => {
  it.each([
    ['claude-sonnet-5', { ANTHROPIC_API_KEY: 'k' }, 'anthropic'],
    ['gpt-5.1', { OPENAI_API_KEY: 'k' }, 'openai'],
    ['gemini-2.5-flash', { GOOGLE_API_KEY: 'k' }, 'google'],
  ])('finds the provider of %s by the name', async (model, variables, provider) => {
    const { languageModel, model: asked } = await opened({ model }, variables)
    expect([languageModel.provider, asked]).toEqual([provider, model])
  })

  it("leaves a gateway out of the model's name", async () => {
    const { languageModel, model } = await opened(
      { model: 'openrouter/anthropic/claude-opus-4.5' },
      { OPENROUTER_API_KEY: 'k' },
    )
    expect([languageModel.provider, model]).toEqual(['openrouter', 'anthropic/claude-opus-4.5'])
  })

  it('asks a server of the user without a key, by the API of the model that is named', async () => {
    const baseUrl = 'http://localhost:9'
    expect((await opened({ model: 'claude-sonnet-5', baseUrl })).languageModel.provider).toBe('anthropic')
    expect((await opened({ model: 'my-own-model', baseUrl })).languageModel.provider).toBe('openai')
    expect((await opened({ model: 'my-own-model', provider: 'ollama' })).languageModel.provider).toBe('ollama')
  })

  it('refuses in one sentence what can not be asked', async () => {
    await expect(opened({ model: 'claude-sonnet-5' }, { ANTHROPIC_API_KEY: ' ' })).rejects.toMatchObject({
      code: 'auth',
      message: 'There is no key for Anthropic: keep one with cairn secret set anthropic, or set ANTHROPIC_API_KEY.',
    })
    await expect(opened({ model: 'claude-sonet-5' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('claude-sonnet-5'),
    })
    await expect(opened({ model: 'grok-4' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('--provider'),
    })
    await expect(opened({ model: 'x', provider: 'antropic' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining("Did you mean 'anthropic'?"),
    })
  })
})

describe('servedBy', () => {
  const at = Date.UTC(2026, 10, 1)
  const set = { model: 'gpt-5.1', provider: 'openai', baseUrl: 'http://localhost:9' } as const

  it('keeps the address that is set for the provider that is set with it, however it is written', async () => {
    expect(await servedBy(set, {}, at)).toEqual(set)
    expect(await servedBy(set, { provider: ' OpenAI' }, at)).toMatchObject({ baseUrl: set.baseUrl })
    expect(await servedBy(set, { baseUrl: 'http://localhost:8' }, at)).toEqual({
      ...set,
      baseUrl: 'http://localhost:8',
    })
    // That of the model, where none is set.
    expect(await servedBy({ ...set, provider: undefined }, { provider: 'openai' }, at)).toMatchObject({
      baseUrl: set.baseUrl,
    })
  })

  it('gives another provider no address but its own, so that its key goes nowhere else', async () => {
    expect(await servedBy(set, { provider: 'anthropic' }, at)).toEqual({
      model: 'gpt-5.1',
      provider: 'anthropic',
      baseUrl: undefined,
    })
    expect(await servedBy({ ...set, provider: undefined }, { provider: 'anthropic' }, at)).toMatchObject({
      baseUrl: undefined,
    })
    expect(await servedBy(set, { provider: 'anthropic', baseUrl: 'http://localhost:8' }, at)).toMatchObject({
      provider: 'anthropic',
      baseUrl: 'http://localhost:8',
    })
  })
})
