/** The span of time that a selection means, in the days of its zone. */
import { DAY_MS, assertTimeZone, parseTime, periodKey, zoneOffsets } from '@cairn/core'
import { spanBefore } from '@cairn/core/insights'
import type { Period, Selection } from './selection.ts'

/** The first and the last day of a period; undefined for all time. */
type Days = readonly [first: number, last: number] | undefined

/** Returns the first day of the calendar month that a day is in, or of one so many months later. */
const monthStart = (day: number, later: number): number => {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / DAY_MS
}

/** The days of each period on a day; all are counted since 1970-01-01. */
const DAYS: Readonly<Record<Period, (today: number) => Days>> = {
  today: (today) => [today, today],
  yesterday: (today) => [today - 1, today - 1],
  month: (today) => [monthStart(today, 0), today],
  'last-month': (today) => [monthStart(today, -1), monthStart(today, 0) - 1],
  '7d': (today) => [today - 6, today],
  '30d': (today) => [today - 29, today],
  '90d': (today) => [today - 89, today],
  '1y': (today) => [today - 364, today],
  all: () => undefined,
}

/** Instants in ms, the end not included; days since 1970-01-01. Undefined where open. */
export interface Span {
  readonly since: number | undefined
  readonly until: number | undefined
  readonly firstDay: number | undefined
  /** Where an axis ends: the last day, but not after today. */
  readonly lastDay: number
  readonly today: number
}

/**
 * Returns the day (counted since 1970-01-01) that it is in a time zone at an instant (ms).
 * @throws RangeError for an unknown zone
 */
export const localDay = (timeZone: string, at: number): number =>
  Math.floor((at + (zoneOffsets(timeZone, at, at)[0]?.offsetMs ?? 0)) / DAY_MS)

/** Returns the first instant (ms) of a day (counted since 1970-01-01) in a time zone. */
export const dayStart = (timeZone: string, day: number): number =>
  parseTime(periodKey('day', day), timeZone, 'since', 0)

/** Returns the day number (since 1970-01-01) of `2026-01-31`; NaN for text that is not a date. */
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

/**
 * Returns the first and last day that are selected, undefined for an open end. Given days go before the period; without
 * a last one it is today, unless the first is in the future.
 */
const daysOf = (
  { period, from, to }: Pick<Selection, 'period' | 'from' | 'to'>,
  today: number,
): readonly [first: number | undefined, last: number | undefined] => {
  if (from !== undefined || to !== undefined) {
    const first = from === undefined ? undefined : dayNumber(from)
    // A clock that is wrong must not stretch what goes on until now; who asks for the future gets it.
    const open = first !== undefined && first <= today ? today : undefined
    return [first, to === undefined ? open : dayNumber(to)]
  }
  return DAYS[period](today) ?? [undefined, undefined]
}

/**
 * The span of days that a selection means; it ends with a day, not with the instant `now`: clocks of machines differ by
 * minutes, and whole days are quick to sum. `since` (inclusive) and `until` (exclusive) are undefined where it has no
 * end there.
 * @param now ms
 * @throws CairnError `usage` for an unknown zone.
 */
export const spanOf = (selection: Pick<Selection, 'period' | 'from' | 'to'>, timeZone: string, now: number): Span => {
  assertTimeZone(timeZone)
  const today = localDay(timeZone, now)
  const [firstDay, last] = daysOf(selection, today)
  return {
    since: firstDay === undefined ? undefined : dayStart(timeZone, firstDay),
    until: last === undefined ? undefined : dayStart(timeZone, last + 1),
    firstDay,
    lastDay: Math.min(today, last ?? today),
    today,
  }
}

/** The span as long as another, right before it. */
export interface PreviousSpan {
  readonly since: number
  readonly until: number
  readonly days: number
  /** The other one is not over, so this one ends at the same time of day. */
  readonly isCut: boolean
}

/**
 * What a span is compared with: as many days right before it, and where it lasts until today up to this time of day
 * only (`isCut`); undefined where it has no beginning or has not begun.
 * @param now ms
 */
export const previousSpan = (
  { since, until, firstDay, lastDay, today }: Span,
  timeZone: string,
  now: number,
): PreviousSpan | undefined => {
  if (firstDay === undefined || since === undefined || firstDay > lastDay) return undefined
  const before = spanBefore({ since, ...(until === undefined ? {} : { until }) }, timeZone, now)
  return before && { ...before, days: lastDay - firstDay + 1, isCut: lastDay === today }
}
