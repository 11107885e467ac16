/** A clock that stands still until it is told to go on. */
import type { Clock } from '../../ports/clock.ts'

export interface TestClock extends Clock {
  /** Goes on by some ms (or back). */
  advance(ms: number): void
  /** Shows this time from now on, ms since the epoch. */
  set(ms: number): void
}

/** A clock that stands at `start` (ms; default the start of 2026 in UTC) until a test moves it. */
export const createTestClock = (start = Date.UTC(2026, 0, 1)): TestClock => {
  let time = start
  return {
    now: () => time,
    advance: (ms) => {
      time += ms
    },
    set: (ms) => {
      time = ms
    },
  }
}
