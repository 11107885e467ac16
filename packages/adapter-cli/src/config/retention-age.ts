/** How long something is kept, as settings say it: 90d, 12w, 2y. */

const DAY_MS = 86_400_000
const DAYS_OF: Readonly<Record<string, number>> = { d: 1, w: 7, y: 365 }
const AGE = /^([1-9]\d{0,3})([dwy])$/

/**
 * Returns the milliseconds of an age such as `365d`, `52w` or `2y` (years of 365 days); undefined for any other text, 0
 * and more than 9,999 included.
 */
export const retentionAgeMs = (text: string): number | undefined => {
  const [, count, unit = ''] = AGE.exec(text) ?? []
  const days = DAYS_OF[unit]
  return count === undefined || days === undefined ? undefined : Number(count) * days * DAY_MS
}
