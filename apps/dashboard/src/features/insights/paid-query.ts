/**
 * What is paid for the selected requests, by the subscriptions and discounts that settings name. All of these requests are
 * read for it, so that what took long is not done again at each write.
 */
import type { Store } from '@cairn/core'
import type { Insights, ProjectPlans } from '@cairn/core/insights'
import type { SelectedUsage } from '../selection/selection-input.ts'
import { paidView } from './paid-view.ts'
import type { PaidView } from './paid-view.ts'

/** What is paid for a selection, and whether that is of an earlier moment. */
export interface PaidAnswer {
  /** Null where no subscription or discount is set. */
  readonly view: PaidView | null
  /** It was found before, and may have changed since: after so many ms it is found again. Null: it is as of now. */
  readonly againInMs: number | null
}

/** What took so long is kept, ms, for so many times what it took. */
const LONG_MS = 250
const PAUSE_FACTOR = 20
const MOST_KEPT = 50

interface Found {
  readonly view: PaidView | null
  /** ms. */
  readonly nextAt: number
}

/** What a selection is told apart by, with its plans: changed settings count at once. */
const keyOf = ({ since, until, timeZone, filter }: SelectedUsage, plans: readonly ProjectPlans[]): string =>
  JSON.stringify([since, until, timeZone, filter, plans], (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

/**
 * Returns a function that gives what is paid for a selection; it rejects as the store does. An answer that took long is
 * given again for a while: `againInMs` is the time until it is found anew, null if it was just found. `view` is null
 * without plans.
 */
export const createPaid = (
  plansOf: (projects: readonly string[]) => readonly ProjectPlans[],
  now: () => number = () => performance.now(),
) => {
  // Of each store as somebody sees it.
  const kept = new WeakMap<object, Map<string, Found>>()
  return async (
    usage: Pick<Store['usage'], 'report'>,
    insights: Pick<Insights, 'paid'>,
    query: SelectedUsage,
  ): Promise<PaidAnswer> => {
    const project = query.filter?.project
    const { rows } = await usage.report({ by: 'workspace', ...(project === undefined ? {} : { filter: { project } }) })
    const plans = plansOf(rows.map(({ key }) => key))
    if (plans.length === 0) return { view: null, againInMs: null }
    const ofStore = kept.get(usage) ?? new Map<string, Found>()
    kept.set(usage, ofStore)
    const key = keyOf(query, plans)
    const before = ofStore.get(key)
    const begin = now()
    if (before !== undefined && begin < before.nextAt)
      return { view: before.view, againInMs: Math.ceil(before.nextAt - begin) }
    const view = paidView(await insights.paid({ ...query, plans }))
    const end = now()
    ofStore.delete(key)
    if (end - begin >= LONG_MS) ofStore.set(key, { view, nextAt: end + PAUSE_FACTOR * (end - begin) })
    const oldest = ofStore.keys().next().value
    if (ofStore.size > MOST_KEPT && oldest !== undefined) ofStore.delete(oldest)
    return { view, againInMs: null }
  }
}
