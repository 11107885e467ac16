/** Notices beside a reply, on standard error: what was left out, failed attempts, the cost. */
import { allInputTokens, formatUsd } from '@cairn/core'
import type { RequestEvent, SentRequest } from '@cairn/core'
import { counted, formatCount, formatDuration, formatShare } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/**
 * Returns a notice for people while a request runs: a retry, or parts of the session removed from the context.
 * Undefined for other events.
 */
export const sendNotice = (event: RequestEvent): string | undefined => {
  if (event.type === 'retry') {
    const wait = event.delayMs < 100 ? 'now' : `in ${formatDuration(event.delayMs)}`
    return `${neutraliseLine(event.error.message)} It is asked again ${wait} (attempt ${event.attempt}); what it had begun to answer does not count.`
  }
  if (event.type !== 'stored') return undefined
  const removals = event.decisions.flatMap((decision) => decision.removals)
  if (removals.length === 0) return undefined
  const tokens = removals.reduce((sum, { savedTokens }) => sum + savedTokens, 0)
  return `${counted(removals.length, 'block')} of the session (about ${formatCount(tokens)} tokens) left the model's context; the log keeps them.`
}

/**
 * Returns the lines below a stored reply: how it ended if it was cut short, replaced secrets, then model, tokens, cost
 * and time. A price that is not known is `unpriced`.
 */
export const sentNotices = (sent: SentRequest): readonly string[] => {
  const { usage, model, costNano, isUsagePartial, latency, redactions, stopReason, providerReason } = sent
  const input = allInputTokens(usage)
  const cached = usage.cacheReadTokens === 0 ? '' : `, ${formatShare(usage.cacheReadTokens / input)} of it cached`
  const cost = costNano === null ? 'unpriced' : formatUsd(costNano)
  const time = latency === undefined ? '' : ` in ${formatDuration(latency.totalMs)}`
  const ends: Readonly<Record<SentRequest['stopReason'], string | undefined>> = {
    end: undefined,
    'tool-calls': 'The model called a tool, which it was not given; only its text is shown.',
    'max-output': 'The reply reached its longest length and ends there.',
    pause: 'The provider paused the reply: send another message to go on.',
    other: `The reply ended early (${neutraliseLine(providerReason)}).`,
  }
  return [
    ends[stopReason],
    redactions === 0
      ? undefined
      : `${counted(redactions, 'secret')} in it ${redactions === 1 ? 'was' : 'were'} replaced before storage.`,
    isUsagePartial
      ? `${neutraliseLine(model)} did not tell what the request used; it is recorded as partial.`
      : `${neutraliseLine(model)}: ${formatCount(input)} tokens of input${cached}, ${formatCount(usage.outputTokens)} of output, ${cost}${time}; recorded in the session.`,
  ].filter((notice) => notice !== undefined)
}
