/**
 * Authors and dates that a query names. The more common its other words are ("What did Ann say in July?"), the more they
 * decide.
 */
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { hashText } from '../../text-analysis/hash.ts'
import type { QueryTerm } from '../../text-analysis/query.ts'
import { idf } from './bm25.ts'
import { dateFit, type DatePart } from './dates.ts'
import type { QueryFacts } from './query-facts.ts'

/**
 * Those of these author hashes whose names stand in the query; empty when it names none. Function words such as "will"
 * name nobody.
 */
export const namedAuthors = (
  { people }: Pick<QueryFacts, 'people'>,
  authors: Iterable<number>,
): ReadonlySet<number> => {
  const named = new Set<number>()
  for (const author of authors) if (author !== 0 && people.has(author)) named.add(author)
  return named
}

/**
 * Whether a term of the query names one of these authors, or is a word of one of its dates. Parts of a name do
 * neither.
 */
export const namesAuthorOrDate = (
  { text, kind }: QueryTerm,
  { dateWords }: Pick<QueryFacts, 'dateWords'>,
  authors: ReadonlySet<number>,
): boolean => kind !== 'part' && (dateWords.has(text) || authors.has(hashText(text)))

/** So many words that occur once each are specific enough; more beside a date, which few queries name in passing. */
const SPECIFIC_WORDS = 1
const SPECIFIC_WORDS_BESIDE_DATE = 2

/**
 * How specific the words of a query are that name neither author nor date, 0 to 1: their summed idf, as a share of
 * what one rarest word has, or two beside a date. Words that occur nowhere count 0, as do function words.
 * `holding`: by term, how many of `passages` hold it.
 */
export const contentSpecificity = (
  terms: readonly QueryTerm[],
  holding: ArrayLike<number>,
  passages: number,
  facts: Pick<QueryFacts, 'dates' | 'dateWords'>,
  authors: ReadonlySet<number>,
): number => {
  let specificity = 0
  terms.forEach((term, index) => {
    const count = holding[index] ?? 0
    if (
      count > 0 &&
      (term.kind === 'word' || term.isName === true) &&
      term.isFunctionWord !== true &&
      !isFunctionWord(term.text) &&
      !namesAuthorOrDate(term, facts, authors)
    )
      specificity += idf(passages, count)
  })
  return Math.min(
    1,
    specificity / ((facts.dates.length > 0 ? SPECIFIC_WORDS_BESIDE_DATE : SPECIFIC_WORDS) * idf(passages, 1)),
  )
}

/** 1 for messages within the named time, less for those soon after. */
const fitWithin = ({ month }: DatePart, fit: number): number =>
  fit >= 1 || (month === undefined && fit > 0) ? 1 : fit / 2

/** How well a message fits the named authors and dates, 0 to 1; 0 when none are named. `at`: its time, ms. */
export const authorAndDateFit = (
  { dates }: Pick<QueryFacts, 'dates'>,
  authors: ReadonlySet<number>,
  author: number,
  at: number,
): number => {
  const named = (authors.size > 0 ? 1 : 0) + (dates.length > 0 ? 1 : 0)
  if (named === 0) return 0
  let fit = authors.has(author) ? 1 : 0
  if (dates.length > 0) fit += dates.reduce((most, date) => Math.max(most, fitWithin(date, dateFit(at, date))), 0)
  return fit / named
}
