/** What moved the cost of a selection against the time before, with the titles of sessions. */
import 'server-only'
import type { Store, UsageTotals } from '@cairn/core'
import type { CostChange, Insights, Movers } from '@cairn/core/insights'
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

const NO_MOVERS: Movers = { movers: [], others: { count: 0, changeNano: 0n } }
const NOTHING_MOVED: CostChange['by'] = { workspace: NO_MOVERS, model: NO_MOVERS, session: NO_MOVERS }

/**
 * Returns how the selection's cost changed against the period before, with the titles of the sessions that moved it;
 * undefined if there is no period before. Without a request in it nothing is said to have moved: it would be every session,
 * and is not shown. Rejects as the store does.
 * @param at the time of now, ms
 */
export const selectionChange = async (
  { sessions, usage }: Pick<Store, 'sessions' | 'usage'>,
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
  const totalOf = async (range: typeof now): Promise<UsageTotals> =>
    (await usage.report({ by: 'agent', limit: 1, ...range, ...filtered })).total
  const earlier = await totalOf(then)
  if (earlier.requests === 0) {
    const current = await totalOf(now)
    const change = { now: current, before: earlier, changeNano: current.costNano, by: NOTHING_MOVED }
    return { change, days: before.days, titles: new Map() }
  }
  const change = await insights.change({ now, before: then, ...filtered })
  const titles = new Map<string, string>()
  for (const { key } of change.by.session.movers) {
    const title = (await sessions.get(key))?.title ?? ''
    if (title.trim() !== '') titles.set(key, title)
  }
  return { change, days: before.days, titles }
}
