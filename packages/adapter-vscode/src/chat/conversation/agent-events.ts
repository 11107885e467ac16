/** What the chat shows of an agent's events. */
import { formatUsd, reasonText, textOfBlock } from '@cairn/core'
import type { ModelEvent, RewriteReport } from '@cairn/core'
import type { AgentEvent, AgentOutcome, CallFacts, ToolOutcome } from '@cairn/core/agent'
import { counted } from '../../text/format.ts'
import type { ChatEvent, RemovalLine, ToolFacts } from './chat-state.ts'

/**
 * Returns the chat events that an event of the agent stands for, in order; empty for events that the chat does not
 * show. Texts are not made safe to show here.
 */
export const chatEventsOf = (event: AgentEvent): readonly ChatEvent[] => {
  switch (event.type) {
    case 'request': {
      const { event: inner } = event
      if (inner.type !== 'stored') return modelEvents(inner)
      const { tokens, availableTokens, decisions } = inner
      return [{ type: 'request', tokens, availableTokens }, ...removedBlocks(decisions)]
    }
    case 'approval':
      return [
        {
          type: 'approval',
          callId: event.request.callId,
          why: event.request.why,
          ...factsOf(event.request.tool, event.request.call),
        },
      ]
    case 'approved':
      return [{ type: 'answered', callId: event.callId, isAllowed: event.answer.decision !== 'deny' }]
    case 'tool-started':
    case 'tool-finished':
      return callEvents(event)
    case 'tool-output':
      return [{ type: 'tool-output', callId: event.callId, text: event.text }]
    case 'checkpoint':
      return [{ type: 'checkpoint', checkpointId: event.checkpointId }]
    case 'notice':
      return [{ type: 'notice', level: 'info', text: event.text }]
    case 'ended':
      return [{ type: 'ended' }, ...endNotice(event.outcome)]
    case 'session':
    case 'reply':
      return []
  }
}

type CallEvent = Extract<AgentEvent, { readonly type: 'tool-started' | 'tool-finished' }>

/**
 * Returns the events for a call that started or finished; empty for one that was interrupted, which the log already
 * shows.
 */
const callEvents = (event: CallEvent): readonly ChatEvent[] => {
  const { callId, notRun } = event
  // Its item is there from the log, and a notice names it.
  if (notRun === 'interrupted') return []
  if (event.type === 'tool-started') {
    const isRun = notRun === undefined ? {} : ({ isRun: false } as const)
    return [{ type: 'tool-started', callId, ...factsOf(event.tool, event.call), ...isRun }]
  }
  const { outcome, durationMs, rules } = event
  const progress = notRun === 'refused' ? 'skipped' : outcome.isError === true ? 'failed' : 'done'
  const told = rules === undefined ? {} : { rules }
  return [{ type: 'tool-finished', callId, text: outcomeText(outcome), progress, durationMs, ...told }]
}

/** Returns the events for a part of the model's reply; empty for parts that the chat does not show. */
const modelEvents = (event: ModelEvent): readonly ChatEvent[] => {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return [event]
    case 'tool-call-progress':
      return [{ type: 'call', callId: event.id, tool: event.name }]
    case 'block':
      return event.block.type === 'tool_call'
        ? [{ type: 'call', callId: event.block.id, tool: event.block.name }]
        : [{ type: 'block-ended' }]
    case 'retry': {
      const wait = event.delayMs < 1_000 ? 'now' : `in ${Math.round(event.delayMs / 1_000)} s`
      return [{ type: 'retry', text: `${event.error.message} It is asked again ${wait} (attempt ${event.attempt}).` }]
    }
    case 'usage':
    case 'done':
      return []
  }
}

/** Returns what the chat shows of a call; `command` and `diff` are left out if the call has none. */
const factsOf = (tool: string, { title, command, diff }: CallFacts): ToolFacts => ({
  tool,
  title,
  ...(command === undefined ? {} : { command }),
  ...(diff === undefined ? {} : { diff }),
})

/** Returns one event that lists what left the context, from a request's rewrite reports; empty if nothing did. */
const removedBlocks = (decisions: readonly RewriteReport[]): readonly ChatEvent[] => {
  const removals = decisions.flatMap((decision) => decision.removals)
  if (removals.length === 0) return []
  const lines = removals.map(({ path, kind, what, why, savedTokens }): RemovalLine => ({
    name: path ?? kind,
    what,
    why: reasonText(why),
    savedTokens,
  }))
  return [{ type: 'removed', removals: lines, savedTokens: removals.reduce((sum, one) => sum + one.savedTokens, 0) }]
}

/** Returns a tool's output as text, its blocks joined by line ends; an image becomes `[image: <media type>]`. */
const outcomeText = ({ content }: ToolOutcome): string =>
  content.map((block) => (block.type === 'image' ? `[image: ${block.mediaType}]` : textOfBlock(block))).join('\n')

/**
 * Returns the notice below a turn that did not end normally: an error for a failed one, a note for a cancelled one,
 * else a warning. Its button continues the turn, or sets a key if that was refused. Empty for a turn that ended
 * normally.
 */
const endNotice = ({ end, reason, error }: AgentOutcome): readonly ChatEvent[] => {
  if (end === 'done') return []
  const text = reason ?? `The turn ended (${end}).`
  if (end === 'failed')
    return [{ type: 'notice', level: 'error', text, action: error?.code === 'auth' ? 'set-key' : 'resume' }]
  return [{ type: 'notice', level: end === 'cancelled' ? 'info' : 'warning', text, action: 'resume' }]
}

/**
 * Returns what a session has cost: `$0.42`, `$0.42+` if some requests have no price, `3 requests, unpriced` if none
 * has, and '' before its first request.
 */
export const sessionCostText = (session: {
  readonly requests: number
  readonly costNano: bigint
  readonly unpricedRequests: number
}): string => {
  const { requests, costNano, unpricedRequests } = session
  if (requests === 0) return ''
  if (unpricedRequests === requests) return `${counted(requests, 'request')}, unpriced`
  return `${formatUsd(costNano)}${unpricedRequests > 0 ? '+' : ''}`
}
