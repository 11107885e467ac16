/** An agent's events as JSON, one document per event, without image data, safe to print. */
import { CairnError, usdFromNano } from '@cairn/core'
import type { NanoUsd, RequestEvent, SentRequest } from '@cairn/core'
import type { AgentEvent, AgentOutcome, CallFacts, ToolOutcome } from '@cairn/core/agent'
import { definedValues } from '../options/defined-values.ts'
import { neutralise } from '../terminal/neutralise.ts'

/**
 * Returns the JSON document of an event for `--json`, with costs in USD (null if a request has no price). Control
 * characters in texts are replaced by visible symbols; values nested deeper than 40 levels become null.
 */
export const eventJson = (event: AgentEvent): unknown => cleaned(documentOf(event))

/**
 * The document of an event before its texts are cleaned: chosen fields, costs in USD; other kinds of events as they
 * are.
 */
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

/** An amount in USD; null for null. */
const usdOf = (nano: NanoUsd | null): number | null => (nano === null ? null : usdFromNano(nano))

/** The code and message of an error; the code is `failed` if it is not one of ours. */
const errorJson = (error: unknown): Record<string, unknown> =>
  CairnError.is(error) ? { code: error.code, message: error.message } : { code: 'failed', message: String(error) }

/** An event of a request: decisions of the policy as the number of blocks left out. */
const requestJson = (event: RequestEvent): unknown => {
  if (event.type === 'retry') return { ...event, error: errorJson(event.error) }
  if (event.type !== 'stored') return event
  const { decisions, ...rest } = event
  return { ...rest, leftOut: decisions.reduce((sum, { removals }) => sum + removals.length, 0) }
}

/**
 * A reply as JSON: `text` (its text blocks, joined by empty lines), `toolCalls`, `costUsd` (null if unpriced),
 * `latency` (null if unknown), `leftOut` (how many blocks the context policy removed), and the other fields as they
 * are.
 */
const replyJson = ({ content, toolCalls, costNano, decisions, latency, ...reply }: SentRequest) => ({
  ...reply,
  text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n'),
  toolCalls: toolCalls.map(({ id, name, input }) => ({ id, name, input })),
  costUsd: usdOf(costNano),
  latency: latency ?? null,
  leftOut: decisions.reduce((sum, { removals }) => sum + removals.length, 0),
})

/** Returns what a tool call does; `command`, `reaches` and `diff` only where they are known. */
const callJson = ({ effect, title, paths, command, reaches, diff }: CallFacts) => ({
  effect,
  title,
  paths,
  ...definedValues({ command, reaches, diff }),
})

/** The result of a tool call, with attachments as `[type]`. `exitCode` is left out where there is none. */
const outcomeJson = ({ content, isError, exitCode, changed = [] }: ToolOutcome) => ({
  text: content.map((block) => (block.type === 'text' ? block.text : `[${block.mediaType}]`)).join('\n'),
  isError: isError === true,
  ...definedValues({ exitCode }),
  changed,
})

/** Returns how a turn ended: cost in USD, null without a price; the error as `{code, message}` or null. */
const endJson = ({ end, reason, sessionId, text, turns, costNano, error }: AgentOutcome) => ({
  end,
  reason: reason ?? null,
  sessionId,
  text,
  turns,
  costUsd: usdOf(costNano),
  error: error === undefined ? null : errorJson(error),
})

/** Values nested deeper, which only a model's JSON can be, become null. */
const DEEPEST = 40

/**
 * A JSON value with control characters in all texts and keys made visible, and bigints as numbers. What is deeper than
 * `DEEPEST` is null. `depth`: how deep the value is already.
 */
const cleaned = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return neutralise(value)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return null
  if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [neutralise(key), cleaned(one, depth + 1)]))
}
