/** What counts of terms say about each message of a table, before anything is weighed. */
import type { QueryTerm } from '../../text-analysis/query.ts'
import { FORM_BM25, idfs, PASSAGE_BM25, saturated, WIDE_BM25, type Bm25Options } from './bm25.ts'
import { burstiness } from './burstiness.ts'
import type { MatchTable } from './match-table.ts'
import { TERM_WEIGHTS, termWeights, type TermWeights } from './term-weights.ts'

/** By row; scores are divided by the highest. */
export interface RowFacts {
  /** BM25 of its best passage. */
  readonly passage: Float64Array
  /** The same for words in the very form of the query. */
  readonly form: Float64Array
  /** It and up to two messages on either side, read as one text. */
  readonly window: Float64Array
  /** Its session, read as one text. */
  readonly session: Float64Array
  /** Share of the query's worth whose words its best passage holds. */
  readonly coverage: Float64Array
  /** Share of words, and of those that the index knows as one, in the very form of the query: what was written together counts as such. */
  readonly exact: Float64Array
  /** Tokens of the message. */
  readonly tokens: Float64Array
}

export const rowFactsOf = (table: MatchTable, asks: boolean, weights: TermWeights = TERM_WEIGHTS): RowFacts => {
  const { rows, firstPassage, corpus, counts, forms, passageTokens, terms } = table
  const width = terms.length
  const weight = termWeights(terms, asks, table.author, weights)
  // What stands around a message shows what it is about; who does not ask looks for the words themselves.
  const clumps = asks ? burstiness(corpus) : new Float64Array(width).fill(1)
  const worth = idfs(corpus.passages, corpus.termPassages).map((value, term) => value * (weight[term] ?? 1))
  const formWorth = idfs(corpus.passages, corpus.termForms).map((value, term) => value * (weight[term] ?? 1))
  const isWord = terms.map(({ kind }) => kind === 'word')
  const isUnit = terms.map(({ kind }) => kind !== 'part')
  const totalUnits =
    worth.reduce((sum, value, term) => sum + (isUnit[term] && (corpus.termPassages[term] ?? 0) > 0 ? value : 0), 0) || 1
  const totalWorth = worth.reduce((sum, value, term) => sum + (isWord[term] ? value : 0), 0) || 1
  const mean = corpus.passages === 0 ? 1 : corpus.tokens / corpus.passages || 1

  const passage = new Float64Array(rows)
  const form = new Float64Array(rows)
  const coverage = new Float64Array(rows)
  const exact = new Float64Array(rows)
  const tokens = new Float64Array(rows)
  const rowCounts = new Float32Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const start = row * width
    for (let index = firstPassage[row] ?? 0; index < (firstPassage[row + 1] ?? 0); index++) {
      const length = passageTokens[index] ?? 0
      tokens[row] = (tokens[row] ?? 0) + length
      let score = 0
      let formScore = 0
      let covered = 0
      let exactly = 0
      for (let term = 0, at = index * width; term < width; term++, at++) {
        const count = counts[at] ?? 0
        if (count === 0) continue
        rowCounts[start + term] = (rowCounts[start + term] ?? 0) + count
        score += (worth[term] ?? 0) * saturated(count, length / mean, PASSAGE_BM25)
        if (isWord[term]) covered += worth[term] ?? 0
        if (!hasForm(terms[term], forms[at] ?? 0)) continue
        formScore += (formWorth[term] ?? 0) * saturated(count, length / mean, FORM_BM25)
        if (isUnit[term]) exactly += worth[term] ?? 0
      }
      if (score > (passage[row] ?? 0)) passage[row] = score
      if (formScore > (form[row] ?? 0)) form[row] = formScore
      if (covered > (coverage[row] ?? 0)) coverage[row] = covered
      if (exactly > (exact[row] ?? 0)) exact[row] = exactly
    }
    coverage[row] = (coverage[row] ?? 0) / totalWorth
    exact[row] = (exact[row] ?? 0) / totalUnits
  }
  return {
    passage: relative(passage),
    form: relative(form),
    window: relative(
      windowScores(
        table,
        rowCounts,
        tokens,
        worth.map((value, term) => value * (clumps[term] ?? 1)),
      ),
    ),
    session: relative(
      sessionScores(
        table,
        weight.map((value, term) => value * (clumps[term] ?? 1)),
      ),
    ),
    coverage,
    exact,
    tokens,
  }
}

const hasForm = (term: QueryTerm | undefined, forms: number): boolean =>
  term !== undefined && (term.form === 0 || (forms & term.form) !== 0)

/** Divides by the highest, in place. */
const relative = (values: Float64Array): Float64Array => {
  let highest = 0
  for (let row = 0; row < values.length; row++) if ((values[row] ?? 0) > highest) highest = values[row] ?? 0
  if (highest > 0) for (let row = 0; row < values.length; row++) values[row] = (values[row] ?? 0) / highest
  return values
}

const scoreOf = (
  counts: ArrayLike<number>,
  from: number,
  worth: Float64Array,
  length: number,
  options: Bm25Options,
): number => {
  let score = 0
  for (let term = 0; term < worth.length; term++) {
    const count = counts[from + term] ?? 0
    if (count > 0) score += (worth[term] ?? 0) * saturated(count, length, options)
  }
  return score
}

const windowScores = (
  table: MatchTable,
  rowCounts: Float32Array,
  tokens: Float64Array,
  worth: Float64Array,
): Float64Array => {
  const { rows, follows, corpus } = table
  const width = worth.length
  const mean = corpus.messages === 0 ? 1 : (5 * corpus.tokens) / corpus.messages || 1
  const counts = new Float32Array(width)
  const scores = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const first = follows[row] !== 1 ? row : follows[row - 1] !== 1 ? row - 1 : row - 2
    const last = follows[row + 1] !== 1 ? row : follows[row + 2] !== 1 ? row + 1 : row + 2
    let length = 0
    counts.fill(0)
    for (let near = first; near <= last; near++) {
      length += tokens[near] ?? 0
      for (let term = 0, at = near * width; term < width; term++, at++)
        counts[term] = (counts[term] ?? 0) + (rowCounts[at] ?? 0)
    }
    scores[row] = scoreOf(counts, 0, worth, length / mean, WIDE_BM25)
  }
  return scores
}

const sessionScores = (table: MatchTable, weight: Float64Array): Float64Array => {
  const { corpus, sessionCounts, sessionTokens } = table
  const worth = idfs(corpus.sessions, corpus.termSessions).map((value, term) => value * (weight[term] ?? 1))
  const mean = corpus.sessions === 0 ? 1 : corpus.tokens / corpus.sessions || 1
  const ofSession = new Float64Array(table.sessions)
  for (let session = 0; session < table.sessions; session++)
    ofSession[session] = scoreOf(
      sessionCounts,
      session * worth.length,
      worth,
      (sessionTokens[session] ?? 0) / mean,
      WIDE_BM25,
    )
  const scores = new Float64Array(table.rows)
  for (let row = 0; row < table.rows; row++) scores[row] = ofSession[table.session[row] ?? 0] ?? 0
  return scores
}
