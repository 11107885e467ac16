import { describe, expect, it } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startModelServer } from '../testing/model-server/index.ts'
import { createLanguageModel, PROVIDERS } from './index.ts'
import { outcomeOf } from './outcome.fixture.ts'

const REQUEST = {
  model: 'claude-sonnet-5',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxOutputTokens: 100,
} as const

describe('createLanguageModel', () => {
  it('makes a model of each provider, which usage knows by its name', () => {
    for (const [provider, { needsBaseUrl }] of Object.entries(PROVIDERS)) {
      const baseUrl = needsBaseUrl === true ? 'https://own.openai.azure.com/openai/v1' : undefined
      const name = provider === 'openai-chat' ? 'openai' : provider
      expect(createLanguageModel({ provider, baseUrl, apiKey: 'key' }).provider).toBe(name)
    }
  })

  it('names the providers that there are, and what a provider needs', () => {
    expect(() => createLanguageModel({ provider: 'antropic' })).toThrow(
      /no provider "antropic"; there are anthropic, openai/,
    )
    expect(() => createLanguageModel({ provider: 'constructor' })).toThrow(/no provider "constructor"/)
    expect(() => createLanguageModel({ provider: 'azure' })).toThrow(/Azure needs a base URL/)
    expect(() => createLanguageModel({ provider: 'ollama', baseUrl: 'localhost:11434' })).toThrow(
      /must begin with http/,
    )
  })

  it('makes failed requests again, visibly, unless told not to', async () => {
    const server = await startModelServer({ wires: ['anthropic'] })
    const options = { provider: 'anthropic', baseUrl: server.url, apiKey: 'test-key' }
    server.script({ fault: { kind: 'refuse', as: 'overloaded' } }, { fault: { kind: 'cut', at: 'in-text' } })
    const { events, error } = await outcomeOf(
      createLanguageModel({ ...options, retries: { firstDelayMs: 1 } }),
      REQUEST,
    )
    expect(error).toBeUndefined()
    expect(events.flatMap((event) => (event.type === 'retry' ? [event.error.code] : []))).toEqual([
      'overloaded',
      'connection-lost',
    ])
    expect(events.at(-1)).toMatchObject({ type: 'done' })
    server.script({ fault: { kind: 'refuse', as: 'overloaded' } })
    expect((await outcomeOf(createLanguageModel({ ...options, retries: false }), REQUEST)).error?.code).toBe(
      'overloaded',
    )
    await server.close()
  })

  it.each([
    ['anthropic', '', 'claude-sonet-5', 'claude-sonnet-5'],
    ['openai', '/v1', 'gtp-5.5', 'gpt-5.5'],
    ['openai-chat', '/v1', 'gtp-5.5', 'gpt-5.5'],
    ['google', '', 'gemini-2.5-falsh', 'gemini-2.5-flash'],
  ])(
    'names the nearest models of %s when it does not know one, also when it counts',
    async (provider, path, model, near) => {
      const server = await startModelServer()
      for (const retries of [false, {}] as const) {
        const asked = createLanguageModel({ provider, baseUrl: server.url + path, apiKey: 'test-key', retries })
        const { error } = await outcomeOf(asked, { ...REQUEST, model })
        expect(error).toMatchObject({ code: 'unknown-model', details: { status: 404 } })
        expect(error?.message).toMatch(new RegExp(`has no model named ${model}.* Nearest: (?:\\S+ )*${near}[,.]`))
        if (asked.countTokens !== undefined)
          await expect(asked.countTokens({ ...REQUEST, model })).rejects.toThrow(`Nearest: `)
      }
      await server.close()
    },
  )

  it.each(['anthropic', 'openai', 'openai-chat', 'google'])(
    'says that a key of %s is missing or no key, instead of blaming the connection',
    async (provider) => {
      const messageFor = async (apiKey: string, baseUrl?: string): Promise<string | undefined> => {
        const model = createLanguageModel({
          provider,
          apiKey,
          retries: false,
          ...(baseUrl === undefined ? {} : { baseUrl }),
        })
        const { error } = await outcomeOf(model, REQUEST)
        expect(error?.code).toBe('auth')
        return error?.message
      }
      expect(await messageFor('')).toMatch(/^There is no key for \w+: set \w+_API_KEY\.$/)
      for (const key of ['\u201csk-1\u201d', 'sk 1', 'sk-1\nx', 'sk-é'])
        expect(await messageFor(key, 'http://127.0.0.1:9')).toMatch(
          /^The key for [\w.:]+ has characters that no key has: check \w+_API_KEY\.$/,
        )
    },
  )

  it('is cancelled while it waits for the next attempt', async () => {
    const server = await startModelServer({ wires: ['anthropic'] })
    server.script({ fault: { kind: 'refuse', as: 'rate-limit', retryAfter: '30' } })
    const model = createLanguageModel({ provider: 'anthropic', baseUrl: server.url, apiKey: 'test-key' })
    const controller = new AbortController()
    const run = async (): Promise<void> => {
      for await (const { type } of model.stream({ ...REQUEST, signal: controller.signal }))
        if (type === 'retry') setImmediate(() => controller.abort())
    }
    await expect(run()).rejects.toMatchObject({ code: 'cancelled' })
    await server.close()
  })
})

describe('the libraries of providers', () => {
  it('are loaded by none of the sources until a request is made', () => {
    const src = fileURLToPath(new URL('..', import.meta.url))
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.ts$/.test(file),
    )
    const loads = /^(?!import type ).*\bfrom ['"](?:@anthropic-ai\/sdk|openai|@google\/genai)(?:\/[^'"]*)?['"]/m
    expect(files.length).toBeGreaterThan(300)
    expect(files.filter((file) => loads.test(readFileSync(`${src}/${file}`, 'utf8')))).toEqual([])
  })
})
