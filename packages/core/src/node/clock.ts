/** The machine's clock. */
import type { Clock } from '../ports/clock.ts'

/** A clock that tells the system's time, and that lets Node's event loop turn. */
export const createSystemClock = (): Clock => ({
  now: () => Date.now(),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
})
