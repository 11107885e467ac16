/** Scores the terms of a query in each message of a table: its best passage, its surroundings, its session. */
import { FORM_BM25, idfs, PASSAGE_BM25, saturatedFrequency, WIDE_BM25 } from './bm25.ts'
import { burstiness } from './burstiness.ts'
import type { MatchTable } from './match-table.ts'
import { TERM_WEIGHTS, termWeights, type TermWeights } from './term-weights.ts'

/** By row of the table; BM25 scores are divided by the highest. */
export interface TermScores {
  /** BM25 of the best passage. */
  readonly passage: Float64Array
  /** The same, of words in the exact form of the query. */
  readonly form: Float64Array
  /** BM25 of the message and up to two on either side, read as one text. */
  readonly window: Float64Array
  /** BM25 of the message with all of its passages, read as one text; 0 for all when the query is no question. */
  readonly message: Float64Array
  /** BM25 of the session, read as one text. */
  readonly session: Float64Array
  /** The share of the query's words in the best passage, by weight, 0 to 1. */
  readonly coverage: Float64Array
  /** The same, of words and known joined words in the exact form of the query. */
  readonly exact: Float64Array
  /** Tokens of the message. */
  readonly tokens: Float64Array
}

/**
 * Scores the terms of every row, by parts. `asks`: the query is a question; only then do whole messages count, and
 * terms that come in bursts more. Takes most of the time of a ranking.
 */
export const scoreTerms = (table: MatchTable, asks: boolean, weights: TermWeights = TERM_WEIGHTS): TermScores => {
  const { corpus, terms } = table
  const weight = termWeights(terms, asks, table.author, weights)
  const weighted = (values: Float64Array): Float64Array => values.map((value, term) => value * (weight[term] ?? 1))
  const termWeight = weighted(idfs(corpus.passages, corpus.termPassages))
  const scores = scorePassages(table, termWeight, weighted(idfs(corpus.passages, corpus.termForms)))
  // What surrounds a message tells what it is about; without a question the words themselves are wanted.
  const bursts = asks ? burstiness(corpus) : new Float64Array(terms.length).fill(1)
  const bursty = (values: Float64Array): Float64Array => values.map((value, term) => value * (bursts[term] ?? 1))
  return {
    passage: relative(scores.passage),
    form: relative(scores.form),
    window: relative(windowScores(table, scores.countsBefore, scores.tokens, bursty(termWeight))),
    message: asks
      ? relative(messageScores(table, scores.countsBefore, scores.tokens, termWeight))
      : new Float64Array(table.rows),
    session: relative(sessionScores(table, bursty(weight))),
    coverage: scores.coverage,
    exact: scores.exact,
    tokens: scores.tokens,
  }
}

/**
 * The best passage of each row by each measure. `countsBefore`: by row and term, how often it occurs in all rows before, so
 * that the count of any run of rows is one subtraction. Weights are by term.
 */
// eslint-disable-next-line complexity -- one loop over all counts that runs for every query; most branches are `?? 0`
const scorePassages = (table: MatchTable, termWeight: Float64Array, formWeight: Float64Array) => {
  const { rows, firstPassage, corpus, counts, forms, passageTokens, terms } = table
  const width = terms.length
  const isWord = Uint8Array.from(terms, ({ kind }) => (kind === 'word' ? 1 : 0))
  const isUnit = Uint8Array.from(terms, ({ kind }) => (kind === 'part' ? 0 : 1))
  const queryForm = Uint8Array.from(terms, ({ form }) => form)
  const sumWeights = (isCounted: (term: number) => boolean): number =>
    termWeight.reduce((sum, value, term) => sum + (isCounted(term) ? value : 0), 0) || 1
  const wordWeight = sumWeights((term) => isWord[term] === 1)
  const unitWeight = sumWeights((term) => isUnit[term] === 1 && (corpus.termPassages[term] ?? 0) > 0)
  const mean = corpus.passages === 0 ? 1 : corpus.tokens / corpus.passages || 1
  const byRow = (): Float64Array => new Float64Array(rows)
  const [passage, form, coverage, exact, tokens] = [byRow(), byRow(), byRow(), byRow(), byRow()]
  const countsBefore = new Uint32Array((rows + 1) * width)
  for (let row = 0; row < rows; row++) {
    const next = (row + 1) * width
    for (let at = next; at < next + width; at++) countsBefore[at] = countsBefore[at - width] ?? 0
    for (let index = firstPassage[row] ?? 0; index < (firstPassage[row + 1] ?? 0); index++) {
      const passageLength = passageTokens[index] ?? 0
      const length = passageLength / mean
      tokens[row] = (tokens[row] ?? 0) + passageLength
      let score = 0
      let formScore = 0
      let covered = 0
      let exactly = 0
      for (let term = 0, at = index * width; term < width; term++, at++) {
        const count = counts[at] ?? 0
        if (count === 0) continue
        countsBefore[next + term] = (countsBefore[next + term] ?? 0) + count
        score += (termWeight[term] ?? 0) * saturatedFrequency(count, length, PASSAGE_BM25)
        if (isWord[term] === 1) covered += termWeight[term] ?? 0
        const wanted = queryForm[term] ?? 0
        if (wanted !== 0 && ((forms[at] ?? 0) & wanted) === 0) continue
        formScore += (formWeight[term] ?? 0) * saturatedFrequency(count, length, FORM_BM25)
        if (isUnit[term] === 1) exactly += termWeight[term] ?? 0
      }
      if (score > (passage[row] ?? 0)) passage[row] = score
      if (formScore > (form[row] ?? 0)) form[row] = formScore
      if (covered > (coverage[row] ?? 0)) coverage[row] = covered
      if (exactly > (exact[row] ?? 0)) exact[row] = exactly
    }
    coverage[row] = (coverage[row] ?? 0) / wordWeight
    exact[row] = (exact[row] ?? 0) / unitWeight
  }
  return { passage, form, coverage, exact, tokens, countsBefore }
}

/** Divides by the highest, in place. All 0 stay so. Gives the array back. */
const relative = (values: Float64Array): Float64Array => {
  let highest = 0
  for (let row = 0; row < values.length; row++) if ((values[row] ?? 0) > highest) highest = values[row] ?? 0
  if (highest > 0) for (let row = 0; row < values.length; row++) values[row] = (values[row] ?? 0) / highest
  return values
}

/**
 * A score for each row with up to two rows on either side that belong to its session, read as one text. BM25 over five
 * rows.
 */
const windowScores = (
  table: MatchTable,
  countsBefore: Uint32Array,
  tokens: Float64Array,
  termWeight: Float64Array,
): Float64Array => {
  const { rows, follows, corpus } = table
  const width = termWeight.length
  const mean = corpus.messages === 0 ? 1 : (5 * corpus.tokens) / corpus.messages || 1
  const scores = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const first = follows[row] !== 1 ? row : follows[row - 1] !== 1 ? row - 1 : row - 2
    const last = follows[row + 1] !== 1 ? row : follows[row + 2] !== 1 ? row + 1 : row + 2
    let length = 0
    for (let near = first; near <= last; near++) length += tokens[near] ?? 0
    length /= mean
    const [start, end] = [first * width, (last + 1) * width]
    let score = 0
    for (let term = 0; term < width; term++) {
      const count = (countsBefore[end + term] ?? 0) - (countsBefore[start + term] ?? 0)
      if (count > 0) score += (termWeight[term] ?? 0) * saturatedFrequency(count, length, WIDE_BM25)
    }
    scores[row] = score
  }
  return scores
}

/** A score for each message with all of its passages, read as one text. */
const messageScores = (
  { rows, corpus }: MatchTable,
  countsBefore: Uint32Array,
  tokens: Float64Array,
  termWeight: Float64Array,
): Float64Array => {
  const width = termWeight.length
  const mean = corpus.messages === 0 ? 1 : corpus.tokens / corpus.messages || 1
  const scores = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const length = (tokens[row] ?? 0) / mean
    let score = 0
    for (let term = 0, at = row * width; term < width; term++, at++) {
      const count = (countsBefore[at + width] ?? 0) - (countsBefore[at] ?? 0)
      if (count > 0) score += (termWeight[term] ?? 0) * saturatedFrequency(count, length, WIDE_BM25)
    }
    scores[row] = score
  }
  return scores
}

/** For each row the score of its session, read as one text. BM25 over the words of the session. */
const sessionScores = (table: MatchTable, weight: Float64Array): Float64Array => {
  const { corpus, sessionCounts, sessionTokens } = table
  const termWeight = idfs(corpus.sessions, corpus.termSessions).map((value, term) => value * (weight[term] ?? 1))
  const mean = corpus.sessions === 0 ? 1 : corpus.tokens / corpus.sessions || 1
  const width = termWeight.length
  const bySession = new Float64Array(table.sessions)
  for (let session = 0; session < table.sessions; session++) {
    const length = (sessionTokens[session] ?? 0) / mean
    let score = 0
    for (let term = 0; term < width; term++) {
      const count = sessionCounts[session * width + term] ?? 0
      if (count > 0) score += (termWeight[term] ?? 0) * saturatedFrequency(count, length, WIDE_BM25)
    }
    bySession[session] = score
  }
  const scores = new Float64Array(table.rows)
  for (let row = 0; row < table.rows; row++) scores[row] = bySession[table.session[row] ?? 0] ?? 0
  return scores
}
