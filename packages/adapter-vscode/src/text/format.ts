/** Times and counts as people read them. */

/** Returns a number with at least two digits. */
const two = (value: number): string => String(value).padStart(2, '0')

/** Returns a time (ms) as local `2026-01-31 08:05`; `unknown` for null and for a number that is no time. */
export const timeText = (at: number | null): string => {
  const date = new Date(at ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return 'unknown'
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Returns a time (ms) as local `08:05:12`. */
export const clockText = (at: number): string => {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

const MINUTE_MS = 60_000
const STEPS: readonly (readonly [most: number, ms: number, unit: string])[] = [
  [60 * MINUTE_MS, MINUTE_MS, 'min'],
  [24 * 60 * MINUTE_MS, 60 * MINUTE_MS, 'h'],
  [14 * 24 * 60 * MINUTE_MS, 24 * 60 * MINUTE_MS, 'd'],
  [60 * 24 * 60 * MINUTE_MS, 7 * 24 * 60 * MINUTE_MS, 'wk'],
  [730 * 24 * 60 * MINUTE_MS, 30 * 24 * 60 * MINUTE_MS, 'mo'],
]

/** Clocks of two machines differ by this much without being wrong. */
export const CLOCKS_DIFFER_MS = 5 * MINUTE_MS

/**
 * Returns how long ago a time was (both ms), in one unit, rounded down: `now`, `5 min`, `3 h`, `2 d`; `in the future`
 * if it lies ahead by more than clocks differ; '' for null.
 */
export const ageText = (at: number | null, now: number): string => {
  if (at === null) return ''
  const age = now - at
  if (age <= -CLOCKS_DIFFER_MS) return 'in the future'
  if (age < MINUTE_MS) return 'now'
  for (const [most, ms, unit] of STEPS) if (age < most) return `${Math.floor(age / ms)} ${unit}`
  return `${Math.floor(age / (365 * 24 * 60 * MINUTE_MS))} y`
}

/** Returns an age for use in a sentence: `just now`, `5 min ago`, `in the future`; '' for null. */
export const agoText = (at: number | null, now: number): string => {
  const age = ageText(at, now)
  if (age === 'now') return 'just now'
  return /^\d/.test(age) ? `${age} ago` : age
}

/** Returns a count with its noun: `1 file`, `2,000 files`. `many`: the plural, by default `one` with an `s`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** Returns a size in bytes as text: `512 B`, `3.4 kB`, `1.2 MB` (decimal). */
export const bytesText = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
