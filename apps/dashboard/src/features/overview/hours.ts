/** A single day by its hours. */
import type { UsageStorage, UsageTotals } from '@cairn/core'
import type { SelectedUsage } from '../selection/selection-input.ts'

/** The usage of one hour. */
export interface HourSum {
  /** ms. */
  readonly at: number
  /** Its end, ms; an hour is shorter where clocks are changed by half of one. */
  readonly until: number
  readonly totals: UsageTotals
}

const HOUR_MS = 3_600_000

/**
 * Returns the sums of each hour from `since` to `until` (ms), in order; the last may be shorter. They add up to those
 * of the whole. Rejects as the report does.
 */
export const hourSums = async (
  usage: Pick<UsageStorage, 'report'>,
  query: SelectedUsage,
  since: number,
  until: number,
): Promise<readonly HourSum[]> => {
  const hours: { readonly at: number; readonly until: number }[] = []
  for (let at = since; at < until; at += HOUR_MS) hours.push({ at, until: Math.min(until, at + HOUR_MS) })
  return Promise.all(
    hours.map(async (hour) => {
      const { total } = await usage.report({ ...query, by: 'agent', since: hour.at, until: hour.until, limit: 1 })
      return { ...hour, totals: total }
    }),
  )
}

/**
 * Returns a time (ms) as `14:00` in a zone.
 * @throws RangeError for an unknown zone
 */
export const hourText = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(at)
