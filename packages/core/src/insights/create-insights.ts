/** Insights over the sessions and requests of a store. */
import { assertBound, assertObject, assertTextOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { SessionStorage, SessionSummary } from '../ports/session-storage.ts'
import type { StateStorage } from '../ports/state-storage.ts'
import type { UsageQuery, UsageStorage } from '../ports/usage-storage.ts'
import type { Insights } from './insights.ts'
import { budgetsOf, spendingOf } from './create-spending.ts'
import { activeDaysOf } from './active-days.ts'
import { commitCostsOf } from './commit-costs.ts'
import { costChangeOf } from './cost-change.ts'
import { factsOf, keepLeaks, keptLeaks } from './kept-leaks.ts'
import { createLeakReport } from './leak-report.ts'
import type { LeakQuery } from './leaks.ts'
import { createLive } from './create-live.ts'
import { paidOf } from './create-paid.ts'
import { usageFilter } from './project-filter.ts'
import { createOutlines } from './create-outlines.ts'
import { findSessionLeaks, type SessionLeaks } from './session-leaks.ts'

export interface InsightDeps {
  readonly sessions: Pick<SessionStorage, 'get' | 'list' | 'read'>
  readonly usage: Pick<UsageStorage, 'report' | 'requests' | 'sessionMovers' | 'providerSums'>
  readonly state: Pick<StateStorage, 'get' | 'set'>
  /** Loaded when a session's leaks are not kept yet. */
  readonly priceBook: () => Promise<PriceBook>
  readonly clock: Clock
}

/** Sessions whose leaks stay in memory: a page that follows the store asks again and again. */
const MOST_IN_MEMORY = 5_000

/**
 * Makes the insights of a store; nothing is read before the first call. Each call rejects as the store does, and with
 * `invalid-input` for a wrong query. Leaks of sessions that did not change are not found again.
 */
export const createInsights = (deps: InsightDeps): Insights => {
  const inMemory = new Map<string, { readonly facts: string; readonly leaks: SessionLeaks }>()
  /**
   * The leaks of a session: from memory, from the store, or found now and kept there. Undefined if the session is gone.
   */
  const sessionLeaks = async (sessionId: string): Promise<SessionLeaks | undefined> => {
    const session = await deps.sessions.get(sessionId)
    // It is gone meanwhile.
    if (session === undefined) return undefined
    const facts = factsOf(session)
    const known = inMemory.get(sessionId)
    if (known?.facts === facts) return known.leaks
    const leaks = (await keptLeaks(deps.state, session)) ?? (await findAndKeep(deps, session))
    if (inMemory.size >= MOST_IN_MEMORY) inMemory.clear()
    inMemory.set(sessionId, { facts, leaks })
    return leaks
  }
  return {
    outline: createOutlines(deps),
    live: createLive(deps),
    leaks: async (query = {}) => {
      assertLeakQuery(query)
      const { rows, total } = await deps.usage.report(usageQuery(query))
      const report = createLeakReport(query)
      for (const { key } of rows) {
        const leaks = await sessionLeaks(key)
        if (leaks !== undefined) report.add(key, leaks)
      }
      return report.report(total)
    },
    spending: async (query = {}) => spendingOf(deps, query),
    budgets: async (query) => budgetsOf(deps, query),
    paid: async (query) => paidOf(deps, query),
    activeDays: async (query) => activeDaysOf(deps.usage, query),
    commits: async (query) => commitCostsOf(deps.usage, query),
    change: async (query) => costChangeOf(deps.usage, query),
  }
}

/** @throws CairnError `invalid-input`, naming the field and what it must be */
const assertLeakQuery = (query: LeakQuery): void => {
  assertObject(query, 'What leaks are asked by')
  assertBound(query.since, 'The time from which on leaks count')
  assertBound(query.until, 'The time before which leaks count')
  assertTextOrAbsent(query.workspace, 'The project that leaks are of')
  assertTextOrAbsent(query.sessionId, 'The session that leaks are of')
}

/** The query as one of usage by session; what is not asked for is left out. */
const usageQuery = ({ since, until, sessionId, ...query }: LeakQuery): UsageQuery => ({
  by: 'session',
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
  filter: {
    ...usageFilter(query),
    ...(sessionId === undefined ? {} : { session: sessionId }),
  },
})

/** Finds a session's leaks and stores them, so that they need not be found again. */
const findAndKeep = async (
  { sessions, usage, state, priceBook, clock }: InsightDeps,
  session: SessionSummary,
): Promise<SessionLeaks> => {
  const [entries, requests] = [await sessions.read(session.id), await usage.requests(session.id)]
  const found = findSessionLeaks(entries, requests, await priceBook(), clock.now())
  await keepLeaks(state, session, found)
  return found
}
