/** The requests to models that agents tell in their telemetry: which events they are, and what their attributes mean. */
import { createHash } from 'node:crypto'
import { countOf } from '../../json.ts'
import { recordedCost, type NanoUsd } from '../../money.ts'
import type { TokenUsage } from '../../ports/price-book.ts'
import { redact } from '../../redaction/index.ts'
import { numberOf, textOf, type Attributes, type OtlpLogRecord } from './otlp-logs.ts'

/** A request that an agent told of. */
export interface ToldRequest {
  readonly agent: 'claude-code' | 'codex'
  /** The agent's own id of the session. */
  readonly session: string
  /** The provider's id of the request; undefined where the agent does not tell it. */
  readonly requestId: string | undefined
  /** The same when the event is sent again, and of no other event of the session. */
  readonly eventId: string
  /** When it was over, ms. */
  readonly at: number
  readonly model: string
  readonly provider: string
  /** Who asks beside the main conversation. */
  readonly subagent: string | undefined
  /** Cache writes stand among those of five minutes. */
  readonly tokens: TokenUsage
  /** What the agent says that it cost; null where it says nothing. */
  readonly costNano: NanoUsd | null
}

/** Whether an agent's event tells of a request and can be used; why not. */
export type ReadEvent = { readonly told: ToldRequest } | { readonly refused: string } | undefined

/**
 * What a log record tells; undefined for events of other kinds. One without a time, or with an impossible one (before
 * 2020, or more than a day ahead of `now`), gets the time `now`, ms.
 */
export const readEvent = (record: OtlpLogRecord, now: number): ReadEvent => {
  const read = record.names.map((name) => READERS.get(name)).find((reader) => reader !== undefined)
  const told = record.at ?? now
  const isPossible = told >= EARLIEST_MS && told <= now + LATEST_AHEAD_MS
  return read?.(record.attributes, { at: isPossible ? told : now, told })
}

/** Before the first agent; a time in another unit is mostly earlier or much later. */
const EARLIEST_MS = Date.UTC(2020, 0, 1)
/** How far another machine's clock may be ahead. */
const LATEST_AHEAD_MS = 86_400_000

/** When an event was, ms; and as it says itself, which is the same when it comes again. */
interface EventTime {
  readonly at: number
  readonly told: number
}

type Reader = (attributes: Attributes, time: EventTime) => ReadEvent

/** Longer ones are no ids. */
const LONGEST_ID = 200

/** An id among the attributes; undefined if it is missing, longer than `LONGEST_ID`, or looks like a secret. */
const idOf = (attributes: Attributes, name: string): string | undefined => {
  const id = textOf(attributes, name)
  // A key that stands where an id should is in no store.
  return id !== undefined && id.length <= LONGEST_ID && redact(id).text === id ? id : undefined
}

const count = (attributes: Attributes, name: string): number => countOf(numberOf(attributes, name))

/** Of all that the event says: an exporter that sends it again sends the same. */
const eventIdOf = (attributes: Attributes, { told }: EventTime): string =>
  createHash('sha256')
    .update(JSON.stringify([told, ...[...attributes].sort(([left], [right]) => (left < right ? -1 : 1))]))
    .digest('hex')
    .slice(0, 24)

/**
 * Reads Claude Code's event of a request; refused without a session or a model. Its cost in USD is what the agent
 * computed.
 */
const claudeCode: Reader = (attributes, time) => {
  const session = idOf(attributes, 'session.id')
  const model = idOf(attributes, 'model')
  if (session === undefined || model === undefined)
    return { refused: 'A request of Claude Code names no session or no model.' }
  const source = idOf(attributes, 'query_source')
  return {
    told: {
      agent: 'claude-code',
      session,
      requestId: idOf(attributes, 'request_id'),
      eventId: eventIdOf(attributes, time),
      at: time.at,
      model,
      provider: 'anthropic',
      subagent: source === undefined || OF_CONVERSATION.test(source) ? undefined : source,
      tokens: {
        inputTokens: count(attributes, 'input_tokens'),
        cacheReadTokens: count(attributes, 'cache_read_tokens'),
        cacheWrite5mTokens: count(attributes, 'cache_creation_tokens'),
        cacheWrite1hTokens: 0,
        outputTokens: count(attributes, 'output_tokens'),
      },
      costNano: recordedCost(numberOf(attributes, 'cost_usd')),
    },
  }
}

/** What Claude Code asks in the conversation itself, at a terminal or for a program. */
const OF_CONVERSATION = /^(?:main|repl_main_thread|sdk)\b/

/**
 * Reads Codex's event of a reply's end; undefined for its other events and where nothing was used, refused without a
 * session or a model. Its counts of input include what was read from the cache. It tells no cost.
 */
const codex: Reader = (attributes, time) => {
  if (textOf(attributes, 'event.kind') !== 'response.completed') return undefined
  const input = count(attributes, 'input_token_count')
  const output = count(attributes, 'output_token_count')
  if (input + output === 0) return undefined
  const session = idOf(attributes, 'conversation.id')
  const model = idOf(attributes, 'model')
  if (session === undefined || model === undefined)
    return { refused: 'A request of Codex names no conversation or no model.' }
  const read = Math.min(input, count(attributes, 'cached_token_count'))
  const reasoning = count(attributes, 'reasoning_token_count')
  return {
    told: {
      agent: 'codex',
      session,
      requestId: undefined,
      eventId: eventIdOf(attributes, time),
      at: time.at,
      model,
      provider: 'openai',
      subagent: undefined,
      tokens: {
        inputTokens: input - read,
        cacheReadTokens: read,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: output,
        ...(reasoning > 0 ? { reasoningTokens: reasoning } : {}),
      },
      costNano: null,
    },
  }
}

/** By the event's name. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['claude_code.api_request', claudeCode],
  ['codex.sse_event', codex],
])
