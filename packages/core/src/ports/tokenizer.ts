/** Counts tokens for one family of models. */
export interface Tokenizer {
  readonly exact: boolean
  /** Tokens that the text takes in a request to `model`. */
  count(text: string, model: string): number
}
