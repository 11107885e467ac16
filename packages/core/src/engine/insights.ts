/** The engine's part that shows where money is spent and wasted; loaded on first use. */
import type { Insights } from '../insights/insights.ts'
import type { Clock } from '../ports/clock.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { Store } from '../ports/store.ts'
import { lazy } from './lazy.ts'

/** The insights of a store, loaded at the first call. */
export const engineInsights = (
  { sessions, usage, state }: Pick<Store, 'sessions' | 'usage' | 'state'>,
  clock: Clock,
  priceBook: () => Promise<PriceBook>,
): Insights =>
  lazy<Insights>(
    {
      leaks: true,
      outline: true,
      live: true,
      spending: true,
      budgets: true,
      paid: true,
      activeDays: true,
      commits: true,
      change: true,
    },
    async () =>
      (await import('../insights/create-insights.ts')).createInsights({ sessions, usage, state, priceBook, clock }),
  )
