/** Hands items on one by one, and shows some of those that follow. */

/** Items with those that follow. */
export interface Lookahead<T> {
  /** The next one; undefined after the last. */
  next(): Promise<T | undefined>
  /** The items that follow, as far as they were read. */
  readonly waiting: readonly T[]
}

/**
 * Creates a reader that is `count` items ahead, fewer at the end: after each `next` they are in `waiting`. `next`
 * returns undefined at the end.
 */
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
