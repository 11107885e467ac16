/** What a span of time is compared with: one as long, right before it. */
import { DAY_MS, localDayOf, offsetAt, startOfLocalDay } from '../usage/calendar.ts'
import { instantOfLocal } from '../usage/parse-time.ts'

/** ms; `since` is in it, `until` is not. */
export interface TimeSpan {
  readonly since: number
  readonly until: number
}

/**
 * The span that one is compared with. That before one of whole local days has as many days; where it lasts until now or
 * beyond, it ends at the same time of day. Any other is as long in ms, and ends where it begins. Undefined for one that
 * has not begun, or is empty.
 * @param until absent: until now
 * @param timeZone IANA name
 */
export const spanBefore = (
  { since, until }: { readonly since: number; readonly until?: number },
  timeZone: string,
  now: number,
): TimeSpan | undefined => {
  if (since >= Math.min(until ?? now, now)) return undefined
  const dayOf = (at: number): number => localDayOf(at, offsetAt(timeZone, at))
  const isDayStart = (at: number): boolean => startOfLocalDay(timeZone, dayOf(at)) === at
  const isCut = until === undefined || until > now
  if (isDayStart(since) && (isCut || isDayStart(until))) {
    const first = dayOf(since)
    const days = (isCut ? dayOf(now) + 1 : dayOf(until)) - first
    return {
      since: startOfLocalDay(timeZone, first - days),
      // By the clock: it may have been changed in between.
      until: isCut ? Math.min(since, instantOfLocal(timeZone, now + offsetAt(timeZone, now) - days * DAY_MS)) : since,
    }
  }
  const length = (isCut ? now : until) - since
  return { since: since - length, until: since }
}
