/** Times and counts as people read them. */

/** A number with at least two digits. */
const two = (value: number): string => String(value).padStart(2, '0')

/** Local `2026-01-31 08:05` of a time in ms; `unknown` for null and for a number that is no time. */
export const timeText = (at: number | null): string => {
  const date = new Date(at ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return 'unknown'
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Local `08:05:12` of a time in ms, which must be one. */
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
 * How long ago a time was (both ms), in one unit, rounded down: `now`, `5 min`, `3 h`, `2 d`; `in the future` by a
 * wrong clock; '' for null.
 */
export const ageText = (at: number | null, now: number): string => {
  if (at === null) return ''
  const age = now - at
  if (age <= -CLOCKS_DIFFER_MS) return 'in the future'
  if (age < MINUTE_MS) return 'now'
  for (const [most, ms, unit] of STEPS) if (age < most) return `${Math.floor(age / ms)} ${unit}`
  return `${Math.floor(age / (365 * 24 * 60 * MINUTE_MS))} y`
}

/** As `ageText`, in a sentence: `just now`, `5 min ago`, `in the future`; '' for null. */
export const agoText = (at: number | null, now: number): string => {
  const age = ageText(at, now)
  if (age === 'now') return 'just now'
  return /^\d/.test(age) ? `${age} ago` : age
}

/** A count with its noun: `1 file`, `2,000 files`; `many` is the plural where it takes more than an `s`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** A size of so many bytes: `512 B`, `3.4 kB`, `1.2 MB` (decimal). */
export const bytesText = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
