/** The machine's clock. */
import type { Clock } from '../ports/clock.ts'

/** A clock that tells the system's time. */
export const createSystemClock = (): Clock => ({ now: () => Date.now() })
