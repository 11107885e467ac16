/** How much of a query stands in the titles of sessions. */
import { analyseQuery, type QueryTerm } from '../text-analysis/query.ts'

/** Of a word, so many letters have to stand in a title before it is looked at more closely: stems may end otherwise. */
const BEGINNING = 3

/** By title: the share of the query's words (by their weights) that it holds, 0 … 1. */
export const titleShares = (
  titles: readonly (string | null)[],
  terms: readonly QueryTerm[],
  weights: ArrayLike<number>,
): Float64Array => {
  const words = terms.flatMap(({ hash, text, kind }, term) =>
    kind === 'word' ? [{ hash, beginning: text.slice(0, BEGINNING), weight: weights[term] ?? 1 }] : [],
  )
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  return Float64Array.from(titles, (title) => {
    if (title === null || total === 0) return 0
    const lower = title.toLowerCase()
    if (!words.some(({ beginning }) => lower.includes(beginning))) return 0
    const held = new Set(analyseQuery(title).map(({ hash }) => hash))
    return words.reduce((sum, { hash, weight }) => sum + (held.has(hash) ? weight : 0), 0) / total
  })
}
