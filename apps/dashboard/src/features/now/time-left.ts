/** Spans of time as the page counts them, each second. */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Returns a duration in whole units, rounded down: `12 s`, `4 min`, `1 h 5 min`; `0 s` for a negative one. */
export const spanText = (ms: number): string => {
  const whole = Math.max(0, ms)
  if (whole < MINUTE_MS) return `${Math.floor(whole / SECOND_MS)} s`
  const minutes = Math.floor(whole / MINUTE_MS)
  if (whole < HOUR_MS) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How a cache stands at a time. */
export interface CacheText {
  /** `4 min 12 s`, with seconds below ten minutes; `expired`. */
  readonly text: string
  /** `left`, `3 min ago`. */
  readonly below: string
}

/**
 * Returns how a cache that is kept until `expiresAt` stands at `now`, both ms: how long is left, to the second below
 * ten minutes, or how long ago it expired.
 */
export const cacheText = (expiresAt: number, now: number): CacheText => {
  const left = expiresAt - now
  if (left <= 0) return { text: 'expired', below: `${spanText(-left)} ago` }
  const seconds = Math.floor((left % MINUTE_MS) / SECOND_MS)
  const isWhole = left < MINUTE_MS || left >= 10 * MINUTE_MS || seconds === 0
  return { text: isWhole ? spanText(left) : `${spanText(left)} ${seconds} s`, below: 'left' }
}
