/** Where there is something to see when a period has nothing: the shortest offered span of time that holds the latest request. */
import { DAY_MS } from '@cairn/core'
import type { UsageStorage } from '@cairn/core'
import { dayStart, localDay, spanOf } from '../selection/period.ts'
import { PERIODS } from '../selection/selection.ts'
import type { Period } from '../selection/selection.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'

/** When something was used last. */
export interface LatestUsage {
  /** Null where no request passes the filters at any time. */
  readonly period: Period | null
  /** The last day with a request, `2026-01-31`; null where none is known. */
  readonly day: string | null
}

/** Spans that end today, shortest first; a month is as long as it happens to be. */
const UNTIL_TODAY = PERIODS.filter((period) => !['yesterday', 'month', 'last-month'].includes(period))

/**
 * The shortest of the usual periods that has the latest usage, and its day; `period` is null where nothing was ever
 * used, `all` where only requests with a time in the future, or none, are there. The filters of the selection count,
 * its span of time does not.
 * @param now ms
 */
export const latestUsage = async (
  usage: Pick<UsageStorage, 'report'>,
  selection: SelectionInput,
  now: number,
): Promise<LatestUsage> => {
  const { timeZone } = selection
  const { since: _since, until: _until, ...anyTime } = selectedUsage(selection, now).query
  const tomorrow = dayStart(timeZone, localDay(timeZone, now) + 1)
  const [row] = (await usage.report({ ...anyTime, by: 'day', until: tomorrow, limit: 1 })).rows
  if (row === undefined) {
    const { total } = await usage.report({ ...anyTime, by: 'agent', limit: 1 })
    return { period: total.requests === 0 ? null : 'all', day: null }
  }
  const day = Date.parse(`${row.key}T00:00:00Z`) / DAY_MS
  const holds = (period: Period): boolean => {
    const { firstDay } = spanOf({ period, from: undefined, to: undefined }, timeZone, now)
    return firstDay === undefined || firstDay <= day
  }
  return { period: UNTIL_TODAY.find(holds) ?? 'all', day: row.key }
}
