/** The leaks of one session. All of its log is read for them, so that those of a long one are not found at each write. */
import type { SessionStorage, SessionSummary } from '@cairn/core'
import type { Insights } from '@cairn/core/insights'
import { leaksView } from './leak-view.ts'
import type { LeaksView } from './leak-view.ts'

/** Entries from which on a session is long. */
const LONG = 2_000
/** How long what was found in a long session stands though it has grown, ms, and at least so many times what it took. */
const LEAST_PAUSE_MS = 10_000
const PAUSE_FACTOR = 20
const MOST_KEPT = 50

/** The leaks of a session, and when they are computed again. */
export interface SessionLeaksView extends LeaksView {
  /** The session has grown since: after so many ms its leaks are found again. Null: they are of all of it. */
  readonly againInMs: number | null
}

/** What was found in a session, and of which state of it. */
interface Found {
  readonly facts: string
  readonly view: LeaksView
  /** ms. */
  readonly nextAt: number
}

/** Returns a text that changes whenever the session does. */
const factsOf = ({ entries, requests, costNano }: SessionSummary): string => [entries, requests, costNano].join(' ')

/**
 * Returns a function that finds the leaks of a session; it rejects as the store does. Only a long session (of `LONG`
 * entries or more) that has changed since its last answer has that one for a while; `againInMs` is then the time until
 * it is found anew, null if it was just found. Short sessions and unchanged ones are always found anew.
 * @param now ms, of a clock that never goes back
 */
export const createSessionLeaks = (now: () => number = () => performance.now()) => {
  const kept = new Map<string, Found>()
  let store: Pick<SessionStorage, 'get'> | undefined
  return async (
    sessions: Pick<SessionStorage, 'get'>,
    insights: Pick<Insights, 'leaks'>,
    id: string,
  ): Promise<SessionLeaksView> => {
    // Another store may have another session of this id.
    if (store !== sessions) kept.clear()
    store = sessions
    const find = async (): Promise<LeaksView> => leaksView(await insights.leaks({ sessionId: id }))
    const session = await sessions.get(id)
    if (session === undefined || session.entries < LONG) return { ...(await find()), againInMs: null }
    const facts = factsOf(session)
    const before = kept.get(id)
    const begin = now()
    if (before !== undefined && before.facts !== facts && begin < before.nextAt)
      return { ...before.view, againInMs: Math.ceil(before.nextAt - begin) }
    const view = await find()
    const end = now()
    kept.delete(id)
    kept.set(id, { facts, view, nextAt: end + Math.max(LEAST_PAUSE_MS, PAUSE_FACTOR * (end - begin)) })
    const oldest = kept.keys().next().value
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    return { ...view, againInMs: null }
  }
}
