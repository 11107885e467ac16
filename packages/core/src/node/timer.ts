/** Node's own timers. */
import type { Timer } from '../ports/timer.ts'

/** A timer that runs on the machine's time, ms; `after` returns a function that cancels it. It keeps the process alive. */
export const createSystemTimer = (): Timer => ({
  after: (ms, callback) => {
    const timeout = setTimeout(callback, ms)
    return () => clearTimeout(timeout)
  },
})
