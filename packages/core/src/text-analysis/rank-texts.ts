/** Ranks a few texts in memory for a query, such as memory entries and notes. */
import { isFunctionWord } from './function-words.ts'
import { guessLanguage } from './languages/language.ts'
import { splitIntoPassages } from './passages.ts'
import { analyseQuery, type QueryTerm } from './query.ts'

/** A text that matches. */
export interface RankedText {
  /** Its index in the list of texts. */
  readonly index: number
  /** Above 0; comparable within one ranking only. */
  readonly score: number
}

const SATURATION = 1.2
const LENGTH_WEIGHT = 0.5
/** A word in the exact form of the query counts this share more. */
const SAME_FORM = 0.3

/** The content words of a query, or all its words when it has none. Empty for a query without words. */
const wantedTerms = (query: string): readonly QueryTerm[] => {
  const terms = analyseQuery(query)
  const contentTerms = terms.filter(
    ({ text, isFunctionWord: isForeign = false }) => !isForeign && !isFunctionWord(text),
  )
  return contentTerms.length === 0 ? terms : contentTerms
}

/**
 * Texts that share a content word with the query, by BM25 over whole texts, best first; ties in the order given. Each
 * with its index among `texts`. For a query without content words all its words count.
 */
export const rankTexts = (query: string, texts: readonly string[]): readonly RankedText[] => {
  const terms = wantedTerms(query)
  if (terms.length === 0 || texts.length === 0) return []
  const columns = new Map(terms.map((term, column) => [term.hash, column]))
  const stemColumns = new Map(terms.flatMap(({ stems = [] }, column) => stems.map((stem) => [stem, column] as const)))
  const documents = texts.map((text) => {
    const counts = new Float64Array(terms.length)
    const stemCounts = new Float64Array(terms.length)
    const forms = new Uint8Array(terms.length)
    let tokens = 0
    const language = guessLanguage(text)
    for (const passage of splitIntoPassages([text], language === 'en' ? undefined : language).passages) {
      tokens += passage.tokens
      passage.hashes.forEach((hash, position) => {
        const count = passage.counts[position] ?? 0
        const stemColumn = stemColumns.get(hash)
        if (stemColumn !== undefined) stemCounts[stemColumn] = (stemCounts[stemColumn] ?? 0) + (count & 15)
        const column = columns.get(hash)
        if (column === undefined) return
        counts[column] = (counts[column] ?? 0) + (count & 15)
        forms[column] = (forms[column] ?? 0) | (count >> 4)
      })
    }
    return { counts: counts.map((count, column) => Math.max(count, stemCounts[column] ?? 0)), forms, tokens }
  })
  const mean = documents.reduce((sum, { tokens }) => sum + tokens, 0) / texts.length || 1
  const termIdf = terms.map((_, column) => {
    const holding = documents.filter(({ counts }) => (counts[column] ?? 0) > 0).length
    return Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5))
  })
  return documents
    .map(({ counts, forms, tokens }, index) => {
      const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * tokens) / mean)
      const score = terms.reduce((sum, { form }, column) => {
        const count = counts[column] ?? 0
        if (count === 0) return sum
        const same = form !== 0 && ((forms[column] ?? 0) & form) !== 0 ? 1 + SAME_FORM : 1
        return sum + ((termIdf[column] ?? 0) * same * count * (SATURATION + 1)) / (count + norm)
      }, 0)
      return { index, score }
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || left.index - right.index)
}
