/** Live sessions as the page shows them; what the passing of time changes is left to the page. */
import { formatUsd } from '@cairn/core'
import type { SessionSummary } from '@cairn/core'
import type { LiveActivity, LiveCache, LiveContext, LiveSession, LiveSessions } from '@cairn/core/insights'
import { budgetFigures } from '../insights/budget-view.ts'
import type { BudgetFigures } from '../insights/budget-view.ts'
import { sessionRow } from '../sessions/session-row.ts'
import type { ProjectNames } from '../usage/project-names.ts'
import type { SessionRow } from '../sessions/session-row.ts'
import { compactCount } from '../usage/figure.ts'

/** How full a context is: from 60 % on it fills up, from 85 % on it is nearly full. */
export type Fill = 'ok' | 'filling' | 'full'

/** How full a session's context is, as the page shows it. */
export interface ContextView {
  /** Of the window, 0 to 1; what is beyond it counts as 1. */
  readonly share: number
  readonly percent: string
  /** `50K of 200K tokens`. */
  readonly text: string
  readonly fill: Fill
  /** How the window is known, where it is not the model's own; '' where it is. */
  readonly note: string
}

/** A live session, as the page shows it. */
export interface NowSession extends Pick<
  SessionRow,
  'id' | 'title' | 'agent' | 'project' | 'workspace' | 'branch' | 'requests' | 'cost'
> {
  /** ms. */
  readonly updatedAt: number
  /** `unknown model` where none is known. */
  readonly model: string
  readonly context: ContextView | null
  /** What an hour costs; `–` where nothing tells it. */
  readonly anHour: string
  readonly activity: LiveActivity | null
  readonly cache: (LiveCache & { readonly text: string }) | null
  readonly budget: BudgetFigures | null
}

/** The live sessions. */
export interface NowView {
  /** The server's time that this is of, ms. */
  readonly now: number
  readonly sessions: readonly NowSession[]
  /** What was active last; null where a session is at work, or none has a time. */
  readonly latest: LatestSession | null
}

/** The session that was active last. */
interface LatestSession {
  readonly id: string
  readonly title: string
  /** ms. */
  readonly updatedAt: number
}

const FILLING = 0.6
const FULL = 0.85

const WINDOW_NOTES: Readonly<Record<LiveContext['windowFrom'], string>> = {
  given: '',
  model: '',
  recorded: 'the window is a guess: more was sent than is known of the model',
  assumed: 'the window is a guess: nothing is known of the model',
}

/** Returns how full a context is: `share` is at most 1, `percent` may be above 100. */
const contextView = ({ tokens, window, windowFrom }: LiveContext): ContextView => {
  const share = tokens / window
  return {
    share: Math.min(1, share),
    percent: `${Math.round(share * 100)} %`,
    text: `${compactCount(tokens)} of ${compactCount(window)} tokens`,
    fill: share < FILLING ? 'ok' : share < FULL ? 'filling' : 'full',
    note: WINDOW_NOTES[windowFrom],
  }
}

/**
 * Returns a live session as the page shows it: "–" for a cost an hour that is not known, null for an unknown context,
 * cache or budget. @throws Error if it has no time
 */
const nowSession = (
  { session, model, context, costNanoPerHour, activity, cache, budget }: LiveSession,
  names: ProjectNames | undefined,
): NowSession => {
  const { id, title, agent, project, workspace, branch, requests, cost, updatedAt } = sessionRow(session, names)
  if (updatedAt === null) throw new Error('a live session has a time')
  return {
    ...{ id, title, agent, project, workspace, branch, requests, cost, updatedAt, activity },
    model: model ?? 'unknown model',
    context: context === null ? null : contextView(context),
    anHour: costNanoPerHour === null ? '–' : formatUsd(costNanoPerHour),
    cache: cache === null ? null : { ...cache, text: `${compactCount(cache.tokens)} tokens` },
    budget: budget === null ? null : budgetFigures(budget),
  }
}

/**
 * Returns the live sessions, the last begun first: an order that does not change as they are written to.
 * @param newest the session that was active last, for where none is live
 */
export const nowView = ({ now, sessions }: LiveSessions, names?: ProjectNames, newest?: SessionSummary): NowView => ({
  now,
  latest: sessions.length > 0 || newest === undefined ? null : latestSession(newest),
  sessions: sessions
    .toSorted(({ session: left }, { session: right }) => begin(right) - begin(left) || (left.id < right.id ? -1 : 1))
    .map((session) => nowSession(session, names)),
})

/** Returns a session with when it was active; null where that is not known. */
const latestSession = (session: SessionSummary): LatestSession | null => {
  const { id, title, updatedAt } = sessionRow(session)
  return updatedAt === null ? null : { id, title, updatedAt }
}

/** Returns when a session began, ms; 0 if that is not known. */
const begin = ({ startedAt, updatedAt }: SessionSummary): number => startedAt ?? updatedAt ?? 0
