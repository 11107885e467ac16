/** Where each of the spans of time that the overview offers begins. */
import { DAY_MS, assertTimeZone, parseTime, periodKey, zoneOffsets } from '@cairn/core'
import type { Period } from './selection.ts'

/** Days of each; today is the last of them. */
const DAYS: Readonly<Record<Period, number | undefined>> = { '7d': 7, '30d': 30, '90d': 90, all: undefined }

/** The day (days since 1970-01-01) that it is in a zone at an instant (ms). */
export const localDay = (timeZone: string, at: number): number => Math.floor((at + (zoneOffsets(timeZone, at, at)[0]?.offsetMs ?? 0)) / DAY_MS)

/**
 * First day of a period and the instant (ms) at which that day begins in the zone; undefined for all of time.
 * @throws CairnError `usage` for an unknown zone.
 */
export const periodStart = (period: Period, timeZone: string, now: number): { readonly day: number; readonly at: number } | undefined => {
  assertTimeZone(timeZone)
  const days = DAYS[period]
  if (days === undefined) return undefined
  const day = localDay(timeZone, now) - days + 1
  return { day, at: parseTime(periodKey('day', day), timeZone, 'since', now) }
}
