/** A query's words as the index knows them. */

/** `word`: as it stands (stemmed where it is a word); `part`: of an identifier; `joined`: of adjacent words, looked for only where the index knows it. */
export type QueryTermKind = 'word' | 'part' | 'joined'

export interface QueryTerm {
  /** What stands in the index: hash of the stem, 32 bits; see text-analysis/hash. */
  readonly hash: number
  /** For people. */
  readonly text: string
  readonly kind: QueryTermKind
  /** The bit of the form in which the query has it; see text-analysis/forms. 0 where forms are not told apart. */
  readonly form: number
}
