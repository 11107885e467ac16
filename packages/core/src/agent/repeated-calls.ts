/** Counts how often in a row a model makes the very same call: a loop that it does not notice. */
import type { ToolCallBlock } from '../messages.ts'

/** The call from which on the model is told, and the one that is not made any more. */
export const WARNED_AT = 3
export const STOPPED_AT = 5

export interface RepeatedCalls {
  /** How often this call was made in a row, this time included. */
  count(call: Pick<ToolCallBlock, 'name' | 'input'>): number
}

/**
 * Counts equal calls in a row, of none yet: `count` gives how many times this call (same tool, same input) came now
 * without another between.
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
