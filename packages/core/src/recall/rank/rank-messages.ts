/**
 * Scores messages for a query from a table of counts, without their texts: the sum of the features in
 * message-features.ts. Described for readers in docs/recall.md.
 */
import { KIND_BITS } from '../../text-analysis/message-analysis.ts'
import type { ScorePart } from '../../ports/search-index.ts'
import { contentSpecificity, namedAuthors } from './authors-and-dates.ts'
import type { MatchTable } from './match-table.ts'
import { matchingRows } from './matching-rows.ts'
import {
  BASE_FEATURES,
  dateScore,
  namedScore,
  questionFeatures,
  type Feature,
  type RankingContext,
} from './message-features.ts'
import type { QueryFacts } from './query-facts.ts'
import { scoreTerms, type TermScores } from './term-scores.ts'
import { splitUnknownNames } from './unknown-names.ts'
import { MESSAGE_WEIGHTS, type MessageWeights } from './weights.ts'

/** Scores of the rows of one table. */
export interface MessageScores {
  /** By row; 0 for a message that does not match. */
  readonly scores: Float64Array
  /** The parts of a row's score that are not 0; their sum is the score. */
  explain(row: number): readonly ScorePart[]
}

/** A query with fewer words that name somebody addresses nobody in a quotation. */
const FEWEST_QUOTED_WORDS = 3

/**
 * Scores every row of the table for the query, 0 for a row that does not match. Scores compare within one query only.
 * `explain` gives the parts of a row's score that are not 0.
 */
export const rankMessages = (
  table: MatchTable,
  query: QueryFacts,
  weights: MessageWeights = MESSAGE_WEIGHTS,
): MessageScores => {
  const context = rankingContext(
    { ...table, terms: splitUnknownNames(table.terms, table.corpus.termPassages) },
    query,
    weights,
  )
  const isMatch = matchingRows(context.table, query, context.namedAuthors)
  const features = questionFeatures(context)
  const scores = new Float64Array(table.rows)
  for (let row = 0; row < table.rows; row++) if (isMatch(row)) scores[row] = scoreRow(context, features, row, undefined)
  return {
    scores,
    explain: (row) => {
      const parts: ScorePart[] = []
      if (isMatch(row)) scoreRow(context, features, row, parts)
      return parts.filter(({ value }) => value !== 0)
    },
  }
}

/**
 * What ranking needs of a query and its matches, computed once. `namedBoost` is 0 if the query names no author or date;
 * `firstOccurrence` is -1 unless it is an error's text.
 */
const rankingContext = (table: MatchTable, query: QueryFacts, weights: MessageWeights): RankingContext => {
  const { corpus, terms } = table
  const authors = namedAuthors(query, table.author)
  const namesAny = authors.size > 0 || query.dates.length > 0
  const scores = scoreTerms(table, query.asks)
  return {
    table,
    terms: scores,
    query,
    weights,
    namedAuthors: authors,
    namedAuthorShare: namedAuthorShare(table, query),
    namedBoost: namesAny
      ? weights.named * (1 - contentSpecificity(terms, corpus.termPassages, corpus.passages, query, authors))
      : 0,
    isProse: query.isProse && table.touched?.some((how) => how > 0) !== true,
    mayQuote:
      !query.asks &&
      query.words >= FEWEST_QUOTED_WORDS &&
      terms.every(({ kind }, term) => kind !== 'word' || (corpus.termPassages[term] ?? 0) > 0),
    firstOccurrence: query.isError ? firstOccurrence(table, scores) : -1,
  }
}

/** Of messages that hold nearly as much of the query in one passage as the best, and at least half, the earliest. */
const NEARLY_ALL = 0.9
const LEAST_HELD = 0.5

/**
 * The row of the earliest message that holds nearly all of the query in its very words, of results of tools where there
 * are any; −1 when none holds half of it.
 */
const firstOccurrence = ({ rows, candidate, at, flags }: MatchTable, { exact }: TermScores): number => {
  const isResult = (row: number): boolean => (((flags[row] ?? 0) >> 2) & 3) === KIND_BITS.result
  const most = exact.reduce((highest, share, row) => (candidate[row] === 0 ? highest : Math.max(highest, share)), 0)
  let first = -1
  for (let row = 0; row < rows; row++) {
    const share = exact[row] ?? 0
    if (candidate[row] === 0 || share < LEAST_HELD || share < NEARLY_ALL * most) continue
    const isEarlier = first !== -1 && isResult(row) === isResult(first) && (at[row] ?? NaN) < (at[first] ?? NaN)
    if (first === -1 || isEarlier || (isResult(row) && !isResult(first))) first = row
  }
  return first
}

/** The share of messages by authors whom the query names, without those that are rows only because they fit the name. */
const namedAuthorShare = ({ author, candidate }: MatchTable, { names }: QueryFacts): number => {
  let [messages, byNamed] = [0, 0]
  author.forEach((hash, row) => {
    if (candidate[row] === 2) return
    messages += 1
    if (names.has(hash)) byNamed += 1
  })
  return byNamed / Math.max(messages, 1)
}

/**
 * The score of a row; its parts are added to `parts` where given. 0 where neither its words nor its neighbours nor what
 * the query names give it anything, except that a row whose author, date or file the query names may still gain by its
 * date.
 */
const scoreRow = (
  context: RankingContext,
  features: readonly Feature[],
  row: number,
  parts: ScorePart[] | undefined,
): number => {
  let base = 0
  for (const { name, score } of BASE_FEATURES) {
    const value = score(context, row)
    base += value
    parts?.push({ name, value })
  }
  const named = namedScore(context, row)
  if (base === 0 && named === 0 && context.table.candidate[row] !== 2) return 0
  let factor = 0
  for (const feature of features) factor += feature(context, row)
  const date = context.query.dates.length > 0 ? dateScore(context, row, base) : 0
  parts?.push({ name: 'fits the question', value: base * factor }, { name: 'named', value: named })
  if (date !== 0) parts?.push({ name: 'date', value: date })
  return base + base * factor + named + date
}
