/** The facts of a session that stand above its transcript, as pairs of name and text. */
import { allInputTokens, cacheHitRatio, formatUsd } from '@cairn/core'
import type { Engine, SessionSummary } from '@cairn/core'
import { counted, formatCount, formatShare, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

export type Fact = readonly [name: string, text: string]

/** Facts and cost, safe to print. */
export const sessionFacts = async (session: SessionSummary, engine: Engine): Promise<readonly Fact[]> => {
  const { rows, total } = await engine.usage({ by: 'model', filter: { session: session.id } })
  const share = cacheHitRatio(total)
  const facts: Fact[] = [
    ['session', session.id],
    ['agent', session.agent],
    ['project', `${session.workspace ?? '-'}${session.branch === null ? '' : ` (${session.branch})`}`],
    ['time', `${formatTime(session.startedAt)} to ${formatTime(session.updatedAt)}`],
    ['models', rows.map(({ key }) => key).join(', ') || '-'],
    ['length', `${counted(session.messages, 'message')}, ${counted(session.requests, 'request')}`],
    ['tokens', `${formatCount(allInputTokens(total))} in${share === undefined ? '' : ` (${formatShare(share)} from the cache)`}, ${formatCount(total.outputTokens)} out`],
    ['cost', `${formatUsd(total.costNano)}${total.unpricedRequests > 0 ? `, without ${counted(total.unpricedRequests, 'request')} of unknown price` : ''}`],
    ...(session.redactions > 0 ? [['secrets', `${session.redactions} replaced before they were stored`] as const] : []),
  ]
  return facts.map(([name, text]) => [name, neutraliseLine(text)])
}
