/** The single words of a query that could be typing errors, with where they stand in it. */
import { isFunctionWord } from '../text-analysis/function-words.ts'
import { analyseWord, type Term } from '../text-analysis/words.ts'

/** A word, or one within an identifier: "Sesion" of "findSesionIndex". */
export interface QueryWord {
  readonly term: Term
  /** Where it stands in the query, in code units; `end` is not included. */
  readonly start: number
  readonly end: number
}

/** A run of letters, digits and `_` of a query. */
export interface QueryName {
  readonly text: string
  readonly start: number
  /** The term of the whole. */
  readonly whole: Term
  /** Its words; one for a name that is no identifier. */
  readonly words: readonly QueryWord[]
}

/** Longer queries are prompts; with more words, whoever typed it did not look for one. */
const LONGEST_QUERY = 1_000
const MOST_NAMES = 40

/** What follows the "hadn" of "hadn't". */
const NEGATION = /^['’]t\b/
const NAME = /[\p{L}\p{N}\p{M}_]+/gu

/**
 * The names of a query, in order; none for a query that is a prompt. Function words such as "the" are left out. None if
 * there are more than `MOST_NAMES`, too.
 */
export const queryNames = (query: string): readonly QueryName[] => {
  if (query.length > LONGEST_QUERY) return []
  const names = [...query.matchAll(NAME)].flatMap(({ 0: text, index: start }): readonly QueryName[] => {
    const [whole, ...inner] = analyseWord(text).terms
    if (whole === undefined || isFunctionWord(whole.text) || NEGATION.test(query.slice(start + text.length))) return []
    if (inner.length === 0) return [{ text, start, whole, words: [{ term: whole, start, end: start + text.length }] }]
    return [{ text, start, whole, words: wordsWithin(text, start, inner) }]
  })
  return names.length > MOST_NAMES ? [] : names
}

/** The words of an identifier where they stand as they are written; one whose accents were folded is left out. */
const wordsWithin = (text: string, start: number, terms: readonly Term[]): readonly QueryWord[] => {
  const lower = text.toLowerCase()
  let from = 0
  return terms.flatMap((term): readonly QueryWord[] => {
    const at = lower.indexOf(term.text, from)
    if (at === -1) return []
    from = at + term.text.length
    return [{ term, start: start + at, end: start + from }]
  })
}

/** A word in the manner of another: "Session" for "Sesion", "SESSION" for "SESION". */
export const inCaseOf = (word: string, model: string): string => {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase()
  const first = model.charAt(0)
  return first === first.toUpperCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word
}
