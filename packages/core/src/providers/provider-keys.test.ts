import { describe, expect, it } from '@jest/globals'
import type { Secrets, StoredSecret } from '../ports/secrets.ts'
import { findProviderKey, providerKeys, secretNameOf } from './provider-keys.ts'
import { PROVIDERS } from './registry.ts'

const STORED: readonly StoredSecret[] = [
  { name: 'anthropic', keptIn: 'keyring' },
  { name: 'openai', keptIn: 'file' },
  { name: 'vllm', keptIn: 'keyring' },
]
const secrets = (): Promise<Pick<Secrets, 'get'>> =>
  Promise.resolve({
    get: (name) => Promise.resolve(STORED.some((secret) => secret.name === name) ? `stored-${name}` : undefined),
  })
const refuse = (): never => {
  throw new Error('the secrets were looked at')
}

describe('providerKeys', () => {
  it('names every provider that can be asked once, with where its key is', () => {
    const keys = providerKeys({ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: ' ', GOOGLE_API_KEY: 'k' }, STORED)
    expect(keys.map(({ name }) => name)).toEqual(Object.keys(PROVIDERS).filter((name) => name !== 'openai-chat'))
    expect(Object.fromEntries(keys.map(({ name, found }) => [name, found]))).toMatchObject({
      anthropic: { from: 'environment', variable: 'ANTHROPIC_API_KEY' },
      openai: { from: 'file' },
      google: { from: 'environment', variable: 'GOOGLE_API_KEY' },
      openrouter: null,
      vllm: { from: 'keyring' },
    })
    const isNeeded = new Map(keys.map((key) => [key.name, key.isNeeded]))
    expect(['ollama', 'lm-studio', 'vllm', 'anthropic'].map((name) => isNeeded.get(name))).toEqual([
      ...[false, false, false],
      true,
    ])
  })
})

describe('secretNameOf', () => {
  it.each([
    ['anthropic', 'anthropic'],
    [' Anthropic ', 'anthropic'],
    ['ANTHROPIC_API_KEY', 'anthropic'],
    ['openai-chat', 'openai'],
    ['gemini', 'google'],
    ['azure', 'azure'],
    ['azure-openai', 'azure'],
    ['vllm', 'vllm'],
    ['antropic', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%j is %j', (text, name) => {
    expect(secretNameOf(text)).toBe(name)
  })
})

describe('findProviderKey', () => {
  it('takes the key of the environment, without a look at the secrets', async () => {
    expect(await findProviderKey('openai-chat', { OPENAI_API_KEY: ' k\n' }, refuse)).toEqual({
      value: 'k',
      keyName: 'OPENAI_API_KEY',
    })
  })

  it('takes the stored one where the environment has none', async () => {
    expect(await findProviderKey('openai-chat', { OPENAI_API_KEY: '' }, secrets)).toEqual({
      value: 'stored-openai',
      keyName: 'the stored key (cairn secret set openai)',
    })
    expect(await findProviderKey('vllm', {}, secrets)).toMatchObject({ value: 'stored-vllm' })
    expect(await findProviderKey('google', {}, secrets)).toBeUndefined()
  })
})
