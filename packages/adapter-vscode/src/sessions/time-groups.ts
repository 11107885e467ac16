/** The groups of a list by time: today, yesterday, this week, …, from the newest to the oldest. */
import { DAY_MS, parseTime, periodKey, zoneOffsets } from '@cairn/core'
import { CLOCKS_DIFFER_MS } from '../text/format.ts'

/** Sessions of one span of time. */
export interface TimeGroup {
  readonly key: string
  readonly label: string
  /** Sessions changed at or after this time (ms) belong to this group or a newer one. Undefined: all that are left. */
  readonly since: number | undefined
  /** Times in the future, by a wrong clock; not unfolded at first. */
  readonly isFuture?: true
}

/** Returns the number of a day in a zone, counted from 1970-01-01; `at` in ms. */
const dayOf = (timeZone: string, at: number): number =>
  Math.floor((at + (zoneOffsets(timeZone, at, at)[0]?.offsetMs ?? 0)) / DAY_MS)

/**
 * Returns the groups for a time zone, the newest first: from the future to everything older. Each starts at `since` (ms;
 * the last has none) and ends where the group before it starts; weeks begin on Monday. Groups that would be empty by
 * definition are left out.
 */
export const timeGroups = (timeZone: string, now: number): readonly TimeGroup[] => {
  const startOf = (day: number): number => parseTime(periodKey('day', day), timeZone, 'since', now)
  const today = dayOf(timeZone, now)
  // 1970-01-01 was a Thursday.
  const monday = today - ((today + 3) % 7)
  const groups: { readonly key: string; readonly label: string; readonly day: number }[] = [
    { key: 'today', label: 'Today', day: today },
    { key: 'yesterday', label: 'Yesterday', day: today - 1 },
    { key: 'week', label: 'This week', day: monday },
    { key: 'last-week', label: 'Last week', day: monday - 7 },
    { key: 'month', label: 'Last 30 days', day: today - 30 },
    { key: 'quarter', label: 'Last 90 days', day: today - 90 },
  ]
  const ranges: TimeGroup[] = [{ key: 'future', label: 'In the future', since: now + CLOCKS_DIFFER_MS, isFuture: true }]
  let oldest = Number.POSITIVE_INFINITY
  for (const { key, label, day } of groups) {
    // On a Monday or Tuesday the group "this week" would be empty.
    if (day >= oldest) continue
    oldest = day
    ranges.push({ key, label, since: startOf(day) })
  }
  return [...ranges, { key: 'older', label: 'Older', since: undefined }]
}
