/**
 * Scores messages for a query from a table of counts, without their texts: the sum of the features in
 * message-features.ts. Described for readers in docs/recall.md.
 */
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
import { scoreTerms } from './term-scores.ts'
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

const rankingContext = (table: MatchTable, query: QueryFacts, weights: MessageWeights): RankingContext => {
  const { corpus, terms } = table
  const authors = namedAuthors(query, table.author)
  const namesAny = authors.size > 0 || query.dates.length > 0
  return {
    table,
    terms: scoreTerms(table, query.asks),
    query,
    weights,
    namedAuthors: authors,
    namedAuthorShare: namedAuthorShare(table, query),
    namedBoost: namesAny
      ? weights.named * (1 - contentSpecificity(terms, corpus.termPassages, corpus.passages, query, authors))
      : 0,
    mayQuote:
      !query.asks &&
      query.words >= FEWEST_QUOTED_WORDS &&
      terms.every(({ kind }, term) => kind !== 'word' || (corpus.termPassages[term] ?? 0) > 0),
  }
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

/** The score of a row; adds its parts to `parts` where given. */
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
