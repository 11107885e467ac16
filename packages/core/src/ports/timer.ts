/** Delayed callbacks, as a dependency that tests control. */
export interface Timer {
  /**
   * Calls back once after the given ms, and keeps the program alive until then.
   * @returns a function that cancels the call if it has not been made yet
   */
  after(ms: number, callback: () => void): () => void
}
