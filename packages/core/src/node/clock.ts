/** The machine's clock. */
import type { Clock } from '../ports/clock.ts'

/** A clock that tells the system's time (`now`, ms since the epoch), and lets Node's event loop turn (`turn`). */
export const createSystemClock = (): Clock => ({
  now: () => Date.now(),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
})
