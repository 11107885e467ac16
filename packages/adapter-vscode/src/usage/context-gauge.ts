/** How full the context of the session is that works in the window's projects now, as the engine tells it. */
import type { Engine, SessionSummary } from '@cairn/core'
import type { LiveContext } from '@cairn/core/insights'
import { sessionTitle } from '../sessions/session-label.ts'
import { agoText } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { countText } from './figures.ts'
import { escapeMarkdown } from './status-item.ts'
import type { StatusItem } from './status-item.ts'

/** How full the context of a live session is. */
export interface ContextGauge {
  readonly session: SessionSummary
  readonly model: string
  readonly context: LiveContext
}

/** From this share on it is shown as a warning. */
const NEARLY_FULL = 0.85

/**
 * The gauge of the live session of these projects that was written to last; undefined for none, and where its context is
 * not known: before its first request, and after a compaction until the next one. Rejects as the store does.
 * @param projects the window's, as the store names them
 */
export const readGauge = async (
  { insights }: Pick<Engine, 'insights'>,
  projects: readonly string[],
): Promise<ContextGauge | undefined> => {
  const found = await Promise.all(projects.map((workspace) => insights.live({ workspace })))
  const [latest] = found
    .flatMap(({ sessions }) => sessions)
    .toSorted((one, other) => (other.session.updatedAt ?? 0) - (one.session.updatedAt ?? 0))
  if (latest === undefined || latest.context === null || latest.model === null) return undefined
  return { session: latest.session, model: latest.model, context: latest.context }
}

/** Returns the status bar's item of a gauge; `now` in ms. It warns when the context is nearly full. */
export const gaugeItem = ({ session, model, context }: ContextGauge, now: number): StatusItem => {
  const { tokens, window, windowFrom } = context
  const share = tokens / window
  const percent = `${Math.round(100 * share)} %`
  const figures = `${countText(tokens)} of ${countText(window)} tokens`
  const isGuess = windowFrom === 'recorded' || windowFrom === 'assumed'
  const lines = [
    `**Context**: ${escapeMarkdown(figures)} (${escapeMarkdown(percent)})`,
    '',
    `${escapeMarkdown(sessionTitle(session))}, ${escapeMarkdown(neutraliseLine(session.agent))} with ${escapeMarkdown(neutraliseLine(model))}`,
    '',
    `As of its last request; it was written to ${escapeMarkdown(agoText(session.updatedAt, now))}. ${isGuess ? 'The size of the window is a guess. ' : ''}Select it to open the session.`,
  ]
  return {
    text: `$(pie-chart) ${percent}`,
    tooltip: lines.join('\n'),
    label: `Cairn: the context of ${sessionTitle(session)} holds ${figures}, ${percent}`,
    isWarning: share >= NEARLY_FULL,
  }
}
