/** Messages for a question: rough scores of all, exact ranking of the best. */
import type { ScoreExplanation, SearchHit, SearchQuery } from '../ports/search-index.ts'
import { hashText } from '../text-analysis/hash.ts'
import { analyseQuery, type QueryTerm } from '../text-analysis/query.ts'
import { maskOf, limitsOf, placeOf } from './conditions.ts'
import { hitsOf, type FoundMessage } from './hits.ts'
import { buildMatchTable, type BuiltTable } from './index/build-table.ts'
import { chooseCandidates, scoreMessages, scorePassages } from './index/candidates.ts'
import { corpusOf, type Corpus } from './index/corpus.ts'
import { authorsOf, namedMessages, touching } from './index/named-messages.ts'
import type { Scratch } from './index/scratch.ts'
import { matchTerms, type Matches } from './index/term-matches.ts'
import type { View } from './index/view.ts'
import { cutOf } from './order.ts'
import type { RecallIndex, RecallSource } from './recall-source.ts'
import { withLooseWords } from './rank/loose-words.ts'
import type { MatchTable } from './rank/match-table.ts'
import { namedAuthors, substanceOf } from './rank/named.ts'
import { namesFile } from './rank/named-files.ts'
import { queryFacts, type QueryFacts } from './rank/query-facts.ts'
import { rankMessages, type MessageScores } from './rank/rank-messages.ts'
import { termWeights } from './rank/term-weights.ts'
import { LOOKED_AT, quotesFirst } from './verbatim.ts'

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
  /** By message in storage order: role, author, file and branch let it through; undefined: all. */
  readonly wanted: Uint8Array | undefined
  readonly ranking: MessageScores
}

type Conditions = Pick<SearchQuery, 'text' | 'role' | 'author' | 'file' | 'since' | 'until'>

export const rankedMessages = async (
  { scratch, candidates }: SearchResources,
  index: RecallIndex,
  terms: readonly QueryTerm[],
  query: Conditions,
  limit: number,
): Promise<RankedMessages> => {
  const { view } = index
  const facts = queryFacts(query.text)
  const corpus = corpusOf(view, limitsOf(query, index))
  const matches = await matchTerms(view, corpus, terms, index.read, scratch)
  const holding = matches.terms.map(({ passages }) => passages)
  const read = withLooseWords(
    matches.terms.map(({ term }) => term),
    holding,
  )
  const weights = termWeights(read, facts.asks)
  const wanted = maskOf(view, query, index)
  const rough = scoreMessages(view, scorePassages(view, corpus, matches, weights, scratch), wanted, scratch)
  const { positions } = chooseCandidates(view, rough, wanted, Math.max(candidates, limit))
  const authors = namedAuthors(facts, authorsOf(view))
  const says = substanceOf(read, holding, corpus.passages, facts, authors)
  const touches = touching(view, namesFile(query.text))
  // An author who is named among words that say enough only ranks what they find.
  const isNamed = facts.dates.length > 0 || touches.size > 0 || (authors.size > 0 && says < 1)
  const named = isNamed
    ? namedMessages(view, corpus, { authors, dates: facts.dates, touches }, rough.scores, wanted)
    : new Set<number>()
  const built = buildMatchTable(view, corpus, matches, positions, scratch, named, touches)
  return { ...built, facts, corpus, matches, rough: rough.scores, wanted, ranking: rankMessages(built.table, facts) }
}

export const searchMessages = async (resources: SearchResources, query: SearchQuery): Promise<readonly SearchHit[]> => {
  const { limit = DEFAULT_HITS } = query
  const terms = analyseQuery(query.text)
  if (terms.length === 0 || limit <= 0) return []
  const index = await resources.source.open(query)
  const ranked = await rankedMessages(resources, index, terms, query, limit)
  // The best suffice, unless some of them have gone since.
  for (let most = Math.max(limit, LOOKED_AT); ; most = Infinity) {
    const { found, isAll } = foundMessages(index.view, ranked, most)
    // Whoever asks does not look for the same question.
    const ordered = ranked.facts.asks
      ? found
      : await quotesFirst(resources.source, query.text, found, ({ row }) => holdsAllWords(ranked, row))
    const hits = await hitsOf(resources.source, ordered, limit)
    if (isAll || hits.length === limit) return hits
  }
}

/** The `most` best messages, and those that are equal to the last of them; also what holds no word of the query itself, but follows what asks for it. */
const foundMessages = (
  view: View,
  ranked: RankedMessages,
  most: number,
): { readonly found: readonly (FoundMessage & { readonly row: number })[]; readonly isAll: boolean } => {
  const { scores } = ranked.ranking
  const cut = cutOf(
    ranked.wanted === undefined ? scores : scores.map((score, row) => (isWanted(ranked, row) ? score : 0)),
    most,
  )
  const found: (FoundMessage & { readonly row: number })[] = []
  for (let row = 0; row < scores.length; row += 1) {
    const score = scores[row] as number
    if (score <= 0 || score < cut || !isWanted(ranked, row)) continue
    found.push({
      ...placeOf(view, ranked.messages[row] as number),
      row,
      score,
      explanation: () => explanationOf(ranked, row),
    })
  }
  return { found, isAll: cut <= 0 }
}

const isWanted = ({ wanted, messages }: RankedMessages, row: number): boolean =>
  wanted === undefined || wanted[messages[row] as number] !== 0

const holdsAllWords = ({ table }: Pick<RankedMessages, 'table'>, row: number): boolean =>
  table.terms.every(({ kind }, term) => kind !== 'word' || holdsTerm(table, row, term))

const isBy = ({ author }: MatchTable, row: number, name: string): boolean =>
  author[row] !== 0 && author[row] === hashText(name)

const holdsTerm = ({ terms, firstPassage, counts }: MatchTable, row: number, term: number): boolean => {
  for (let passage = firstPassage[row] ?? 0; passage < (firstPassage[row + 1] ?? 0); passage += 1)
    if (counts[passage * terms.length + term] !== 0) return true
  return false
}

export const explanationOf = (
  { table, ranking }: Pick<RankedMessages, 'table' | 'ranking'>,
  row: number,
): ScoreExplanation => {
  return {
    ranker: 'cairn',
    parts: ranking.explain(row),
    terms: table.terms.map(({ text, kind }, term) => ({
      text,
      found: holdsTerm(table, row, term) || (kind === 'word' && isBy(table, row, text)),
    })),
  }
}
