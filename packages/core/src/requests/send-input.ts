/** What callers give for a request of a session, and what they get. */
import type { CacheAwarePreset } from '../context/policies/cache-aware/settings.ts'
import type { PolicyName } from '../context/policies/registry.ts'
import type { Policy } from '../context/policy.ts'
import type { RewriteReport } from '../context/rewrite-report.ts'
import { CairnError } from '../errors.ts'
import { assertLimit, assertName, assertObject, assertTextOrAbsent, invalidInput } from '../input.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import type { ContentBlock, ToolCallBlock, ToolResultBlock } from '../messages.ts'
import type { NanoUsd } from '../money.ts'
import type {
  LanguageModel,
  ModelEvent,
  ReasoningEffort,
  StopReason,
  ToolChoice,
  ToolDefinition,
} from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import type { CostState, RequestLatency } from '../ports/usage-storage.ts'

/** A session that begins with the request. */
export interface NewSession {
  /** Folder of the project. */
  readonly workspace?: string
  readonly branch?: string
  readonly title?: string
  /** The program that holds the session; default `cairn`. */
  readonly agent?: string
}

/** Who is asked, and with what beside the session's messages. The same in all requests of a session, its cache is used. */
export interface RequestSettings {
  /** As `createLanguageModel` makes it: with retries. Each attempt is recorded. */
  readonly languageModel: LanguageModel
  /** The model's name for its provider. */
  readonly model: string
  readonly system?: string
  readonly tools?: readonly ToolDefinition[]
  readonly toolChoice?: ToolChoice
  readonly effort?: ReasoningEffort
  /** The reply is one JSON document of this JSON Schema. */
  readonly outputSchema?: JsonObject
  /** Tokens of the longest reply; default the model's, at most a quarter of what the window leaves for messages. */
  readonly maxOutputTokens?: number
  /** Tokens of input and reply together; default the model's. */
  readonly window?: number
  /** Decides what of the session is sent; default `cache-aware`. */
  readonly policy?: PolicyName | Policy
  /** Of `cache-aware`. */
  readonly preset?: CacheAwarePreset
  /** What the caller does, as usage is grouped by it: `plan`, `act`, … */
  readonly mode?: string
}

export interface SendInput extends RequestSettings {
  /** The id of a session in the store, or what is known of a new one. */
  readonly session: string | NewSession
  /** What the user says. Absent: only the results, or the session as it stands (after a request that failed). */
  readonly message?: string | readonly ContentBlock[]
  /** What came of the calls of the last reply. Calls without a result are sent as "result missing". */
  readonly toolResults?: readonly ToolResultBlock[]
  /** Ends the request; it then rejects with `cancelled`. */
  readonly signal?: AbortSignal
  /** Hears of everything as it comes. A promise is waited for before the next event; what it throws cancels the request. */
  readonly onEvent?: (event: RequestEvent) => void | Promise<void>
}

/** What the request is sent with; everything of it is on disk. Comes again when the provider refused the input as too long. */
export interface RequestStored {
  readonly type: 'stored'
  readonly sessionId: string
  /** Estimated tokens of the messages, and the most that they may take. */
  readonly tokens: number
  readonly availableTokens: number
  /** What the context policy decided for this request. */
  readonly decisions: readonly RewriteReport[]
}

export type RequestEvent = RequestStored | ModelEvent

/** A reply, after it was stored with its bill. */
export interface SentRequest {
  readonly sessionId: string
  /** The id of the reply's message in the log. */
  readonly messageId: string
  /** The reply as the model gave it. In the log secrets are replaced, and the next request has what the log has. */
  readonly content: readonly ContentBlock[]
  /** The calls in it. Run them and send their results with the next request; none when the turn is over. */
  readonly toolCalls: readonly ToolCallBlock[]
  readonly stopReason: StopReason
  /** The provider's own word for it. */
  readonly providerReason: string
  /** The model that answered. */
  readonly model: string
  readonly provider: string
  readonly usage: TokenUsage
  /** The provider did not tell all of the usage. */
  readonly isUsagePartial: boolean
  /** Null: unpriced. */
  readonly costNano: NanoUsd | null
  readonly costState: CostState
  /** Which attempt it was, from 1. */
  readonly attempt: number
  readonly latency?: RequestLatency
  /** What the context policy decided for it. */
  readonly decisions: readonly RewriteReport[]
  /** Secrets that were replaced in what was stored: of the input, which was also sent so, and of the reply. */
  readonly redactions: number
}

/**
 * Checks what a caller of `send` gives, before anything is read or written. A new session needs a message; of tools and
 * blocks only their list is checked, of results also their type.
 * @throws CairnError `invalid-input`, naming the field; `cancelled` when its signal is aborted already
 */
export const assertSendInput = (input: SendInput): void => {
  assertObject(input, 'A request')
  assertSettings(input)
  const { session, message, toolResults, signal, onEvent } = input
  if (typeof session === 'string') assertName(session, "The session's id")
  else assertNewSession(session)
  assertContent(message)
  if (toolResults !== undefined && !(Array.isArray(toolResults) && toolResults.every(isToolResult)))
    throw invalidInput('toolResults', 'a list of blocks of the type tool_result', toolResults)
  if (typeof session !== 'string' && message === undefined)
    throw new CairnError('invalid-input', 'A new session begins with a message of the user.')
  const listener: unknown = onEvent
  if (listener !== undefined && typeof listener !== 'function') throw invalidInput('onEvent', 'a function', listener)
  if (signal?.aborted === true) throw new CairnError('cancelled', 'The request was cancelled before it was sent.')
}

/**
 * Checks the settings of a request: types of the fields, a model with a name, limits from 1 up. What the definitions of
 * the tools hold is not looked at. @throws CairnError `invalid-input`
 */
const assertSettings = ({
  languageModel,
  model,
  system,
  tools,
  maxOutputTokens,
  window,
  mode,
}: RequestSettings): void => {
  assertObject(languageModel, 'languageModel')
  assertName(model, "The model's name")
  assertTextOrAbsent(system, 'The system prompt')
  assertTextOrAbsent(mode, 'The mode')
  if (tools !== undefined && !Array.isArray(tools)) throw invalidInput('tools', 'a list of definitions', tools)
  assertLimit(maxOutputTokens, 'maxOutputTokens', 1)
  assertLimit(window, 'The window', 1)
}

/** Throws `invalid-input` for facts of a session that are no texts. */
const assertNewSession = (session: NewSession): void => {
  assertObject(session, 'A new session')
  for (const name of ['workspace', 'branch', 'title'] as const) assertTextOrAbsent(session[name], `session.${name}`)
  if (session.agent !== undefined) assertName(session.agent, 'session.agent')
}

/**
 * Throws `invalid-input` for an empty message (of white space only, or without blocks), and for what is neither a text
 * nor a list. Absent is right. The blocks themselves are not looked at.
 */
const assertContent = (message: SendInput['message']): void => {
  const isEmpty = typeof message === 'string' ? message.trim() === '' : message?.length === 0
  if (isEmpty) throw new CairnError('invalid-input', 'The message is empty; nothing was sent.')
  if (message !== undefined && typeof message !== 'string' && !Array.isArray(message))
    throw invalidInput('The message', 'a text or a list of blocks', message)
}

const isToolResult = (block: unknown): block is ToolResultBlock => isJsonObject(block) && block.type === 'tool_result'
