/** Finds messages for a query in two stages: rough scores of all, then exact ranking of the best. */
import type { ScoreExplanation, SearchHit, SearchQuery } from '../ports/search-index.ts'
import { hashText } from '../text-analysis/hash.ts'
import { analyseQuery, queryWords, type QueryTerm } from '../text-analysis/query.ts'
import { HASH_SEED, extendHash } from '../text-analysis/word-cache.ts'
import { messageMask, corpusLimits, messagePosition } from './conditions.ts'
import { loadHits, type FoundMessage } from './hits.ts'
import { buildMatchTable, type BuiltTable } from './index/build-table.ts'
import { chooseCandidates, scoreMessages, scorePassages } from './index/candidates.ts'
import { selectCorpus, type Corpus } from './index/corpus.ts'
import { listAuthors, findNamedMessages, messagesEditing, messagesTouching } from './index/named-messages.ts'
import { messagesHolding } from './index/messages-holding.ts'
import type { Scratch } from './index/scratch.ts'
import { matchTerms, type Matches } from './index/term-matches.ts'
import type { View } from './index/view.ts'
import { quotedPhrases, wordsPattern } from './quoted-phrases.ts'
import { scoreThreshold } from './result-order.ts'
import type { MessagePosition, RecallIndex, RecallSource } from './recall-source.ts'
import { splitUnknownNames } from './rank/unknown-names.ts'
import type { MatchTable } from './rank/match-table.ts'
import { namedAuthors, contentSpecificity } from './rank/authors-and-dates.ts'
import { namedFileMatcher } from './rank/named-files.ts'
import { analyseQueryFacts, type QueryFacts } from './rank/query-facts.ts'
import { rankMessages, type MessageScores } from './rank/rank-messages.ts'
import { termWeights } from './rank/term-weights.ts'
import { VERBATIM_CANDIDATES, boostVerbatimMatches, messagesWithPhrases } from './verbatim.ts'

export const DEFAULT_HITS = 10

/** What all searches of a store share. */
export interface SearchResources {
  readonly source: RecallSource
  /** Buffers for one search at a time. */
  readonly scratch: Scratch
  /** How many messages are ranked exactly. */
  readonly candidates: number
}

/** The result of ranking, before texts are read. */
export interface RankedMessages extends BuiltTable {
  readonly facts: QueryFacts
  readonly corpus: Corpus
  readonly matches: Matches
  /** BM25 of the best passage, by position of the message. Valid until the next search. */
  readonly rough: Float32Array
  /** By message in storage order: role, author, file, branch and the words that it must hold let it through; undefined: all. */
  readonly wanted: Uint8Array | undefined
  /** A term that every hit must hold is in no message, so that there are no hits. */
  readonly isImpossible: boolean
  readonly ranking: MessageScores
}

type Conditions = Pick<SearchQuery, 'text' | 'role' | 'author' | 'file' | 'since' | 'until' | 'isName' | 'allWords'>

/**
 * Ranks the messages of an index for a query: at least `limit`, if so many match. Neighbours, and messages that
 * `wanted` excludes, are among the rows: the caller leaves those out.
 * @param terms of the query, as `analyseQuery` returns them
 */
export const rankCandidates = async (
  { scratch, candidates }: SearchResources,
  index: RecallIndex,
  terms: readonly QueryTerm[],
  query: Conditions,
  limit: number,
): Promise<RankedMessages> => {
  const { view } = index
  const facts = analyseQueryFacts(query.text)
  const corpus = selectCorpus(view, corpusLimits(query, index))
  const matches = await matchTerms(view, corpus, terms, index.read, scratch)
  const holding = matches.terms.map(({ passages }) => passages)
  const read = splitUnknownNames(
    matches.terms.map(({ term }) => term),
    holding,
  )
  const weights = termWeights(read, facts.asks)
  const required = requiredTerms(matches, query)
  const mask = messageMask(view, query, index)
  const wanted = required === undefined || required.length === 0 ? mask : messagesHolding(view, matches, required, mask)
  const rough = scoreMessages(view, scorePassages(view, corpus, matches, weights, scratch), wanted, scratch)
  const { positions } = chooseCandidates(view, rough, wanted, Math.max(candidates, limit))
  const authors = namedAuthors(facts, listAuthors(view))
  const specificity = contentSpecificity(read, holding, corpus.passages, facts, authors)
  const touches = messagesTouching(view, namedFileMatcher(query.text))
  // An author named beside specific words only changes the order of what these words find.
  const isNamed = facts.dates.length > 0 || touches.size > 0 || (authors.size > 0 && specificity < 1)
  const named = isNamed
    ? findNamedMessages(view, corpus, { authors, dates: facts.dates, touches }, rough.scores, wanted)
    : new Set<number>()
  const built = buildMatchTable(
    view,
    corpus,
    matches,
    positions,
    scratch,
    named,
    touches,
    messagesEditing(view, facts.spokenFiles),
  )
  return {
    ...built,
    facts,
    corpus,
    matches,
    rough: rough.scores,
    wanted,
    isImpossible: required === undefined,
    ranking: rankMessages(built.table, facts),
  }
}

/**
 * The terms that a message must hold, as indexes into those of the query: all words with `allWords`, those of the name
 * with `isName`, else none. undefined where one of them is held nowhere.
 */
const requiredTerms = (
  { terms }: Matches,
  { text, isName, allWords }: Pick<Conditions, 'text' | 'isName' | 'allWords'>,
): readonly number[] | undefined => {
  const wanted = allWords === true ? queryWords(text) : isName === true ? nameTerms(text) : []
  const columns = wanted.map(({ hash }) => terms.findIndex(({ term, passages }) => term.hash === hash && passages > 0))
  return columns.includes(-1) ? undefined : columns
}

/**
 * The terms that a message must hold to contain a name: the longest compound in the text, such as "session-log.ts"
 * (each, if several have as many characters), and none of the other words; without a compound, all words. Empty for a
 * text without words.
 */
const nameTerms = (name: string): readonly QueryTerm[] => {
  const words = queryWords(name)
  const names = words.filter(({ isName }) => isName === true)
  const longest = names.reduce((most, { text }) => Math.max(most, text.length), 0)
  return names.length > 0 ? names.filter(({ text }) => text.length === longest) : words
}

/**
 * The messages that match, best first, at most `limit` (default 10); messages with the same text are one hit. Where any
 * message holds all quoted phrases word for word, only such messages, and with `allWords` even if none does. Empty for
 * a query without words. Rejects as the source does.
 */
export const searchMessages = async (resources: SearchResources, query: SearchQuery): Promise<readonly SearchHit[]> => {
  const { limit = DEFAULT_HITS } = query
  const terms = analyseQuery(query.text)
  if (terms.length === 0 || limit <= 0) return []
  const index = await resources.source.open(query)
  const ranked = await rankCandidates(resources, index, terms, query, limit)
  if (ranked.isImpossible) return []
  const alike = (chosen: readonly RankedRow[]) => messagesAlike(index.view, ranked, chosen)
  const quoting = await quotingMessages(resources.source, index.view, ranked, query.text)
  if (quoting.length > 0 || (query.allWords === true && quotedPhrases(query.text).length > 0))
    return loadHits(resources.source, quoting, limit, alike)
  // The best suffice, unless some of them were deleted meanwhile.
  for (let most = Math.max(limit, VERBATIM_CANDIDATES); ; most = Infinity) {
    const { found, isAll } = foundMessages(index.view, ranked, most)
    // A question does not look for a message that asks the same.
    const ordered = ranked.facts.asks
      ? found
      : await boostVerbatimMatches(resources.source, query.text, found, ({ row }) => holdsAllWords(ranked, row))
    const hits = await loadHits(resources.source, ordered, limit, alike)
    if (isAll || hits.length === limit) return hits
  }
}

/** A message that was found, with its row in the table. */
type RankedRow = FoundMessage & { readonly row: number }

/**
 * The messages that hold all quoted phrases of a query, best first; of those that have all their words only the best
 * 200 are read. Empty where none does, or it quotes nothing. Rejects as the source does.
 */
const quotingMessages = async (
  source: RecallSource,
  view: View,
  ranked: RankedMessages,
  query: string,
): Promise<readonly RankedRow[]> => {
  const phrases = quotedPhrases(query)
  if (phrases.length === 0) return []
  const words = phrases.flatMap(({ text }) => analyseQuery(text).filter(({ kind }) => kind === 'word'))
  const columns = words.map(({ hash }) => ranked.table.terms.findIndex((term) => term.hash === hash))
  return messagesWithPhrases(
    source,
    phrases.map(({ text }) => wordsPattern(text)),
    foundMessages(view, ranked, Infinity).found,
    ({ row }) => columns.every((column) => column !== -1 && holdsTerm(ranked.table, row, column)),
  )
}

/**
 * The `most` best messages and all with the score of the last of them; `isAll`: no others match. In the order of the
 * rows, those that `wanted` lets through.
 */
const foundMessages = (
  view: View,
  ranked: RankedMessages,
  most: number,
): { readonly found: readonly RankedRow[]; readonly isAll: boolean } => {
  const { scores } = ranked.ranking
  const cut = scoreThreshold(
    ranked.wanted === undefined ? scores : scores.map((score, row) => (isWanted(ranked, row) ? score : 0)),
    most,
  )
  const found: RankedRow[] = []
  for (let row = 0; row < scores.length; row += 1) {
    const score = scores[row] as number
    if (score <= 0 || score < cut || !isWanted(ranked, row)) continue
    found.push({
      ...messagePosition(view, ranked.messages[row] as number),
      row,
      score,
      explanation: () => explainMessage(ranked, row),
    })
  }
  return { found, isAll: cut <= 0 }
}

/** Messages that are read only to see whether they have the text of a hit; and the tokens from which equal sizes tell something. */
const MOST_ALIKE = 20
const FEWEST_TOKENS_ALIKE = 30

/**
 * Messages that match and, to the last count, hold what one of the chosen holds: most of them have its very text. Only
 * of chosen ones that are not short; at most `MOST_ALIKE`.
 */
const messagesAlike = (
  view: View,
  ranked: RankedMessages,
  chosen: readonly { readonly row: number }[],
): readonly MessagePosition[] => {
  const { scores } = ranked.ranking
  const long = chosen.filter(({ row }) => tokensOf(ranked.table, row) >= FEWEST_TOKENS_ALIKE)
  const wanted = new Set(long.map(({ row }) => rowKey(ranked.table, row)))
  if (wanted.size === 0) return []
  const own = new Set(chosen.map(({ row }) => row))
  const found: MessagePosition[] = []
  for (let row = 0; row < scores.length && found.length < MOST_ALIKE; row += 1) {
    if ((scores[row] as number) <= 0 || own.has(row) || !isWanted(ranked, row)) continue
    if (wanted.has(rowKey(ranked.table, row))) found.push(messagePosition(view, ranked.messages[row] as number))
  }
  return found
}

/** Tokens of all passages of a row's message. */
const tokensOf = ({ firstPassage, passageTokens }: MatchTable, row: number): number =>
  passageTokens.subarray(firstPassage[row], firstPassage[row + 1]).reduce((sum, tokens) => sum + tokens, 0)

/** A number that is the same for rows whose messages have the same text: of author, kind, sizes and counts. */
const rowKey = (
  { terms, flags, author, firstPassage, passageTokens, counts, forms }: MatchTable,
  row: number,
): number => {
  const [first, end] = [firstPassage[row] as number, firstPassage[row + 1] as number]
  let key = extendHash(extendHash(HASH_SEED, flags[row] as number), author[row] as number)
  for (let passage = first; passage < end; passage += 1) key = extendHash(key, passageTokens[passage] as number)
  for (let cell = first * terms.length; cell < end * terms.length; cell += 1)
    key = extendHash(extendHash(key, counts[cell] as number), forms[cell] as number)
  return key
}

/** Whether a row's message fits the query's conditions. */
const isWanted = ({ wanted, messages }: RankedMessages, row: number): boolean =>
  wanted === undefined || wanted[messages[row] as number] !== 0

/** Whether a row holds all words of the query; terms of other kinds (`part`, `joined`) do not count. */
const holdsAllWords = ({ table }: Pick<RankedMessages, 'table'>, row: number): boolean =>
  table.terms.every(({ kind }, term) => kind !== 'word' || holdsTerm(table, row, term))

/** Whether a row's message is by the author of this name. */
const isBy = ({ author }: MatchTable, row: number, name: string): boolean =>
  author[row] !== 0 && author[row] === hashText(name)

/** Whether a row holds a term, in any of its passages. `term`: its column in the table. */
export const holdsTerm = ({ terms, firstPassage, counts }: MatchTable, row: number, term: number): boolean => {
  for (let passage = firstPassage[row] ?? 0; passage < (firstPassage[row + 1] ?? 0); passage += 1)
    if (counts[passage * terms.length + term] !== 0) return true
  return false
}

/**
 * Why a message has its score: its parts, and which terms of the query it holds; a word that is its author's name
 * counts as held. `row`: its row in the table.
 */
export const explainMessage = (
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
