/** A timer whose time goes on only when it is told to. */
import type { Timer } from '../../ports/timer.ts'

export interface TestTimer extends Timer {
  /** Lets some ms pass: makes the calls that are due, in their order. Does not wait for what they begin. */
  advance(ms: number): void
  /** How many calls are waiting. */
  readonly waiting: number
}

/**
 * A timer at time 0 that stands until `advance` (ms), which makes the calls that are due, in order of their times.
 * Calls that a callback plans are made too, if they are due.
 */
export const createTestTimer = (): TestTimer => {
  let time = 0
  const calls = new Map<symbol, { readonly at: number; readonly callback: () => void }>()
  const nextUntil = (end: number): symbol | undefined => {
    const due = [...calls].filter(([, { at }]) => at <= end).toSorted(([, left], [, right]) => left.at - right.at)
    return due[0]?.[0]
  }
  return {
    after: (ms, callback) => {
      const id = Symbol('call')
      calls.set(id, { at: time + ms, callback })
      return () => void calls.delete(id)
    },
    advance: (ms) => {
      const end = time + ms
      for (let id = nextUntil(end); id !== undefined; id = nextUntil(end)) {
        const call = calls.get(id)
        calls.delete(id)
        time = call?.at ?? end
        call?.callback()
      }
      time = end
    },
    get waiting() {
      return calls.size
    },
  }
}
