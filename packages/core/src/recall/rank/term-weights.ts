/** How much each word of a query counts beside its rarity. */
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { hashText } from '../../text-analysis/hash.ts'
import type { QueryTerm } from '../../text-analysis/query.ts'

export interface TermWeights {
  /** A word that only holds a question together. */
  readonly functionWord: number
  /** A word that names an author: it is the others who say it. */
  readonly authorName: number
  /** Words that may have been written as one: each counts beside the other. */
  readonly joined: number
  /** A name such as "session-log.ts": the whole, and each word in it. Together they are not much more than a word. */
  readonly name: number
  readonly part: number
}

export const TERM_WEIGHTS: TermWeights = { functionWord: 0.3, authorName: 0.35, joined: 0.8, name: 0.5, part: 0.3 }

/** By term. Only whoever asks uses words for the sentence's sake; in other queries each is meant. `authors`: hashes of names. */
export const termWeights = (
  terms: readonly QueryTerm[],
  asks: boolean,
  authors: ArrayLike<number> = [],
  weights: TermWeights = TERM_WEIGHTS,
): Float64Array => {
  const names = new Set<number>()
  for (let index = 0; index < authors.length; index++)
    if (authors[index] !== authors[index - 1]) names.add(authors[index] ?? 0)
  return Float64Array.from(terms, ({ text, kind, isName = false }) => {
    if (kind === 'joined') return isName ? weights.name : weights.joined
    if (kind === 'part') return weights.part
    if (names.has(hashText(text))) return weights.authorName
    return asks && isFunctionWord(text) ? weights.functionWord : 1
  })
}
