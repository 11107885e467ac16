/** Parses the times that people type on a command line: `2026-01-31`, `7d`, `yesterday`, an ISO instant. */
import { CairnError } from '../errors.ts'
import { echoed } from '../input.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, localDayOf, offsetAt, startOfLocalDay, zoneOffsets } from './calendar.ts'

/** `since` uses a day's first instant, `until` the instant after its last. */
export type TimeEdge = 'since' | 'until'

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i
const RELATIVE = /^(\d{1,6})\s?([mhdw])$/i

/**
 * Days since 1970-01-01; undefined for a date that does not exist (2026-02-30). Undefined, too, for what is no
 * `YYYY-MM-DD`.
 */
const dayNumberOf = (text: string): number | undefined => {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.getTime() / DAY_MS : undefined
}

/**
 * The instant of a local date and time (given as if it were UTC). An hour that occurs twice means its first occurrence;
 * one skipped by summer time means the instant after the change.
 */
export const instantOfLocal = (timeZone: string, local: number): number => {
  const intervals = zoneOffsets(timeZone, local - 2 * DAY_MS, local + 2 * DAY_MS)
  for (const [index, interval] of intervals.entries()) {
    const candidate = Math.max(interval.from, local - interval.offsetMs)
    if (candidate < (intervals[index + 1]?.from ?? Number.POSITIVE_INFINITY)) return candidate
  }
  return local
}

/**
 * The instant of an ISO text, ms; undefined if it is not one. Without a zone in the text it is local time in
 * `timeZone`; fractions are cut to ms.
 */
const parseInstant = (text: string, timeZone: string): number | undefined => {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const day = dayNumberOf(match[1] ?? '')
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)]
  if (day === undefined || hour > 23 || minute > 59 || second > 59) return undefined
  const fraction = Math.floor(Number(`0.${match[5] ?? 0}`) * 1000)
  const local = day * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + fraction
  const zone = match[6]?.toUpperCase()
  if (zone === undefined) return instantOfLocal(timeZone, local)
  if (zone === 'Z') return local
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.slice(1).replace(':', '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  // No place on Earth is further from UTC than 14 hours.
  if (hours * 60 + minutes > 14 * 60 || minutes > 59) return undefined
  return local - sign * (hours * HOUR_MS + minutes * MINUTE_MS)
}

/**
 * Parses a text as an instant (ms). A date, `today` and `yesterday` are days of the zone: `since` returns their start,
 * `until` the start of the day after, so that `--since 2026-01-31 --until 2026-01-31` is that whole day. `now`, `7d`,
 * `24h`, `30m` and `2w` count from `now` (ms) back. An ISO instant without a zone is local time.
 * @throws CairnError `usage` for any other text, and for an unknown zone.
 */
export const parseTime = (text: string, timeZone: string, edge: TimeEdge, now: number): number => {
  const wanted = text.trim()
  const endDays = edge === 'until' ? 1 : 0
  const word = wanted.toLowerCase()
  if (word === 'now') return now
  if (word === 'today' || word === 'yesterday') {
    const today = localDayOf(now, offsetAt(timeZone, now))
    return startOfLocalDay(timeZone, today - (word === 'today' ? 0 : 1) + endDays)
  }
  const day = dayNumberOf(wanted)
  if (day !== undefined) return startOfLocalDay(timeZone, day + endDays)
  const relative = RELATIVE.exec(wanted)
  if (relative !== null) return now - Number(relative[1]) * (UNITS[(relative[2] ?? '').toLowerCase()] ?? 0)
  const instant = parseInstant(wanted, timeZone)
  if (instant !== undefined) return instant
  throw new CairnError(
    'usage',
    `'${echoed(text)}' is not a time: use a date (2026-01-31), an instant (2026-01-31T08:00:00Z), 7d, 24h, today or yesterday.`,
  )
}
