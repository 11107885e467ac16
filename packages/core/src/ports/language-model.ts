/**
 * A model that can be asked. Each provider is one file in `providers/`; one contract suite runs on all of them
 * (docs/add-a-provider.md), so whoever asks sees the same stream, the same errors and the same usage.
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

/** How long the provider is asked to keep a prefix. A provider without that lifetime takes its next shorter one. */
export type CacheLifetime = '5m' | '30m' | '1h' | '12h'

/** The end of a prefix that the provider should keep in its cache. */
export interface CacheBreakpoint {
  /** `system`: behind tools and system prompt; a number: behind the message at that index. */
  readonly after: 'system' | number
  /** Default: the provider's shortest. */
  readonly lifetime?: CacheLifetime
}

/** How much the model should reason; a provider takes the nearest that the model knows. Absent: the model's default. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'max'

export type ToolChoice = 'auto' | 'required' | 'none' | { readonly tool: string }

export interface ModelRequest {
  /** The model's name for its provider. */
  readonly model: string
  readonly system?: string
  /** As the context engine prepared them (`Prepared.messages`): whole pairs of calls and results, the user first. */
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolDefinition[]
  /** Default `auto`. */
  readonly toolChoice?: ToolChoice
  /** Tokens of the longest reply, reasoning included. */
  readonly maxOutputTokens: number
  /** In ascending order; a provider with fewer places keeps the last ones. */
  readonly cacheBreakpoints?: readonly CacheBreakpoint[]
  /** The same for all requests of a session, so that they reach the same cache. */
  readonly cacheKey?: string
  readonly effort?: ReasoningEffort
  /** The reply is one JSON document of this JSON Schema. */
  readonly outputSchema?: JsonObject
  /** Ends the request and frees its connection; the stream then ends with a `cancelled` error. */
  readonly signal?: AbortSignal
}

/**
 * Why a reply ended: by itself; to have tools run; at `maxOutputTokens`; because the provider paused it and wants to be
 * asked again; for another reason, which `providerReason` names.
 */
export type StopReason = 'end' | 'tool-calls' | 'max-output' | 'pause' | 'other'

/**
 * What a stream gives, in order. `text`, `thinking` and `tool-call-progress` are pieces for whoever watches; `block` is
 * a whole block of the reply, in the order in which blocks stand in the message, and only blocks are stored.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** The call's arguments so far are the pieces joined: JSON that is not whole before its block comes. */
  | { readonly type: 'tool-call-progress'; readonly id: string; readonly name: string; readonly piece: string }
  | { readonly type: 'block'; readonly block: ContentBlock }
  /** What was used until now, as far as the provider has said. Each replaces the one before. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  /** The attempt failed and the request is made again; what came of it before is void. Only from `withRetries`. */
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly error: ModelError }
  | ModelDone

/** The last event of a request that succeeded. */
export interface ModelDone {
  readonly type: 'done'
  readonly stopReason: StopReason
  /** The provider's own word for it. */
  readonly providerReason: string
  readonly usage: TokenUsage
  /** The provider did not tell all of the usage: what is missing in it is unknown, not 0. */
  readonly isUsagePartial?: true
  /** The provider's id of the reply. */
  readonly responseId?: string
  /** The model that answered, where the provider names another than was asked for. */
  readonly model?: string
}

export interface LanguageModel {
  /** As usage and prices name it: `anthropic`, `openai`, `google`, … */
  readonly provider: string
  /**
   * Makes one attempt. Gives events until one `done`, or throws one {@link ModelError}; never both, never neither.
   * Ending the iteration early cancels the request and frees its connection.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
  /** Tokens of the request's input by the provider's own counter; absent where it has none. @throws ModelError */
  countTokens?(request: ModelRequest): Promise<number>
}

export interface ModelErrorDetails {
  readonly cause?: unknown
  /** HTTP status, where there was one. */
  readonly status?: number
  /** Milliseconds after which the provider wants to be asked again. */
  readonly retryAfterMs?: number
  /** Of a context overflow: tokens of the input, and the most that are taken. */
  readonly inputTokens?: number
  readonly limitTokens?: number
  /** What the failed request used and is billed for, as far as the provider said. */
  readonly usage?: TokenUsage
  readonly responseId?: string
  /** The reply reached `maxOutputTokens`: made again, it would again. */
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

/** A request to a model that failed. The message is one sentence for the user: what failed, and what to do. */
export class ModelError extends CairnError {
  readonly details: ModelErrorDetails
  /** Narrower than the error's own. */
  declare readonly code: ModelErrorCode

  constructor(code: ModelErrorCode, message: string, details: ModelErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ModelError'
    this.details = details
  }

  /** Whether the same request may succeed when it is made again. */
  get isRetryable(): boolean {
    return RETRYABLE.has(this.code) && this.details.isAtOutputLimit !== true
  }

  /** True for a ModelError, also from another copy of this package. */
  static override is(value: unknown): value is ModelError {
    return CairnError.is(value) && value.name === 'ModelError'
  }
}
