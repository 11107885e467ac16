/** Converts texts to vectors. Always optional; off by default. */
export interface Embedder {
  readonly dimensions: number
  /** One unit vector per text, in order. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
}
