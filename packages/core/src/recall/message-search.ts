/** Messages for a question: rough scores of all, exact ranking of the best. */
import type { ScoreExplanation, SearchHit, SearchQuery } from '../ports/search-index.ts'
import { analyseQuery, type QueryTerm } from '../text-analysis/query.ts'
import { maskOf, limitsOf, placeOf } from './conditions.ts'
import { hitsOf, type FoundMessage } from './hits.ts'
import { quotesFirst } from './verbatim.ts'
import { buildMatchTable, type BuiltTable } from './index/build-table.ts'
import { chooseCandidates, scoreMessages, scorePassages } from './index/candidates.ts'
import { corpusOf, type Corpus } from './index/corpus.ts'
import type { Scratch } from './index/scratch.ts'
import { matchTerms, type Matches } from './index/term-matches.ts'
import type { RecallIndex, RecallSource } from './recall-source.ts'
import type { MatchTable } from './rank/match-table.ts'
import { queryFacts, type QueryFacts } from './rank/query-facts.ts'
import { rankMessages, type MessageScores } from './rank/rank-messages.ts'
import { termWeights } from './rank/term-weights.ts'

export const DEFAULT_HITS = 10

export interface SearchResources {
  readonly source: RecallSource
  readonly scratch: Scratch
  /** Messages that are ranked exactly. */
  readonly candidates: number
}

export interface RankedMessages extends BuiltTable {
  readonly facts: QueryFacts
  readonly corpus: Corpus
  readonly matches: Matches
  /** BM25 of the best passage, by position of the message. Valid until the next question. */
  readonly rough: Float32Array
  /** By message in storage order: role, file and branch let it through; undefined: all. */
  readonly wanted: Uint8Array | undefined
  readonly ranking: MessageScores
}

type Conditions = Pick<SearchQuery, 'text' | 'role' | 'file' | 'since' | 'until'>

export const rankedMessages = async ({ scratch, candidates }: SearchResources, index: RecallIndex, terms: readonly QueryTerm[], query: Conditions, limit: number): Promise<RankedMessages> => {
  const { view } = index
  const facts = queryFacts(query.text)
  const corpus = corpusOf(view, limitsOf(query, index))
  const matches = await matchTerms(view, corpus, terms, index.read, scratch)
  const weights = termWeights(matches.terms.map(({ term }) => term), facts.asks)
  const wanted = maskOf(view, query, index)
  const rough = scoreMessages(view, scorePassages(view, corpus, matches, weights, scratch), wanted, scratch)
  const { positions } = chooseCandidates(view, rough, wanted, Math.max(candidates, limit))
  const built = buildMatchTable(view, corpus, matches, positions, scratch)
  return { ...built, facts, corpus, matches, rough: rough.scores, wanted, ranking: rankMessages(built.table, facts) }
}

export const searchMessages = async (resources: SearchResources, query: SearchQuery): Promise<readonly SearchHit[]> => {
  const { limit = DEFAULT_HITS } = query
  const terms = analyseQuery(query.text)
  if (terms.length === 0 || limit <= 0) return []
  const index = await resources.source.open(query)
  const ranked = await rankedMessages(resources, index, terms, query, limit)
  const found: FoundMessage[] = []
  const rows = new Map<FoundMessage, number>()
  ranked.messages.forEach((message, row) => {
    // Also what holds no word of the query itself, but follows what asks for it.
    const score = ranked.ranking.scores[row] ?? 0
    if (score <= 0 || ranked.wanted?.[message] === 0) return
    const one: FoundMessage = { ...placeOf(index.view, message), score, explanation: () => explanationOf(ranked, row) }
    found.push(one)
    rows.set(one, row)
  })
  // Whoever asks does not look for the same question.
  const ordered = ranked.facts.asks ? found : await quotesFirst(resources.source, query.text, found, (one) => holdsAllWords(ranked, rows.get(one) ?? 0))
  return hitsOf(resources.source, ordered, limit)
}

const holdsAllWords = ({ table }: Pick<RankedMessages, 'table'>, row: number): boolean => table.terms.every(({ kind }, term) => kind !== 'word' || holdsTerm(table, row, term))

const holdsTerm = ({ terms, firstPassage, counts }: MatchTable, row: number, term: number): boolean => {
  for (let passage = firstPassage[row] ?? 0; passage < (firstPassage[row + 1] ?? 0); passage += 1) if (counts[passage * terms.length + term] !== 0) return true
  return false
}

export const explanationOf = ({ table, ranking }: Pick<RankedMessages, 'table' | 'ranking'>, row: number): ScoreExplanation => {
  return {
    ranker: 'cairn',
    parts: ranking.explain(row),
    terms: table.terms.map(({ text }, term) => ({ text, found: holdsTerm(table, row, term) })),
  }
}
