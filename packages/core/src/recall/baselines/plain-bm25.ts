/** BM25 over whole messages and lower-case words: no stems, no parts of identifiers, no stop words. */
import { idf, saturatedFrequency, WIDE_BM25 } from '../rank/bm25.ts'
import type { Baseline } from './baseline.ts'

/**
 * A score for each message, in the order given, by plain BM25 over whole messages and unstemmed words; 0 for no match.
 */
export const plainBm25: Baseline = (query, messages) => {
  const terms = new Map([...new Set(wordsOf(query))].map((word, term) => [word, term]))
  const lengths = new Float64Array(messages.length)
  const counts = messages.map(({ text }, message) => {
    const messageCounts = new Float64Array(terms.size)
    for (const word of wordsOf(text)) {
      lengths[message] = (lengths[message] ?? 0) + 1
      const term = terms.get(word)
      if (term !== undefined) messageCounts[term] = (messageCounts[term] ?? 0) + 1
    }
    return messageCounts
  })
  const mean = lengths.reduce((sum, length) => sum + length, 0) / messages.length || 1
  const termIdf = Float64Array.from({ length: terms.size }, (_, term) =>
    idf(messages.length, counts.filter((messageCounts) => (messageCounts[term] ?? 0) > 0).length),
  )
  return Float64Array.from(counts, (messageCounts, message) =>
    messageCounts.reduce(
      (score, count, term) =>
        score + (termIdf[term] ?? 0) * saturatedFrequency(count, (lengths[message] ?? 0) / mean, WIDE_BM25),
      0,
    ),
  )
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
