/** The facts that are shown above a session's transcript, as pairs of name and text. */
import { allInputTokens, cacheHitRatio, datesSession, formatCost, formatEstimate } from '@cairn/core'
import type { Engine, LogEntry, SessionSummary } from '@cairn/core'
import { counted, formatCount, formatShare, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** A fact about a session: its name and its text. */
export type Fact = readonly [name: string, text: string]

/**
 * Returns facts about a session and its cost, in the order to show, safe to print. With `until` (ms) only usage before
 * it counts; the session should then be one of {@link sessionUntil}.
 */
export const sessionFacts = async (
  session: SessionSummary,
  engine: Engine,
  until?: number,
): Promise<readonly Fact[]> => {
  const { rows, total } = await engine.usage.report({
    by: 'model',
    filter: { session: session.id },
    ...(until === undefined ? {} : { until }),
  })
  const share = cacheHitRatio(total)
  const facts: Fact[] = [
    ['session', session.id],
    ['agent', session.agent],
    ['project', `${session.workspace ?? '-'}${session.branch === null ? '' : ` (${session.branch})`}`],
    ['time', `${formatTime(session.startedAt)} to ${formatTime(session.updatedAt)}`],
    ['models', rows.map(({ key }) => key).join(', ') || '-'],
    [
      'length',
      `${counted(session.messages, 'message')}, ${counted(until === undefined ? session.requests : total.requests, 'request')}`,
    ],
    [
      'tokens',
      `${formatCount(allInputTokens(total))} in${share === undefined ? '' : ` (${formatShare(share)} from the cache)`}, ${formatCount(total.outputTokens)} out`,
    ],
    [
      'cost',
      `${formatCost(total.costNano, total.missingOutputCostNano)}${formatEstimate(total.missingOutputCostNano) === undefined ? '' : ' for output that was not recorded'}${total.unpricedRequests > 0 ? `, without ${counted(total.unpricedRequests, 'request')} of unknown cost` : ''}`,
    ],
    ...(session.redactions > 0 && until === undefined
      ? [['secrets', `${session.redactions} replaced before they were stored`] as const]
      : []),
  ]
  return facts.map(([name, text]) => [name, neutraliseLine(text)])
}

/**
 * Returns the summary of a session as it was after these entries, the first ones of its log: their number, times,
 * favourite, and title. Costs and requests stay as they are. Times are null without entries.
 * @param isNamed whether the whole log gives a title: then the present one is of that, and null if none was given by
 * then; else it came with the session
 */
export const sessionUntil = (
  session: SessionSummary,
  entries: readonly LogEntry[],
  isNamed: boolean,
): SessionSummary => {
  const times = entries.flatMap((entry) => (entry.at === null || !datesSession(entry) ? [] : [entry.at]))
  const named = entries.findLast((entry) => entry.kind === 'title')
  const favourite = entries.findLast((entry) => entry.kind === 'favourite')
  return {
    ...session,
    title: named?.kind === 'title' ? named.title : isNamed ? null : session.title,
    startedAt: times.length === 0 ? null : times.reduce((least, at) => Math.min(least, at)),
    updatedAt: times.length === 0 ? null : times.reduce((most, at) => Math.max(most, at)),
    entries: entries.length,
    messages: entries.filter((entry) => entry.kind === 'message').length,
    favourite: favourite?.kind === 'favourite' && favourite.favourite,
  }
}
