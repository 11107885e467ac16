/** The span of time that a selection means, in the days of its zone. */
import { DAY_MS, assertTimeZone, parseTime, periodKey, zoneOffsets } from '@cairn/core'
import { spanBefore } from '@cairn/core/insights'
import type { Period, Selection } from './selection.ts'

/** Days of each, and how many days ago its last one is. */
const DAYS: Readonly<Record<Period, { readonly days: number; readonly ago: number } | undefined>> = {
  today: { days: 1, ago: 0 },
  yesterday: { days: 1, ago: 1 },
  '7d': { days: 7, ago: 0 },
  '30d': { days: 30, ago: 0 },
  '90d': { days: 90, ago: 0 },
  '1y': { days: 365, ago: 0 },
  all: undefined,
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

/** Returns the first and last day; undefined for an open end. */
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
  const preset = DAYS[period]
  return preset === undefined ? [undefined, undefined] : [today - preset.ago - preset.days + 1, today - preset.ago]
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
