/** The span of time that a selection means, in the days of its zone. */
import { DAY_MS, assertTimeZone, parseTime, periodKey, zoneOffsets } from '@cairn/core'
import type { Period, Selection } from './selection.ts'

/** Days of each; today is the last of them. */
const DAYS: Readonly<Record<Period, number | undefined>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: undefined }

/** Instants in ms, the end not included; days since 1970-01-01. Undefined where open. */
export interface Span {
  readonly since: number | undefined
  readonly until: number | undefined
  readonly firstDay: number | undefined
  /** Where an axis ends: the last day, but not after today. */
  readonly lastDay: number
}

/** The day (days since 1970-01-01) that it is in a zone at an instant (ms). */
export const localDay = (timeZone: string, at: number): number => Math.floor((at + (zoneOffsets(timeZone, at, at)[0]?.offsetMs ?? 0)) / DAY_MS)

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

/**
 * @param now ms
 * @throws CairnError `usage` for an unknown zone.
 */
export const spanOf = ({ period, from, to }: Pick<Selection, 'period' | 'from' | 'to'>, timeZone: string, now: number): Span => {
  assertTimeZone(timeZone)
  const today = localDay(timeZone, now)
  if (from !== undefined || to !== undefined) {
    return {
      since: from === undefined ? undefined : parseTime(from, timeZone, 'since', now),
      until: to === undefined ? undefined : parseTime(to, timeZone, 'until', now),
      firstDay: from === undefined ? undefined : dayNumber(from),
      lastDay: to === undefined ? today : Math.min(today, dayNumber(to)),
    }
  }
  const days = DAYS[period]
  const firstDay = days === undefined ? undefined : today - days + 1
  return { since: firstDay === undefined ? undefined : parseTime(periodKey('day', firstDay), timeZone, 'since', now), until: undefined, firstDay, lastDay: today }
}
