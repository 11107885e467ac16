import { describe, expect, it } from '@jest/globals'
import type { Embedder } from '../ports/embedder.ts'
import type { SearchHit, SearchQuery } from '../ports/search-index.ts'
import { rerankedSearch } from './rerank.ts'

const hit = (text: string, score: number): SearchHit => ({
  sessionId: 's',
  seq: 0,
  messageId: text,
  externalId: text,
  at: null,
  role: 'user',
  score,
  text,
  explanation: { ranker: 'cairn', parts: [], terms: [] },
})

/** Near is what has the same first letter. */
const embedder: Embedder = {
  dimensions: 26,
  embed: async (texts) =>
    texts.map((text) => Float32Array.from({ length: 26 }, (_, index) => (text.charCodeAt(0) - 97 === index ? 1 : 0))),
}

const searching = (hits: readonly SearchHit[]) => {
  const asked: SearchQuery[] = []
  return { asked, search: { search: async (query: SearchQuery) => (asked.push(query), hits) } }
}

describe('rerankedSearch', () => {
  it('re-ranks the best fifty by similarity of meaning', async () => {
    const { asked, search } = searching([hit('boat', 10), hit('bread', 8), hit('apple', 7), hit('cat', 1)])
    const found = await rerankedSearch(search, embedder, { text: 'apricot', limit: 3 })
    expect(asked).toEqual([{ text: 'apricot', limit: 50 }])
    expect(found.map(({ text }) => text)).toEqual(['apple', 'boat', 'bread'])
    for (const { score, explanation } of found)
      expect(explanation.parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score)
  })

  it('keeps the order of the others behind them', async () => {
    const hits = Array.from({ length: 60 }, (_, index) => hit(`b${index}`, 100 - index))
    const found = await rerankedSearch(searching(hits).search, embedder, { text: 'a', limit: 60 })
    expect(found.map(({ text }) => text)).toEqual(hits.map(({ text }) => text))
    expect(found.every(({ score }, index) => index === 0 || score <= (found[index - 1]?.score ?? 0))).toBe(true)
  })

  it('returns nothing where the index finds nothing', async () => {
    expect(await rerankedSearch(searching([]).search, embedder, { text: 'a' })).toEqual([])
  })
})
