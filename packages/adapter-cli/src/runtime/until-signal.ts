/** How a serving command ends: on a signal, after writing pending data. */
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long each step of closing may take. */
const CLOSING_LIMIT_MS = 5_000

/**
 * Waits for a signal, then runs the closing steps in order, each for at most five seconds, and ends the process with
 * exit code 0.
 */
export const untilSignal = async (...closing: readonly (() => Promise<unknown>)[]): Promise<never> => {
  await new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve())
  })
  for (const close of closing) await Promise.race([close(), wait(CLOSING_LIMIT_MS)])
  process.exit(0)
}
