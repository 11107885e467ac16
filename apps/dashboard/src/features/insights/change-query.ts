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
 * undefined if there is no period before. Rejects as the store does.
 * @param now ms
 */
export const selectionChange = async (
  { sessions }: Pick<Store, 'sessions'>,
  insights: Pick<Insights, 'change'>,
  selection: SelectionInput,
  now: number,
): Promise<SelectionChange | undefined> => {
  const { query, span } = selectedUsage(selection, now)
  const { since, until, filter } = query
  const before = previousSpan(span, selection.timeZone, now)
  if (before === undefined || since === undefined) return undefined
  const change = await insights.change({
    now: { since, ...(until === undefined ? {} : { until }) },
    before: { since: before.since, until: before.until },
    ...(filter === undefined ? {} : { filter }),
  })
  const titles = new Map<string, string>()
  for (const { key } of change.by.session.movers) {
    const title = (await sessions.get(key))?.title ?? ''
    if (title.trim() !== '') titles.set(key, title)
  }
  return { change, days: before.days, titles }
}
