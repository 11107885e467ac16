/** How much each word of a query counts beside its rarity. */
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { hashText } from '../../text-analysis/hash.ts'
import type { QueryTerm } from '../../text-analysis/query.ts'

export interface TermWeights {
  /** A word that only holds a question together. */
  readonly functionWord: number
  /** A word that names an author: it is the others who say it. */
  readonly authorName: number
  /** Words written as one, and what stands within one word: each counts beside the other. */
  readonly joined: number
  readonly part: number
  readonly whole: number
}

export const TERM_WEIGHTS: TermWeights = { functionWord: 0.3, authorName: 0.35, joined: 0.8, part: 0.3, whole: 0.5 }

/** By term. Only whoever asks uses words for the sentence's sake; in other queries each is meant. `authors`: hashes of names. */
export const termWeights = (terms: readonly QueryTerm[], asks: boolean, authors: Iterable<number> = [], weights: TermWeights = TERM_WEIGHTS): Float64Array => {
  const names = new Set(authors)
  return Float64Array.from(terms, ({ text, kind }) => {
    if (kind === 'joined') return weights.joined
    if (kind === 'part') return weights.part
    if (kind === 'whole') return weights.whole
    if (names.has(hashText(text))) return weights.authorName
    return asks && isFunctionWord(text) ? weights.functionWord : 1
  })
}
