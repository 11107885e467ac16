/** The live sessions of a store. Of a session that was not written to since it was last asked about nothing is read again. */
import { allInput, sessionModel } from '../context/session-model.ts'
import { assertObject } from '../input.ts'
import type { ModelCatalog } from '../models/model-catalog.ts'
import type { Clock } from '../ports/clock.ts'
import type { SessionStorage, SessionSummary } from '../ports/session-storage.ts'
import type { UsageStorage } from '../ports/usage-storage.ts'
import type { EntryKind, LogEntry } from '../session-log.ts'
import { budgetsOf } from './create-spending.ts'
import { activityOf } from './live-activity.ts'
import { cacheOf, contextOf, rateOf } from './live-state.ts'
import { LIVE_MS, type LiveQuery, type LiveSession, type LiveSessions } from './live.ts'
import type { MonthlyBudget } from './spending.ts'

export interface LiveDeps {
  readonly sessions: Pick<SessionStorage, 'list' | 'read'>
  readonly usage: Pick<UsageStorage, 'report' | 'requests'>
  readonly clock: Clock
}

/** What does not change until the session is written to. */
type LiveFigures = Pick<LiveSession, 'model' | 'context' | 'costNanoPerHour' | 'activity' | 'cache'>

/** More sessions are not at work at the same time. */
const MOST_SESSIONS = 200
/** Clocks of other machines may be ahead by so much, ms. */
const CLOCK_SKEW_MS = 60_000
/** Entries at the end of a log that tell what it is doing: parallel calls and their results are among them. */
const LAST_ENTRIES = 60
const KINDS: readonly EntryKind[] = ['message', 'model', 'compaction']
/** Requests at the end that tell context, cache and rate: more than are made in half an hour. */
const LAST_REQUESTS = 300

/**
 * A function that gives a store's live sessions (written to in the last 10 minutes, or up to a minute ahead), at most
 * 200, the latest first, each with its month's budget, null without one. It keeps the figures of a session until that
 * is written to. It rejects as the store does; where there are budgets, with `invalid-input` for one of `limitsOf` that
 * is not above 0 USD, and with `usage` for an unknown time zone.
 */
export const createLive = (deps: LiveDeps): ((query?: LiveQuery) => Promise<LiveSessions>) => {
  const { sessions, clock } = deps
  const known = new Map<string, { readonly session: SessionSummary; readonly figures: LiveFigures }>()
  let loading: Promise<ModelCatalog> | undefined
  const catalog = (): Promise<ModelCatalog> =>
    (loading ??= import('../models/model-catalog.ts').then(({ createModelCatalog }) => createModelCatalog()))

  /** The figures of a session; those of before if it was not written to since. */
  const figuresOf = async (session: SessionSummary): Promise<LiveFigures> => {
    const before = known.get(session.id)
    if (before !== undefined && factsOf(before.session) === factsOf(session)) return before.figures
    const figures = await readFigures(deps, await catalog(), session)
    known.set(session.id, { session, figures })
    return figures
  }
  return async (query = {}) => {
    assertObject(query, 'What live sessions are asked by')
    const { limitsOf, timeZone = 'UTC', ...which } = query
    const now = clock.now()
    const page = await sessions.list({ ...which, since: now - LIVE_MS, sort: 'updated', limit: MOST_SESSIONS })
    const live = page.sessions.filter((session) => isLive(session, now))
    const found: (LiveFigures & { readonly session: SessionSummary })[] = []
    for (const session of live) found.push({ session, ...(await figuresOf(session)) })
    // Not those that this query leaves out: another one may ask about them.
    for (const [id, { session }] of known) if (!isLive(session, now)) known.delete(id)
    const projects = new Set(live.flatMap(({ workspace }) => (workspace === null ? [] : [workspace])))
    const limits = live.length === 0 ? [] : (limitsOf?.([...projects]) ?? [])
    const budgets = await budgetsOf(deps, { limits, timeZone })
    return {
      now,
      sessions: found.map((each) => ({ ...each, budget: budgetOf(each.session, budgets) })),
    }
  }
}

const isLive = ({ updatedAt }: SessionSummary, now: number): boolean =>
  updatedAt !== null && updatedAt > now - LIVE_MS && updatedAt <= now + CLOCK_SKEW_MS

/** A text that changes when anything does that a session's figures follow from. */
const factsOf = ({ entries, requests, costNano, updatedAt }: SessionSummary): string =>
  [entries, requests, costNano, updatedAt].join(' ')

/** The budget of a session's project, else that of all projects; null where neither is set. */
const budgetOf = ({ workspace }: SessionSummary, budgets: readonly MonthlyBudget[]): MonthlyBudget | null =>
  budgets.find(({ project }) => project !== null && project === workspace) ??
  budgets.find(({ project }) => project === null) ??
  null

const isMain = ({ subagent }: { readonly subagent: string | null }): boolean => subagent === null

/**
 * A session's figures from its last entries and requests. All requests are read if none of the last are of the main
 * conversation; context is null after a compaction.
 */
const readFigures = async (
  { sessions, usage }: Pick<LiveDeps, 'sessions' | 'usage'>,
  catalog: ModelCatalog,
  { id, entries }: SessionSummary,
): Promise<LiveFigures> => {
  const lastEntries = await sessions.read(id, { fromSeq: Math.max(0, entries - LAST_ENTRIES), kinds: KINDS })
  let requests = await usage.requests(id, { last: LAST_REQUESTS })
  // The main conversation may have waited for subagents all the while.
  if (requests.length === LAST_REQUESTS && !requests.some((each) => isMain(each) && allInput(each) > 0))
    requests = await usage.requests(id)
  const found = sessionModel(lastEntries, requests)
  const facts = catalog.facts(found.model ?? '', found.newest?.provider ?? undefined)
  return {
    model: found.model ?? null,
    context: isCompactedAfter(lastEntries, found.newest?.at ?? null) ? null : contextOf(found, facts),
    costNanoPerHour: rateOf(requests),
    activity: activityOf(lastEntries),
    cache: cacheOf(found.newest, requests.filter(isMain), facts),
  }
}

/**
 * Whether the context was compacted after the newest request (`at`, ms), so that its size is not known. False where
 * that time is not known.
 */
const isCompactedAfter = (lastEntries: readonly LogEntry[], at: number | null): boolean =>
  lastEntries.some(
    (entry) => entry.kind === 'compaction' && entry.partial !== true && at !== null && (entry.at ?? at) > at,
  )
