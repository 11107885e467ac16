/** BM25 (Robertson and Zaragoza, 2009) over tables of counts. */
import type { CorpusStatistics } from './match-table.ts'

/** How quickly repetition stops to count, and how much length does. */
export interface Bm25Options {
  readonly k1: number
  readonly b: number
}

export const PASSAGE_BM25: Bm25Options = { k1: 1.6, b: 0.4 }
export const FORM_BM25: Bm25Options = { k1: 1.2, b: 0.5 }
export const WIDE_BM25: Bm25Options = { k1: 1.2, b: 0.75 }

/** Worth of a term by how many of `total` hold it; above 0. */
export const idf = (total: number, holding: number): number => Math.log(1 + (Math.max(total, holding) - holding + 0.5) / (holding + 0.5))

export const idfs = (total: number, holding: ArrayLike<number>): Float64Array => Float64Array.from(holding, (count) => idf(total, count))

/** A term's share of a score, before its worth. `length` is relative to the mean. */
export const saturated = (count: number, length: number, { k1, b }: Bm25Options): number =>
  count === 0 ? 0 : (count * (k1 + 1)) / (count + k1 * (1 - b + b * length))

/** Scores of passages; `counts` by passage and term, `weights` by term (see term-weights). */
export const passageScores = (counts: ArrayLike<number>, weights: Float64Array, tokens: ArrayLike<number>, corpus: CorpusStatistics): Float64Array => {
  const terms = weights.length
  const worth = idfs(corpus.passages, corpus.termPassages).map((value, term) => value * (weights[term] ?? 1))
  const mean = corpus.passages === 0 ? 1 : corpus.tokens / corpus.passages
  return Float64Array.from(tokens, (length, passage) => {
    let score = 0
    for (let term = 0; term < terms; term++) {
      const count = counts[passage * terms + term] ?? 0
      if (count > 0) score += (worth[term] ?? 0) * saturated(count, length / mean, PASSAGE_BM25)
    }
    return score
  })
}
