/** An agent's events as JSON, one document per event, without image data, safe to print. */
import { CairnError, usdFromNano } from '@cairn/core'
import type { NanoUsd, RequestEvent, SentRequest } from '@cairn/core'
import type { AgentEvent, AgentOutcome, CallFacts, ToolOutcome } from '@cairn/core/agent'
import { definedValues } from '../options/defined-values.ts'
import { neutralise } from '../terminal/neutralise.ts'

/**
 * The document of an event for `--json`, with costs in USD. Texts are printable: control characters are replaced by
 * visible symbols.
 */
export const eventJson = (event: AgentEvent): unknown => cleaned(documentOf(event))

const documentOf = (event: AgentEvent): Record<string, unknown> => {
  switch (event.type) {
    case 'request':
      return { type: 'request', event: requestJson(event.event) }
    case 'reply':
      return { type: 'reply', ...replyJson(event.reply), turnCostUsd: usdOf(event.costNano) }
    case 'approval':
      return {
        type: 'approval',
        callId: event.request.callId,
        tool: event.request.tool,
        ...callJson(event.request.call),
        why: event.request.why,
      }
    case 'tool-started':
      return {
        type: 'tool-started',
        callId: event.callId,
        tool: event.tool,
        ...callJson(event.call),
        ...definedValues({ notRun: event.notRun }),
      }
    case 'tool-finished':
      return {
        type: 'tool-finished',
        callId: event.callId,
        tool: event.tool,
        ...outcomeJson(event.outcome),
        durationMs: event.durationMs,
        ...definedValues({ notRun: event.notRun, rules: event.rules }),
      }
    case 'ended':
      return { type: 'ended', ...endJson(event.outcome) }
    default:
      return { ...event }
  }
}

const usdOf = (nano: NanoUsd | null): number | null => (nano === null ? null : usdFromNano(nano))

const errorJson = (error: unknown): Record<string, unknown> =>
  CairnError.is(error) ? { code: error.code, message: error.message } : { code: 'failed', message: String(error) }

const requestJson = (event: RequestEvent): unknown => {
  if (event.type === 'retry') return { ...event, error: errorJson(event.error) }
  if (event.type !== 'stored') return event
  const { decisions, ...rest } = event
  return { ...rest, leftOut: decisions.reduce((sum, { removals }) => sum + removals.length, 0) }
}

const replyJson = ({ content, toolCalls, costNano, decisions, latency, ...reply }: SentRequest) => ({
  ...reply,
  text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n'),
  toolCalls: toolCalls.map(({ id, name, input }) => ({ id, name, input })),
  costUsd: usdOf(costNano),
  latency: latency ?? null,
  leftOut: decisions.reduce((sum, { removals }) => sum + removals.length, 0),
})

const callJson = ({ effect, title, paths, command, reaches, diff }: CallFacts) => ({
  effect,
  title,
  paths,
  ...definedValues({ command, reaches, diff }),
})

const outcomeJson = ({ content, isError, exitCode, changed = [] }: ToolOutcome) => ({
  text: content.map((block) => (block.type === 'text' ? block.text : `[${block.mediaType}]`)).join('\n'),
  isError: isError === true,
  ...definedValues({ exitCode }),
  changed,
})

/** How a turn ended. */
const endJson = ({ end, reason, sessionId, text, turns, costNano, error }: AgentOutcome) => ({
  end,
  reason: reason ?? null,
  sessionId,
  text,
  turns,
  costUsd: usdOf(costNano),
  error: error === undefined ? null : errorJson(error),
})

/** A model's JSON is not nested deeper: what is, is left out. */
const DEEPEST = 40

const cleaned = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return neutralise(value)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return null
  if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [neutralise(key), cleaned(one, depth + 1)]))
}
