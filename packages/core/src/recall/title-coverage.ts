/** How much of a query the titles of sessions have. */
import { isFunctionWord } from '../text-analysis/function-words.ts'
import { analyseQuery, type QueryTerm } from '../text-analysis/query.ts'

/** A title is analysed only when it has the first letters of a word: stems may differ in the rest. */
const BEGINNING = 3

/**
 * By title: the share of the query's words that it has, by weight, 0 to 1; 0 for a session without a title, a query
 * without words, and a title that has none but function words of a query that has others. `weights`: by term.
 */
export const titleCoverage = (
  titles: readonly (string | null)[],
  terms: readonly QueryTerm[],
  weights: ArrayLike<number>,
): Float64Array => {
  const words = terms.flatMap(({ hash, text, kind }, term) =>
    kind === 'word'
      ? [{ hash, beginning: text.slice(0, BEGINNING), weight: weights[term] ?? 1, isFunction: isFunctionWord(text) }]
      : [],
  )
  // Nearly every title has a function word; one that has no other says nothing.
  const content = words.filter(({ isFunction }) => !isFunction)
  const needed = content.length === 0 ? words : content
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  return Float64Array.from(titles, (title) => {
    if (title === null || total === 0) return 0
    const lower = title.toLowerCase()
    if (!needed.some(({ beginning }) => lower.includes(beginning))) return 0
    const held = new Set(analyseQuery(title).map(({ hash }) => hash))
    return words.reduce((sum, { hash, weight }) => sum + (held.has(hash) ? weight : 0), 0) / total
  })
}
