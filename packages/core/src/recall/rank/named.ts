/**
 * What a query names beside its words: who said it and when. The less the other words say ("What did Ann say in July?"),
 * the more it decides.
 */
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { hashText } from '../../text-analysis/hash.ts'
import type { QueryTerm } from '../../text-analysis/query.ts'
import { idf } from './bm25.ts'
import { dateFit, type DatePart } from './dates.ts'
import type { QueryFacts } from './query-facts.ts'

/** Authors of the messages that the query names; a word such as "will" names nobody by itself. */
export const namedAuthors = (
  { people }: Pick<QueryFacts, 'people'>,
  authors: Iterable<number>,
): ReadonlySet<number> => {
  const named = new Set<number>()
  for (const author of authors) if (author !== 0 && people.has(author)) named.add(author)
  return named
}

/** Whether a term names an author or a date, and so is held by what they fit. */
export const isNaming = (
  { text, kind }: QueryTerm,
  { dateWords }: Pick<QueryFacts, 'dateWords'>,
  authors: ReadonlySet<number>,
): boolean => kind !== 'part' && (dateWords.has(text) || authors.has(hashText(text)))

/** So many words that stand once each say all that is needed; beside a time, which few name in passing, it takes more. */
const ENOUGH = 1
const ENOUGH_BESIDE_A_DATE = 2

/**
 * How much the words say that name nobody and no time, 0 … 1: by their rarity. Words that stand nowhere say nothing.
 * `holding`: by term, how many of `passages` hold it.
 */
export const substanceOf = (
  terms: readonly QueryTerm[],
  holding: ArrayLike<number>,
  passages: number,
  facts: Pick<QueryFacts, 'dates' | 'dateWords'>,
  authors: ReadonlySet<number>,
): number => {
  let worth = 0
  terms.forEach((term, index) => {
    const count = holding[index] ?? 0
    if (
      count > 0 &&
      (term.kind === 'word' || term.isName === true) &&
      !isFunctionWord(term.text) &&
      !isNaming(term, facts, authors)
    )
      worth += idf(passages, count)
  })
  return Math.min(1, worth / ((facts.dates.length > 0 ? ENOUGH_BESIDE_A_DATE : ENOUGH) * idf(passages, 1)))
}

/** 1 for what was said within the time that is named, less for what was said soon after. */
const within = ({ month }: DatePart, fit: number): number =>
  fit >= 1 || (month === undefined && fit > 0) ? 1 : fit / 2

/** How a message fits those who are named and the time that is named, 0 … 1; 0 where neither is. */
export const fitOf = (
  { dates }: Pick<QueryFacts, 'dates'>,
  authors: ReadonlySet<number>,
  author: number,
  at: number,
): number => {
  const named = (authors.size > 0 ? 1 : 0) + (dates.length > 0 ? 1 : 0)
  if (named === 0) return 0
  let fit = authors.has(author) ? 1 : 0
  if (dates.length > 0) fit += dates.reduce((most, date) => Math.max(most, within(date, dateFit(at, date))), 0)
  return fit / named
}
