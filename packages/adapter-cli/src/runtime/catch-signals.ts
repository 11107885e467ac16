/** How a serving command ends: on a signal, after writing pending data. */
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long each step of closing may take. */
const CLOSING_LIMIT_MS = 5_000

/** What a serving command ends with; see {@link catchSignals}. */
export interface CaughtSignals {
  /**
   * Waits for the first signal, then runs the closing steps in order, each for at most five seconds, and ends the process
   * with exit code 0.
   */
  readonly close: (...steps: readonly (() => Promise<unknown>)[]) => Promise<never>
}

/**
 * Takes over the signals that end a serving command, before anybody knows that it serves: one that comes while it starts
 * closes it then. A second one ends the process at once.
 */
export const catchSignals = (): CaughtSignals => {
  const caught = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
  return {
    close: async (...steps) => {
      await caught
      for (const step of steps) await Promise.race([step(), wait(CLOSING_LIMIT_MS)])
      process.exit(0)
    },
  }
}
