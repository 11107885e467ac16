/** The weight of each term of a query, besides its idf. */
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { hashText } from '../../text-analysis/hash.ts'
import type { QueryTerm } from '../../text-analysis/query.ts'

/** Weights by the role of a term in the query; an ordinary word has 1. */
export interface TermWeights {
  /** A function word such as "the", in a question. */
  readonly functionWord: number
  /** The name of an author, which others use rather than the author. */
  readonly authorName: number
  /** Adjacent words tried as one; it counts in addition to each of them. */
  readonly joined: number
  /** A name such as "session-log.ts", and each word in it: together not much more than one word. */
  readonly name: number
  readonly part: number
}

export const TERM_WEIGHTS: TermWeights = { functionWord: 0.3, authorName: 0.35, joined: 0.8, name: 0.5, part: 0.3 }

/**
 * The weight of each term, in order. Function words are weighted down only when the query asks (`asks`): elsewhere each
 * word is meant. `authors`: author hashes of the messages.
 */
export const termWeights = (
  terms: readonly QueryTerm[],
  asks: boolean,
  authors: ArrayLike<number> = [],
  weights: TermWeights = TERM_WEIGHTS,
): Float64Array => {
  const names = new Set<number>()
  for (let index = 0; index < authors.length; index++)
    if (authors[index] !== authors[index - 1]) names.add(authors[index] ?? 0)
  return Float64Array.from(terms, ({ text, kind, isName = false, isFunctionWord: isForeign = false }) => {
    if (kind === 'joined') return isName ? weights.name : weights.joined
    if (kind === 'part') return weights.part
    if (names.has(hashText(text))) return weights.authorName
    return asks && (isForeign || isFunctionWord(text)) ? weights.functionWord : 1
  })
}
