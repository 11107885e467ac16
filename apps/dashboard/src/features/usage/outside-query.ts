/** What a period leaves out: requests before it, and between its end and tomorrow, that pass the same filters. */
import type { UsageStorage } from '@cairn/core'
import { daysText } from '../overview/time-axis.ts'
import { dayStart } from '../selection/period.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { counted } from './figure.ts'

/** How many requests a selection's days leave out. */
export interface OutsideUsage {
  readonly before: number
  /** Up to today: requests with a time in the future are told of elsewhere. */
  readonly after: number
  /** `1,204 requests before Oct 24, 2026`; null where nothing is left out. */
  readonly text: string | null
}

/**
 * Returns how many requests a selection's span of days leaves out before and after it; zero at an end that is open.
 * Those with a time after today don't count. Rejects as the report does.
 * @param now ms
 * @throws CairnError `usage` for an unknown zone
 */
export const outsideUsage = async (
  usage: Pick<UsageStorage, 'report'>,
  selection: SelectionInput,
  now: number,
): Promise<OutsideUsage> => {
  const { query, span } = selectedUsage(selection, now)
  const { since, until, ...anyTime } = query
  const tomorrow = dayStart(selection.timeZone, span.today + 1)
  const requestsOf = async (range: { readonly since?: number; readonly until: number }): Promise<number> =>
    (await usage.report({ ...anyTime, ...range, by: 'agent', limit: 1 })).total.requests
  const before = since === undefined ? 0 : await requestsOf({ until: since })
  const after = until === undefined || until >= tomorrow ? 0 : await requestsOf({ since: until, until: tomorrow })
  const parts = [
    ...(before === 0 || span.firstDay === undefined
      ? []
      : [`${counted(before, 'request')} before ${daysText(span.firstDay, span.firstDay)}`]),
    ...(after === 0 ? [] : [`${counted(after, 'request')} after ${daysText(span.lastDay, span.lastDay)}`]),
  ]
  return { before, after, text: parts.length === 0 ? null : parts.join(', ') }
}
