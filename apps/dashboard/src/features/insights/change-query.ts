/** What moved the cost of a selection against the time before, with the titles of sessions. */
import 'server-only'
import type { Store } from '@cairn/core'
import type { CostChange, Insights } from '@cairn/core/insights'
import { previousSpan } from '../selection/period.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'

/** How the cost of a selection changed. */
export interface SelectionChange {
  readonly change: CostChange
  readonly days: number
  /** Of the sessions that moved it, by id. */
  readonly titles: ReadonlyMap<string, string>
}

/**
 * Returns how the selection's cost changed against the period before, with the titles of the sessions that moved it;
 * undefined if there is no period before. Without a request in it nothing is said to have moved: it would be every session,
 * and is not shown. Rejects as the store does.
 * @param at the time of now, ms
 */
export const selectionChange = async (
  { sessions }: Pick<Store, 'sessions'>,
  insights: Pick<Insights, 'change'>,
  selection: SelectionInput,
  at: number,
): Promise<SelectionChange | undefined> => {
  const { query, span } = selectedUsage(selection, at)
  const { since, until, filter } = query
  const before = previousSpan(span, selection.timeZone, at)
  if (before === undefined || since === undefined) return undefined
  const filtered = filter === undefined ? {} : { filter }
  const then = { since: before.since, until: before.until }
  const now = { since, ...(until === undefined ? {} : { until }) }
  const change = await insights.change({ now, before: then, ...filtered, onlyIfBefore: true })
  const { movers } = change.by.session
  const titles = await Promise.all(
    movers.map(async ({ key }) => [key, (await sessions.get(key))?.title ?? ''] as const),
  )
  return { change, days: before.days, titles: new Map(titles.filter(([, title]) => title.trim() !== '')) }
}
