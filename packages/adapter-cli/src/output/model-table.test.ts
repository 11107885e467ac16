import { describe, expect, it } from '@jest/globals'
import type { KnownModel, UsageRow } from '@cairn/core'
import { textWidth } from '../terminal/text-width.ts'
import { modelLines, modelsJson, type ModelListing } from './model-table.ts'
import { keysOf } from './provider-keys.ts'

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
  keys: keysOf({ ANTHROPIC_API_KEY: 'sk-secret-1', OPENAI_API_KEY: ' ' }),
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

describe('modelsJson', () => {
  it('says whether there is a key, and never the key', () => {
    const document = modelsJson(listing)
    expect(document['keys']).toContainEqual({
      provider: 'anthropic',
      title: 'Anthropic',
      variables: ['ANTHROPIC_API_KEY'],
      key: 'set',
    })
    expect(document['keys']).toContainEqual(expect.objectContaining({ provider: 'openai', key: 'not set' }))
    expect(JSON.stringify(document)).not.toContain('sk-secret')
    expect(document['total']).toEqual({ models: 3, known: 1694, costUsd: 2.5 })
  })
})
