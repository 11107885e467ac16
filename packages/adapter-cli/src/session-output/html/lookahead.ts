/** Hands entries on one by one while some of those that follow can be seen. */

export interface Lookahead<T> {
  /** The next one; undefined after the last. */
  next(): Promise<T | undefined>
  /** Those that follow, as far as they were read. */
  readonly waiting: readonly T[]
}

/** Keeps `count` ahead, fewer at the end. */
export const createLookahead = <T>(source: AsyncIterable<T>, count: number): Lookahead<T> => {
  const iterator = source[Symbol.asyncIterator]()
  const waiting: T[] = []
  let isDone = false
  return {
    waiting,
    next: async () => {
      while (!isDone && waiting.length <= count) {
        const read = await iterator.next()
        if (read.done === true) isDone = true
        else waiting.push(read.value)
      }
      return waiting.shift()
    },
  }
}
