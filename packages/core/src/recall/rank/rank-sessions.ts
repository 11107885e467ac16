/**
 * Scores sessions for a request: by the files that they edited, their branch, their title and their messages. Described
 * for readers in docs/recall.md.
 */
import type { ScorePart } from '../../ports/search-index.ts'
import { idf, idfs, saturatedFrequency, WIDE_BM25 } from './bm25.ts'
import { scoreFiles, isMainBranch } from './file-scores.ts'
import type { QueryFacts } from './query-facts.ts'
import { splitUnknownNames } from './unknown-names.ts'
import { BEST_OF_SESSION, type FieldCounts, type SessionTable } from './session-table.ts'
import { termWeights } from './term-weights.ts'
import { SESSION_WEIGHTS, type SessionWeights } from './weights.ts'

/** What the ranking knows of a request. */
export interface SessionQueryFacts extends QueryFacts {
  /** The branch that the request is made on. */
  readonly branch?: string | undefined
}

/** Scores of the sessions of one table. */
export interface SessionScores {
  /** By session; 0 for a session that does not match. */
  readonly scores: Float64Array
  /** The parts of a session's score; their sum is the score. */
  explain(session: number): readonly ScorePart[]
}

/**
 * Scores every session of the table, by its row. Scores compare within one request only. `explain` gives the parts of a
 * session's score that are not 0.
 */
export const rankSessions = (
  table: SessionTable,
  query: SessionQueryFacts,
  weights: SessionWeights = SESSION_WEIGHTS,
): SessionScores => {
  const terms = termWeights(splitUnknownNames(table.terms, table.fields.all.termSessions), query.asks)
  const { edited, named } = fileScoresBySession(table, query, weights)
  const parts: readonly (readonly [string, Float64Array])[] = [
    ['edited files', scaled(edited, weights.edited)],
    ['named files', scaled(named, weights.named)],
    [
      'same branch',
      Float64Array.from(table.branch, (name) =>
        name === null || name !== query.branch ? 0 : isMainBranch(name) ? weights.mainBranch : weights.branch,
      ),
    ],
    ['title', (table.titleShare ?? new Float64Array(table.sessions)).map((share) => weights.title * share)],
    ['best messages', scaled(bestScores(table), weights.best)],
    ['what users said', scaled(fieldScores(table, table.fields.user, terms), weights.user)],
    ['all but results', scaled(fieldScores(table, table.fields.withoutResults, terms), weights.withoutResults)],
  ]
  return {
    scores: Float64Array.from({ length: table.sessions }, (_, session) =>
      parts.reduce((sum, [, values]) => sum + (values[session] ?? 0), 0),
    ),
    explain: (session) =>
      parts.map(([name, values]) => ({ name, value: values[session] ?? 0 })).filter(({ value }) => value !== 0),
  }
}

/**
 * Scores of sessions by the files they edited that the request is about, and by the files they touched that it names.
 * Only the `files` best files count.
 */
const fileScoresBySession = (table: SessionTable, query: SessionQueryFacts, weights: SessionWeights) => {
  const edited = new Float64Array(table.sessions)
  const named = new Float64Array(table.sessions)
  const files = scoreFiles(table, query).slice(0, weights.files)
  const highest = files[0]?.score ?? 1
  for (const { file, score, isNamed } of files) {
    const share = (score / highest) ** weights.fileExponent
    // A file that all sessions edit tells none of them apart.
    const rarity = Math.log((table.sessions + 1) / (file.editedBy.length + 0.5))
    for (const session of file.editedBy) edited[session] = (edited[session] ?? 0) + share * rarity
    if (isNamed)
      for (const session of file.touchedBy)
        named[session] = (named[session] ?? 0) + idf(table.sessions, file.touchedBy.length)
  }
  return { edited, named }
}

/** By session: the sum of its best messages' scores, the second divided by two, the third by three, and so on. */
const bestScores = ({ sessions, best }: SessionTable): Float64Array =>
  Float64Array.from({ length: sessions }, (_, session) =>
    best
      .subarray(session * BEST_OF_SESSION, (session + 1) * BEST_OF_SESSION)
      .reduce((sum, score, rank) => sum + score / (rank + 1), 0),
  )

/** Scales values so that the highest is `weight`. All 0 stay so. */
const scaled = (values: Float64Array, weight: number): Float64Array => {
  const highest = values.reduce((most, value) => Math.max(most, value), 0)
  return highest === 0 ? values : values.map((value) => (weight * value) / highest)
}

/** BM25 of each session, its field read as one text. 0 without a term. */
const fieldScores = (table: SessionTable, field: FieldCounts, weights: Float64Array): Float64Array => {
  const termIdf = idfs(table.sessions, field.termSessions).map((value, term) => value * (weights[term] ?? 1))
  const mean = field.tokens.reduce((sum, value) => sum + value, 0) / table.sessions || 1
  return Float64Array.from({ length: table.sessions }, (_, session) => {
    const length = (field.tokens[session] ?? 0) / mean
    let score = 0
    for (let term = 0; term < termIdf.length; term++) {
      const count = field.counts[session * termIdf.length + term] ?? 0
      if (count > 0) score += (termIdf[term] ?? 0) * saturatedFrequency(count, length, WIDE_BM25)
    }
    return score
  })
}
