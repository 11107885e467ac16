/** The BM25 ranking function (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework", 2009). */

export interface Bm25Options {
  /** Higher: repetition of a term counts for longer. */
  readonly k1: number
  /** How much longer texts are penalised, 0 to 1. */
  readonly b: number
}

/** For passages. */
export const PASSAGE_BM25: Bm25Options = { k1: 1.6, b: 0.4 }
/** For exact word forms in passages. */
export const FORM_BM25: Bm25Options = { k1: 1.2, b: 0.5 }
/** For windows, sessions and whole messages. */
export const WIDE_BM25: Bm25Options = { k1: 1.2, b: 0.75 }

/**
 * Inverse document frequency of a term that `holding` of `total` texts hold; above 0. `holding` may be 0, and is never
 * taken for more than all.
 */
export const idf = (total: number, holding: number): number =>
  Math.log(1 + (Math.max(total, holding) - holding + 0.5) / (holding + 0.5))

/** The {@link idf} of each term, in order, given how many of `total` texts hold it. */
export const idfs = (total: number, holding: ArrayLike<number>): Float64Array =>
  Float64Array.from(holding, (count) => idf(total, count))

/**
 * The frequency factor of a term's BM25 score, to be multiplied by its idf; 0 for a term that is not there. `length`:
 * of the text, divided by the mean.
 */
export const saturatedFrequency = (count: number, length: number, { k1, b }: Bm25Options): number =>
  count === 0 ? 0 : (count * (k1 + 1)) / (count + k1 * (1 - b + b * length))
