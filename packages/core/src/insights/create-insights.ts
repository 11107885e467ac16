/** Insights over the sessions and requests of a store. */
import { assertBound, assertObject, assertTextOrAbsent } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { StateStorage } from '../ports/state-storage.ts'
import type { UsageQuery, UsageStorage } from '../ports/usage-storage.ts'
import type { Insights } from './insights.ts'
import { keepLeaks, keptLeaks } from './kept-leaks.ts'
import { createLeakReport } from './leak-report.ts'
import type { LeakQuery, LeakReport } from './leaks.ts'
import { findSessionLeaks, type SessionLeaks } from './session-leaks.ts'

export interface InsightDeps {
  readonly sessions: Pick<SessionStorage, 'get' | 'read'>
  readonly usage: Pick<UsageStorage, 'report' | 'requests'>
  readonly state: Pick<StateStorage, 'get' | 'set'>
  /** Loaded when a session's leaks are not kept yet. */
  readonly priceBook: () => Promise<PriceBook>
  readonly clock: Clock
}

/** Makes the insights of a store; nothing is read before the first call. */
export const createInsights = (deps: InsightDeps): Insights => ({
  leaks: async (query = {}) => {
    assertLeakQuery(query)
    return leaksOf(deps, query)
  },
})

/** @throws CairnError `invalid-input`, naming the field and what it must be */
const assertLeakQuery = (query: LeakQuery): void => {
  assertObject(query, 'What leaks are asked by')
  assertBound(query.since, 'The time from which on leaks count')
  assertBound(query.until, 'The time before which leaks count')
  assertTextOrAbsent(query.workspace, 'The project that leaks are of')
  assertTextOrAbsent(query.sessionId, 'The session that leaks are of')
}

const leaksOf = async (deps: InsightDeps, query: LeakQuery): Promise<LeakReport> => {
  const { rows, total } = await deps.usage.report(usageQuery(query))
  const report = createLeakReport(query)
  for (const { key } of rows) {
    const leaks = await sessionLeaks(deps, key)
    if (leaks !== undefined) report.add(key, leaks)
  }
  return report.report(total)
}

const usageQuery = ({ since, until, workspace, sessionId }: LeakQuery): UsageQuery => ({
  by: 'session',
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
  filter: {
    ...(workspace === undefined ? {} : { workspace }),
    ...(sessionId === undefined ? {} : { session: sessionId }),
  },
})

/** The leaks of a session, kept or found; undefined when it is gone meanwhile. */
const sessionLeaks = async (
  { sessions, usage, state, priceBook, clock }: InsightDeps,
  sessionId: string,
): Promise<SessionLeaks | undefined> => {
  const session = await sessions.get(sessionId)
  if (session === undefined) return undefined
  const kept = await keptLeaks(state, session)
  if (kept !== undefined) return kept
  const [entries, requests] = [await sessions.read(sessionId), await usage.requests(sessionId)]
  const found = findSessionLeaks(entries, requests, await priceBook(), clock.now())
  await keepLeaks(state, session, found)
  return found
}
