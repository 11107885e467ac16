/** Long runs of letters and digits: what keys are made of, and few words. */

/** Where a run is: it begins at `start` and ends before `end`. */
export interface Run {
  readonly start: number
  readonly end: number
}

const IN_RUN = new Uint8Array(128)
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  IN_RUN[letter.charCodeAt(0)] = 1
const isInRun = (code: number): boolean => code < 128 && IN_RUN[code] === 1

/**
 * The runs of at least `length` letters, digits, `+` and `/` in a text, in order. Each place is looked at from its end:
 * where a run can't be, all before it is skipped, so that a quarter of the characters is read.
 */
export const longRuns = (text: string, length: number): readonly Run[] => {
  const runs: Run[] = []
  let start = 0
  /** All between `start` and this is known to be in the run. */
  let known = 0
  while (start + length <= text.length) {
    let end = start + length
    let at = end - 1
    while (at >= known && isInRun(text.charCodeAt(at))) at--
    if (at >= known) {
      start = at + 1
      known = end
      continue
    }
    while (end < text.length && isInRun(text.charCodeAt(end))) end++
    runs.push({ start, end })
    start = end + 1
    known = start
  }
  return runs
}
