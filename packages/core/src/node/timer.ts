/** Node's own timers. */
import type { Timer } from '../ports/timer.ts'

/** A timer that runs on the machine's time. */
export const createSystemTimer = (): Timer => ({
  after: (ms, callback) => {
    const timeout = setTimeout(callback, ms)
    return () => clearTimeout(timeout)
  },
})
