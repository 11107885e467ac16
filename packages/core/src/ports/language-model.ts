/**
 * A language model. Each provider is one file in `providers/`; one contract suite runs on all of them
 * (docs/add-a-provider.md), so callers get the same stream, errors and usage from each.
 */
import { CairnError, type ModelErrorCode } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { ContentBlock, Message } from '../messages.ts'
import type { TokenUsage } from './price-book.ts'

export type { ModelErrorCode } from '../errors.ts'

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the tool's input. */
  readonly inputSchema: JsonObject
}

/** How long the provider should cache a prefix. A provider without that lifetime uses its next shorter one. */
export type CacheLifetime = '5m' | '30m' | '1h' | '12h'

/** The end of a prefix that the provider should cache. */
export interface CacheBreakpoint {
  /** `system`: after tools and system prompt; a number: after the message at that index. */
  readonly after: 'system' | number
  /** Default: the provider's shortest. */
  readonly lifetime?: CacheLifetime
}

/**
 * How much the model should reason; a provider uses the nearest level that the model supports. Absent: the model's
 * default.
 */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'max'

export type ToolChoice = 'auto' | 'required' | 'none' | { readonly tool: string }

export interface ModelRequest {
  /** The model's name at its provider. */
  readonly model: string
  readonly system?: string
  /**
   * As prepared by the context engine (`Prepared.messages`): complete pairs of calls and results, starting with the
   * user.
   */
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolDefinition[]
  /** Default `auto`. */
  readonly toolChoice?: ToolChoice
  /** Maximum tokens of the reply, including reasoning. */
  readonly maxOutputTokens: number
  /** In ascending order; a provider that supports fewer keeps the last ones. */
  readonly cacheBreakpoints?: readonly CacheBreakpoint[]
  /** The same for all requests of a session, so that they reach the same cache. */
  readonly cacheKey?: string
  readonly effort?: ReasoningEffort
  /** The reply must be one JSON document with this JSON Schema. */
  readonly outputSchema?: JsonObject
  /** Cancels the request and frees its connection; the stream then ends with a `cancelled` error. */
  readonly signal?: AbortSignal
}

/**
 * Why a reply ended: normally; to have tools run; at `maxOutputTokens`; because the provider paused it and expects a
 * follow-up request; for another reason, given by `providerReason`.
 */
export type StopReason = 'end' | 'tool-calls' | 'max-output' | 'pause' | 'other'

/**
 * The events of a stream, in order. `text`, `thinking` and `tool-call-progress` are pieces for observers. `block` is a
 * complete block of the reply, in message order; only blocks are stored.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** The joined pieces are the call's arguments so far: JSON that is incomplete until its block arrives. */
  | { readonly type: 'tool-call-progress'; readonly id: string; readonly name: string; readonly piece: string }
  | { readonly type: 'block'; readonly block: ContentBlock }
  /** Usage so far, as reported by the provider. Each event replaces the previous one. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  /** The attempt failed and the request is retried; the output so far is void. Only from `withRetries`. */
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly error: ModelError }
  | ModelDone

/** The last event of a successful request. */
export interface ModelDone {
  readonly type: 'done'
  readonly stopReason: StopReason
  /** The provider's own term for it. */
  readonly providerReason: string
  readonly usage: TokenUsage
  /** The provider did not report all of the usage: what is missing is unknown, not 0. */
  readonly isUsagePartial?: true
  /** The provider's id of the reply. */
  readonly responseId?: string
  /** The model that answered, if the provider names a different one. */
  readonly model?: string
}

export interface LanguageModel {
  /** As named in usage and prices: `anthropic`, `openai`, `google`, … */
  readonly provider: string
  /**
   * Makes one attempt. Yields events until one `done`, or throws one {@link ModelError}; never both, never neither.
   * Ending the iteration early cancels the request and frees its connection.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
  /** Tokens of the request's input by the provider's own counter; absent if it has none. @throws ModelError */
  countTokens?(request: ModelRequest): Promise<number>
}

export interface ModelErrorDetails {
  readonly cause?: unknown
  /** HTTP status, if there was one. */
  readonly status?: number
  /** Milliseconds to wait before a retry, as requested by the provider. */
  readonly retryAfterMs?: number
  /** For a context overflow: tokens of the input, and the maximum accepted. */
  readonly inputTokens?: number
  readonly limitTokens?: number
  /** Usage of the failed request that is charged, as far as the provider reported it. */
  readonly usage?: TokenUsage
  readonly responseId?: string
  /** The reply reached `maxOutputTokens`; a retry would, too. */
  readonly isAtOutputLimit?: true
}

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set([
  'rate-limit',
  'overloaded',
  'unavailable',
  'connection-lost',
  'cut-off',
  'malformed',
  'timeout',
])

/** A failed request to a model. The message is one sentence for the user: what failed, and what to do. */
export class ModelError extends CairnError {
  readonly details: ModelErrorDetails
  /** Narrows the code of the base class. */
  declare readonly code: ModelErrorCode

  constructor(code: ModelErrorCode, message: string, details: ModelErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ModelError'
    this.details = details
  }

  /** Whether the same request may succeed if retried. */
  get isRetryable(): boolean {
    return RETRYABLE.has(this.code) && this.details.isAtOutputLimit !== true
  }

  /** True for a ModelError, also from another copy of this package. */
  static override is(value: unknown): value is ModelError {
    return CairnError.is(value) && value.name === 'ModelError'
  }
}
