/** How full the context of the session is that works in the window's projects now. */
import { usedTokens } from '@cairn/core'
import type { ModelFacts, SessionSummary, Store, StoredRequest } from '@cairn/core'
import { contextSession } from '../context-files/context-session.ts'
import { sessionTitle } from '../sessions/session-label.ts'
import { ageText } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { countText } from './figures.ts'
import { escapeMarkdown } from './status-item.ts'
import type { StatusItem } from './status-item.ts'

export interface ContextGauge {
  readonly session: SessionSummary
  readonly model: string
  /** After the last request: its input and its reply. */
  readonly tokens: number
  /** Undefined where the model's window is not known, or the agent has plainly a larger one. */
  readonly window: number | undefined
  /** Of the last request, ms. */
  readonly at: number
}

export interface GaugeDeps {
  readonly store: Pick<Store, 'sessions' | 'usage'>
  /** The window's projects, as the store names them. */
  readonly projects: readonly string[]
  readonly factsOf: (model: string, provider: string | undefined) => Pick<ModelFacts, 'contextWindow' | 'known'>
  /** ms */
  readonly now: number
}

/** A session that said nothing for longer is not at work any more, ms. */
export const LIVE_MS = 30 * 60_000
/** From this share on it is shown as a warning. */
const NEARLY_FULL = 0.85

/** The session that was active last in the projects, while it is at work; undefined for none. */
export const liveSession = async (
  { sessions }: Pick<Store, 'sessions'>,
  projects: readonly string[],
  now: number,
): Promise<SessionSummary | undefined> => {
  const session = await contextSession(sessions, projects, undefined)
  const at = session?.updatedAt ?? null
  return at === null || now - at > LIVE_MS ? undefined : session
}

/** The newest request of the conversation itself; requests of subagents have contexts of their own. */
const lastRequest = (requests: readonly StoredRequest[]): (StoredRequest & { readonly at: number }) | undefined =>
  requests.findLast(
    (request): request is StoredRequest & { readonly at: number } => request.subagent === null && request.at !== null,
  )

/** The gauge; undefined without a session at work, and before its first request. Rejects as the store does. */
export const readGauge = async ({ store, projects, factsOf, now }: GaugeDeps): Promise<ContextGauge | undefined> => {
  const session = await liveSession(store, projects, now)
  if (session === undefined || session.requests === 0) return undefined
  const request = lastRequest(await store.usage.requests(session.id))
  if (request === undefined) return undefined
  const { contextWindow, known } = factsOf(request.model, request.provider ?? undefined)
  const tokens = usedTokens(request)
  if (tokens === 0) return undefined
  return {
    session,
    model: request.model,
    tokens,
    window: known && tokens <= contextWindow ? contextWindow : undefined,
    at: request.at,
  }
}

/** The status bar's item of a gauge; `now` in ms. */
export const gaugeItem = ({ session, model, tokens, window, at }: ContextGauge, now: number): StatusItem => {
  const share = window === undefined ? undefined : tokens / window
  const percent = share === undefined ? countText(tokens) : `${Math.round(100 * share)} %`
  const figures =
    window === undefined ? `${countText(tokens)} tokens` : `${countText(tokens)} of ${countText(window)} tokens`
  const age = ageText(at, now)
  const when = /^\d/.test(age) ? `${age} ago` : 'just now'
  const lines = [
    `**Context**: ${escapeMarkdown(figures)}${share === undefined ? '' : ` (${escapeMarkdown(percent)})`}`,
    '',
    `${escapeMarkdown(sessionTitle(session))}, ${escapeMarkdown(neutraliseLine(session.agent))} with ${escapeMarkdown(neutraliseLine(model))}`,
    '',
    `As of its last request, ${escapeMarkdown(when)}. ${window === undefined ? 'How much fits into it is not known.' : 'Select it to open the session.'}`,
  ]
  return {
    text: `$(pie-chart) ${percent}`,
    tooltip: lines.join('\n'),
    label: `Cairn: the context of ${sessionTitle(session)} holds ${figures}${share === undefined ? '' : `, ${percent}`}`,
    isWarning: share !== undefined && share >= NEARLY_FULL,
  }
}
