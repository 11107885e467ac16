/** Counts tokens for one family of models. */
export interface Tokenizer {
  readonly exact: boolean
  /** Number of tokens of the text in a request to `model`. */
  count(text: string, model: string): number
}
