import { describe, expect, it } from '@jest/globals'
import type { KnownModel, UsageRow } from '@cairn/core'
import { providerKeys } from '@cairn/core/providers'
import type { Terminal } from '../terminal/terminal.ts'
import { textWidth } from '../terminal/text-width.ts'
import { modelLines, modelsJson, showModels, type ModelListing } from './model-table.ts'

const model = (id: string, more: Partial<KnownModel> = {}): KnownModel => ({
  id,
  provider: 'anthropic',
  contextWindow: 1_000_000,
  isOwnWindow: false,
  maxOutputTokens: 128_000,
  cache: 'anthropic',
  cacheLifetimeSeconds: 300,
  prices: { input: 10, cacheRead: 0.25, cacheWrite: 12.5, cacheWrite1h: 20, output: 50 },
  isOwnPrice: false,
  isCurrent: true,
  isDeprecated: false,
  ...more,
})
const usage = { requests: 3, unpricedRequests: 1, costNano: 1_250_000_000n } as unknown as UsageRow
const UNKNOWN = { provider: null, contextWindow: null, maxOutputTokens: null, prices: null, cache: 'none' } as const

const listing: ModelListing = {
  rows: [
    { model: model('a-model-of-mine', UNKNOWN), usage },
    { model: model('claude-opus-5-5', { isOwnWindow: true, contextWindow: 64_000 }), usage: undefined },
    { model: model(`claude-${'long-'.repeat(30)}1`, { cache: 'automatic', cacheLifetimeSeconds: 3600 }), usage },
  ],
  providers: [{ id: 'anthropic', title: 'Anthropic' }],
  keys: providerKeys({ ANTHROPIC_API_KEY: 'sk-secret-1', OPENAI_API_KEY: ' ' }, [
    { name: 'google', keptIn: 'keyring' },
    { name: 'azure', keptIn: 'file' },
  ]),
  isWhole: false,
  knownCount: 1694,
}

describe('modelLines', () => {
  it.each([60, 80, 120])('fits %i columns, provider by provider, and ends with the total', (width) => {
    const { head, lines } = modelLines(listing, width)
    for (const line of [head, ...lines]) expect(textWidth(line)).toBeLessThanOrEqual(width)
    expect(lines[0]).toBe('Anthropic (anthropic): key set (ANTHROPIC_API_KEY)')
    expect(lines[1]).toMatch(/^ {2}claude-opus-5-5 +64\.0k\* /)
    expect(lines[3]).toBe('Not in the price list')
    expect(lines.at(-1)).toBe('Total  3 models of 1,694 known; $2.50 so far')
  })

  it('shows what is not known as a dash, and the cache with its lifetime', () => {
    const { lines } = modelLines(listing, 120)
    expect(lines[1]?.split(/ {2,}/)).toEqual([
      '',
      'claude-opus-5-5',
      ...'64.0k* 128k 10 0.25 12.5 50'.split(' '),
      'marked 5m',
    ])
    expect(lines[2]).toMatch(/auto 1h +\$1\.25 \+ \?$/)
    expect(lines[4]?.trim().split(/ {2,}/)).toEqual(['a-model-of-mine', ...'------'.split(''), 'none', '$1.25 + ?'])
  })
})

describe('one model in full', () => {
  it('has its values below one another, also those of two lines', async () => {
    const written: string[] = []
    const terminal = { width: 60, line: async (text = '') => void written.push(text) } as unknown as Terminal
    const row = { model: model('gpt-5.5', { provider: 'openai' }), usage: undefined }
    const providers = [{ id: 'openai', title: 'OpenAI' }]
    await showModels({ ...listing, rows: [row], providers }, terminal)
    expect(written.slice(0, 3)).toEqual([
      'gpt-5.5',
      '  Provider       OpenAI (openai): key not set',
      expect.stringMatching(/^ {17}\(OPENAI_API_KEY/),
    ])
    for (const line of written) expect(textWidth(line)).toBeLessThanOrEqual(60)
  })
})

describe('the keys of providers', () => {
  const model2 = model('grok-9', { provider: 'x-ai' })
  const whole: ModelListing = {
    ...listing,
    isWhole: true,
    rows: [...listing.rows, { model: model2, usage: undefined }],
    providers: [...listing.providers, { id: 'x-ai', title: 'X AI' }],
  }

  it('are told of every provider that can be asked, with where they are, and of no other', () => {
    const { lines } = modelLines(whole, 80)
    const told = [
      'Anthropic (anthropic): key set (ANTHROPIC_API_KEY)',
      'OpenAI (openai): key not set (OPENAI_API_KEY, or cairn secret set openai)',
      'Google (google): key set (keyring)',
      'Azure (azure): key set (secrets file)',
      expect.stringMatching(/^OpenRouter \(openrouter\): key not set \(OPENROUTER_API_KEY, or/),
      'Ollama (ollama): no key needed',
      'LM Studio (lm-studio): no key needed',
      'vLLM (vllm): no key needed',
    ]
    expect(lines.filter((line) => line.includes('key'))).toEqual(expect.arrayContaining(told))
    expect(lines).toContain('X AI (x-ai)')
  })
})

describe('modelsJson', () => {
  it('says whether there is a key, and never the key', () => {
    const document = modelsJson(listing)
    expect(document['keys']).toContainEqual({
      provider: 'anthropic',
      title: 'Anthropic',
      variables: ['ANTHROPIC_API_KEY'],
      key: 'set',
      isNeeded: true,
      found: { from: 'environment', variable: 'ANTHROPIC_API_KEY' },
    })
    expect(document['keys']).toContainEqual(expect.objectContaining({ provider: 'openai', key: 'not set' }))
    expect(JSON.stringify(document)).not.toContain('sk-secret')
    expect(document['total']).toEqual({ models: 3, known: 1694, costUsd: 2.5 })
  })
})
