/** BM25 over whole messages: words as they stand, no stems, no parts of identifiers, no stop words. */
import { idf, saturated, WIDE_BM25 } from '../rank/bm25.ts'
import type { Baseline } from './baseline.ts'

export const plainBm25: Baseline = (query, messages) => {
  const terms = new Map([...new Set(wordsOf(query))].map((word, term) => [word, term]))
  const lengths = new Float64Array(messages.length)
  const counts = messages.map(({ text }, message) => {
    const own = new Float64Array(terms.size)
    for (const word of wordsOf(text)) {
      lengths[message] = (lengths[message] ?? 0) + 1
      const term = terms.get(word)
      if (term !== undefined) own[term] = (own[term] ?? 0) + 1
    }
    return own
  })
  const mean = lengths.reduce((sum, length) => sum + length, 0) / messages.length || 1
  const worth = Float64Array.from({ length: terms.size }, (_, term) =>
    idf(messages.length, counts.filter((own) => (own[term] ?? 0) > 0).length),
  )
  return Float64Array.from(counts, (own, message) =>
    own.reduce(
      (score, count, term) => score + (worth[term] ?? 0) * saturated(count, (lengths[message] ?? 0) / mean, WIDE_BM25),
      0,
    ),
  )
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
