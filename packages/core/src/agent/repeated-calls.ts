/** Counts consecutive identical calls, to detect a loop that the model does not notice. */
import type { ToolCallBlock } from '../messages.ts'

/** The repetition at which the model is warned, and the one that is no longer run. */
export const WARNED_AT = 3
export const STOPPED_AT = 5

export interface RepeatedCalls {
  /** The number of consecutive identical calls, including this one. */
  count(call: Pick<ToolCallBlock, 'name' | 'input'>): number
}

/**
 * Creates a counter of consecutive identical calls: `count` returns how often this call (same tool, same input) came in
 * a row. The first call gives 1.
 */
export const createRepeatedCalls = (): RepeatedCalls => {
  let last = ''
  let times = 0
  return {
    count: ({ name, input }) => {
      const key = JSON.stringify([name, input])
      times = key === last ? times + 1 : 1
      last = key
      return times
    },
  }
}
