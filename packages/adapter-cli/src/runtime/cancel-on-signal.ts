/**
 * Ctrl-C while a model answers: the first one cancels the request and records what has arrived; the second ends the
 * program.
 */
import type { CairnError } from '@cairn/core'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What ends a request early. */
export interface Cancel {
  /** Aborted when the request is to end. */
  readonly signal: AbortSignal
  /** Cancels as if Ctrl-C had been pressed, or for this reason. */
  now(reason?: CairnError): void
  /** Signals are the system's again. */
  end(): void
}

/**
 * Makes the first Ctrl-C (or SIGTERM, SIGHUP) abort a signal instead of ending the process, until `end` is called; the
 * same signal again ends the process.
 */
export const cancelOnSignal = (): Cancel => {
  const controller = new AbortController()
  const onSignal = (): void => controller.abort()
  for (const name of SIGNALS) process.once(name, onSignal)
  return {
    signal: controller.signal,
    now: (reason) => controller.abort(reason),
    end: () => {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
