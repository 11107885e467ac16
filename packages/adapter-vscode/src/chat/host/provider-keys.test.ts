import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { choiceText, keptChoice, openChoice } from './model-choice.ts'
import { createEditorKeys } from './provider-keys.ts'

describe('keys of providers in the editor', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'cairn-keys-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const keysWith = (variables: Readonly<Record<string, string>>) => {
    const kept = new Map<string, string>()
    const secrets = {
      get: async (name: string) => kept.get(name),
      store: async (name: string, value: string) => void kept.set(name, value),
      delete: async (name: string) => void kept.delete(name),
    }
    const keys = createEditorKeys(secrets, () => ({
      variables: { ...variables, CAIRN_HOME: home },
      folder: undefined,
      platform: 'linux',
      home,
    }))
    return { keys, kept }
  }

  it('finds what the editor keeps, and the environment before it', async () => {
    const { keys, kept } = keysWith({ OPENAI_API_KEY: 'from-environment' })
    await keys.keep('anthropic', 'kept')
    await keys.keep('openai', 'kept-too')
    expect([...kept.keys()]).toEqual(['cairn.apiKey.anthropic', 'cairn.apiKey.openai'])
    expect(await keys.find('anthropic')).toMatchObject({ value: 'kept' })
    expect(await keys.find('openai')).toEqual({ value: 'from-environment', keyName: 'OPENAI_API_KEY' })
    await keys.remove('anthropic')
    expect(kept.has('cairn.apiKey.anthropic')).toBe(false)
  })

  it('says where each key is, without reading them', async () => {
    const { keys } = keysWith({ OPENAI_API_KEY: 'x' })
    await keys.keep('google', 'kept')
    const listed = new Map((await keys.list()).map((key) => [key.name, key]))
    expect(listed.get('openai')).toMatchObject({ found: { from: 'environment' }, isInEditor: false })
    expect(listed.get('google')).toMatchObject({ isInEditor: true })
    // Servers of the user's own machine take none.
    expect(listed.has('ollama')).toBe(false)
    expect(JSON.stringify([...listed])).not.toContain('kept')
  })
})

describe('the model of a mode', () => {
  it('is kept as data, and is none where its provider is not known', () => {
    expect(keptChoice({ model: 'm', provider: 'ollama', extra: 1 })).toEqual({ model: 'm', provider: 'ollama' })
    for (const broken of [undefined, 'x', { model: '' }, { model: 'm', provider: 'nobody' }, { provider: 'openai' }])
      expect(keptChoice(broken)).toBeUndefined()
    expect(choiceText({ model: 'claude-sonnet-5', provider: 'anthropic' })).toBe('claude-sonnet-5 · Anthropic')
  })

  it('is opened with a key, and says what to do without one', () => {
    expect(() => openChoice({ model: 'claude-sonnet-5', provider: 'anthropic' }, undefined)).toThrow(
      'There is no key for Anthropic: set one here, or ANTHROPIC_API_KEY in the environment.',
    )
    const opened = openChoice({ model: 'openrouter/a/b', provider: 'openrouter' }, { value: 'k', keyName: 'K' })
    expect([opened.languageModel.provider, opened.model]).toEqual(['openrouter', 'a/b'])
    expect(openChoice({ model: 'm', provider: 'ollama' }, undefined).model).toBe('m')
  })
})
