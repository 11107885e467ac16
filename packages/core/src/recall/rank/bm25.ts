/** BM25 (Robertson and Zaragoza, 2009) over tables of counts. */

/** How quickly repetition stops to count, and how much length does. */
export interface Bm25Options {
  readonly k1: number
  readonly b: number
}

export const PASSAGE_BM25: Bm25Options = { k1: 1.6, b: 0.4 }
export const FORM_BM25: Bm25Options = { k1: 1.2, b: 0.5 }
export const WIDE_BM25: Bm25Options = { k1: 1.2, b: 0.75 }

/** Worth of a term by how many of `total` hold it; above 0. */
export const idf = (total: number, holding: number): number =>
  Math.log(1 + (Math.max(total, holding) - holding + 0.5) / (holding + 0.5))

export const idfs = (total: number, holding: ArrayLike<number>): Float64Array =>
  Float64Array.from(holding, (count) => idf(total, count))

/** A term's share of a score, before its worth. `length` is relative to the mean. */
export const saturated = (count: number, length: number, { k1, b }: Bm25Options): number =>
  count === 0 ? 0 : (count * (k1 + 1)) / (count + k1 * (1 - b + b * length))
