/**
 * Scores sessions for a request: those that edited the files that it is about, those on its branch, those that hold its
 * words; see docs/recall.md.
 */
import type { ScorePart } from '../../ports/search-index.ts'
import { idf, idfs, saturated, WIDE_BM25 } from './bm25.ts'
import { fileScores, isMain } from './file-scores.ts'
import type { QueryFacts } from './query-facts.ts'
import { withLooseWords } from './loose-words.ts'
import { BEST_OF_SESSION, type FieldCounts, type SessionTable } from './session-table.ts'
import { termWeights } from './term-weights.ts'
import { SESSION_WEIGHTS, type SessionWeights } from './weights.ts'

export interface SessionQueryFacts extends QueryFacts {
  /** The branch that the request is made on. */
  readonly branch?: string | undefined
}

export interface SessionScores {
  /** By session; 0 for one that has nothing to do with the request. */
  readonly scores: Float64Array
  /** The terms of a session's score; their sum is the score. */
  explain(session: number): readonly ScorePart[]
}

/** A title that holds all words of the request counts half as much as the same branch. */
const TITLE_WEIGHT = 0.3

export const rankSessions = (
  table: SessionTable,
  query: SessionQueryFacts,
  weights: SessionWeights = SESSION_WEIGHTS,
): SessionScores => {
  const terms = termWeights(withLooseWords(table.terms, table.fields.all.termSessions), query.asks)
  const { edited, named } = fileParts(table, query, weights)
  const parts: readonly (readonly [string, Float64Array])[] = [
    ['edited files', scaled(edited, weights.edited)],
    ['named files', scaled(named, weights.named)],
    [
      'same branch',
      Float64Array.from(table.branch, (name) =>
        name === null || name !== query.branch ? 0 : isMain(name) ? weights.mainBranch : weights.branch,
      ),
    ],
    ['title', (table.titleShare ?? new Float64Array(table.sessions)).map((share) => TITLE_WEIGHT * share)],
    ['best messages', scaled(bestScores(table), weights.best)],
    ['what users said', scaled(fieldScores(table, table.fields.user, terms), weights.user)],
    ['all but results', scaled(fieldScores(table, table.fields.said, terms), weights.said)],
  ]
  return {
    scores: Float64Array.from({ length: table.sessions }, (_, session) =>
      parts.reduce((sum, [, values]) => sum + (values[session] ?? 0), 0),
    ),
    explain: (session) =>
      parts.map(([name, values]) => ({ name, value: values[session] ?? 0 })).filter(({ value }) => value !== 0),
  }
}

/** From the request to files, from the files to the sessions that edited them; and those that touched a file that it names. */
const fileParts = (table: SessionTable, query: SessionQueryFacts, weights: SessionWeights) => {
  const edited = new Float64Array(table.sessions)
  const named = new Float64Array(table.sessions)
  const files = fileScores(table, query).slice(0, weights.files)
  const highest = files[0]?.score ?? 1
  for (const { file, score, isNamed } of files) {
    const share = (score / highest) ** weights.fileExponent
    // A file that all sessions edit says nothing.
    const rarity = Math.log((table.sessions + 1) / (file.editedBy.length + 0.5))
    for (const session of file.editedBy) edited[session] = (edited[session] ?? 0) + share * rarity
    if (isNamed)
      for (const session of file.touchedBy)
        named[session] = (named[session] ?? 0) + idf(table.sessions, file.touchedBy.length)
  }
  return { edited, named }
}

/** The second best counts half, the third a third. */
const bestScores = ({ sessions, best }: SessionTable): Float64Array =>
  Float64Array.from({ length: sessions }, (_, session) =>
    best
      .subarray(session * BEST_OF_SESSION, (session + 1) * BEST_OF_SESSION)
      .reduce((sum, score, place) => sum + score / (place + 1), 0),
  )

const scaled = (values: Float64Array, weight: number): Float64Array => {
  const highest = values.reduce((most, value) => Math.max(most, value), 0)
  return highest === 0 ? values : values.map((value) => (weight * value) / highest)
}

const fieldScores = (table: SessionTable, field: FieldCounts, weights: Float64Array): Float64Array => {
  const worth = idfs(table.sessions, field.termSessions).map((value, term) => value * (weights[term] ?? 1))
  const mean = field.tokens.reduce((sum, value) => sum + value, 0) / table.sessions || 1
  return Float64Array.from({ length: table.sessions }, (_, session) => {
    const length = (field.tokens[session] ?? 0) / mean
    let score = 0
    for (let term = 0; term < worth.length; term++) {
      const count = field.counts[session * worth.length + term] ?? 0
      if (count > 0) score += (worth[term] ?? 0) * saturated(count, length, WIDE_BM25)
    }
    return score
  })
}
