/** Pauses in long work, so that a program that imports still answers signals, timers and other requests. */
import type { Clock } from '../ports/clock.ts'

/** When work has gone on for so long (ms) without a pause, the next one is due: by time, because machines differ. */
const WORK_MS = 100

/** Pauses of one piece of work. */
export interface Pauses {
  /** Whether the work has gone on for long; cheap enough to ask before every line. */
  isDue(): boolean
  /** Lets everything else that waits have its turn. Rejects with the signal's reason when that is aborted by then. */
  take(): Promise<void>
}

/**
 * Begins to measure how long work goes on without a pause; the signal ends it at the next one. Nothing is due where the
 * clock has no turns.
 */
export const createPauses = (clock: Clock, signal?: AbortSignal): Pauses => {
  let since = clock.now()
  return {
    isDue: () => clock.turn !== undefined && clock.now() - since >= WORK_MS,
    take: async () => {
      await clock.turn?.()
      since = clock.now()
      signal?.throwIfAborted()
    },
  }
}
