/** Turns texts into vectors. Optional everywhere; off by default. */
export interface Embedder {
  readonly dimensions: number
  /** One unit vector a text, in order. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
}
