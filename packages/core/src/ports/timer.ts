/** Calls back later, as a dependency: tests say when. */
export interface Timer {
  /**
   * Calls back once after some ms, and keeps the program alive until then.
   * @returns forgets the call, if it has not been made yet
   */
  after(ms: number, callback: () => void): () => void
}
