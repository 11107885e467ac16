/** Ctrl-C: once ends what is in progress, twice within two seconds ends the conversation. */

/** The time in which a second Ctrl-C counts as such. */
export const TWICE_WITHIN_MS = 2_000

/**
 * Creates a counter of Ctrl-C. `press` returns `second` within two seconds of a first press and then starts again,
 * otherwise `first`; `reset` forgets the first. `now` returns ms.
 */
export const createInterrupts = (now: () => number): { press(): 'first' | 'second'; reset(): void } => {
  let pressedAt = Number.NEGATIVE_INFINITY
  return {
    press: () => {
      const at = now()
      const isSecond = at - pressedAt <= TWICE_WITHIN_MS
      pressedAt = isSecond ? Number.NEGATIVE_INFINITY : at
      return isSecond ? 'second' : 'first'
    },
    // Something else was typed meanwhile.
    reset: () => {
      pressedAt = Number.NEGATIVE_INFINITY
    },
  }
}
