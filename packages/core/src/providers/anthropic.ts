/** Anthropic's Messages API, of Anthropic and of servers that speak it. */
import type { Anthropic } from '@anthropic-ai/sdk'
import { countOf, objectOf, parseJson, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
} from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import type { ProviderOptions } from './provider-options.ts'
import { anthropicBody } from './bodies/anthropic.ts'
import { validateAnthropic } from './rules/anthropic.ts'
import { assertRules } from './rules/wire-rules.ts'
import { assertKey } from './shared/api-key.ts'
import type { Asked } from './shared/failure-sentences.ts'
import { modelErrorOf, StreamFailure } from './shared/failures.ts'
import { GrowingText } from './shared/growing-text.ts'
import { openCall, refused, ReplyBlocks, type OpenCall } from './shared/reply-blocks.ts'
import { replyEnd } from './shared/reply-end.ts'
import { replyStream, type ReplyDecoder } from './shared/reply-stream.ts'
import { SILENT, NEVER_MS } from './shared/library-settings.ts'
import { eventData, serverSentEvents, type ServerSentEvent } from './shared/server-sent-events.ts'
import { mergeCounts } from './shared/usage-counts.ts'

export interface AnthropicOptions extends ProviderOptions {
  /** The header `anthropic-version`; default the library's newest. Older servers may know only `2023-06-01`. */
  readonly version?: string | undefined
  /** Where the key stands; default `authorization`. */
  readonly keyHeader?: 'authorization' | 'x-api-key' | undefined
}

const BASE_URL = 'https://api.anthropic.com'

/**
 * Models over Anthropic's Messages API, or over a server that speaks it at `baseUrl`. Makes each request once: see
 * `withRetries`. Nothing is sent, and the key is not looked at, before a request. Then `stream` throws while it is
 * read, and `countTokens` rejects, with a ModelError; a reply that breaks the API's rules is not asked for
 * (`bad-request`). `/v1` at the end of `baseUrl` is left out.
 */
export const createAnthropicModel = (options: AnthropicOptions = {}): LanguageModel => {
  // A base URL of OpenAI's form is what people have at hand.
  const baseUrl = (options.baseUrl ?? BASE_URL).replace(/\/v1\/?$/, '')
  const { provider = 'anthropic', title = 'Anthropic', keyName = 'ANTHROPIC_API_KEY', apiKey } = options
  const asked = (model: string): Asked => ({ provider: title, model, baseUrl, keyName, apiKey })
  let client: Promise<Anthropic> | undefined
  /** Sends a body once, without a limit of time; rejects without a key, and for a status that says an error. */
  const post = async (path: string, body: JsonObject, isStream: boolean, signal: AbortSignal | undefined) => {
    assertKey(options, title, keyName)
    const library = await (client ??= createClient(options, baseUrl))
    // Not by its methods for messages: they print warnings of old models on the screen.
    const request = {
      body,
      stream: isStream,
      maxRetries: 0,
      timeout: NEVER_MS,
      ...(signal === undefined ? {} : { signal }),
    }
    return library.post(path, request).asResponse()
  }
  return {
    provider,
    stream: (request) => {
      const body = { ...anthropicBody(request), max_tokens: request.maxOutputTokens, stream: true }
      return replyStream({
        asked: asked(request.model),
        signal: request.signal,
        firstByteMs: options.firstByteMs,
        idleMs: options.idleMs,
        decoder: new AnthropicDecoder(request),
        open: async (signal) => {
          assertRules(validateAnthropic(body), title)
          return serverSentEvents(await post('/v1/messages', body, true, signal))
        },
      })
    },
    countTokens: async (request) => {
      try {
        const response = await post('/v1/messages/count_tokens', anthropicBody(request), false, request.signal)
        const count = objectOf(await response.json()).input_tokens
        if (typeof count !== 'number') throw new StreamFailure({ message: 'it gave no count of tokens' })
        return count
      } catch (error) {
        if (request.signal?.aborted === true) throw new ModelError('cancelled', 'The request was cancelled.')
        throw modelErrorOf(error, asked(request.model))
      }
    },
  }
}

/** Loads the library and makes its client, which tries nothing again by itself. An empty key sends none. */
const createClient = async (
  { apiKey = '', keyHeader = 'authorization', version, headers }: AnthropicOptions,
  baseURL: string,
): Promise<Anthropic> => {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk')
  const key = keyHeader === 'x-api-key' ? { authorization: null, 'x-api-key': apiKey } : {}
  return new Client({
    baseURL,
    apiKey,
    maxRetries: 0,
    ...SILENT,
    defaultHeaders: {
      ...(apiKey === '' ? { authorization: null } : key),
      ...(version === undefined ? {} : { 'anthropic-version': version }),
      ...headers,
    },
  })
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'max-output',
  model_context_window_exceeded: 'max-output',
  pause_turn: 'pause',
}

/** A block that has begun: its fields so far. */
type OpenBlock =
  | { readonly type: 'text'; readonly text: GrowingText }
  | { readonly type: 'thinking'; readonly text: GrowingText; signature: string }
  | { readonly type: 'call'; readonly call: OpenCall }
  /** A block that is kept as it comes; a call of the provider's own tools gets its input in pieces. */
  | { readonly type: 'other'; readonly value: JsonObject; readonly input: GrowingText }

type Emit = (event: ModelEvent) => void

/** Reads a reply of the Messages API, event by event. */
export class AnthropicDecoder implements ReplyDecoder<ServerSentEvent> {
  responseId: string | undefined
  readonly #request: ModelRequest
  readonly #blocks = new ReplyBlocks()
  readonly #open = new Map<JsonValue | undefined, OpenBlock>()
  #counts: JsonObject | undefined
  #model: string | undefined
  #reason: string | undefined
  #isOver = false

  constructor(request: ModelRequest) {
    this.#request = request
  }

  get usage(): TokenUsage | undefined {
    return this.#counts === undefined ? undefined : anthropicUsage(this.#counts, this.#request)
  }

  /**
   * Takes the stream's next event and emits what it holds. Other events are ignored.
   * @throws StreamFailure for an error event; ModelError `refused`, `cut-off` for a call cut at the longest reply, or
   * `malformed` for an event that is no JSON
   */
  take(raw: ServerSentEvent, emit: Emit): void {
    if (raw.name === 'ping') return
    const event = eventData(raw)
    switch (event.type) {
      case 'content_block_delta':
        this.#delta(event.index, objectOf(event.delta), emit)
        return
      case 'content_block_start':
        this.#start(event.index, objectOf(event.content_block), emit)
        return
      case 'content_block_stop':
        this.#stop(event.index, emit)
        return
      case 'message_start': {
        const message = objectOf(event.message)
        this.responseId = stringOf(message.id)
        this.#model = stringOf(message.model)
        this.#count(message.usage, emit)
        return
      }
      case 'message_delta':
        this.#count(event.usage, emit)
        this.#stopped(objectOf(event.delta))
        return
      case 'message_stop':
        for (const index of this.#open.keys()) this.#stop(index, emit)
        this.#blocks.end(this.#stopReason() === 'max-output', emit)
        this.#isOver = true
        return
      case 'error':
        throw new StreamFailure(event.error)
      default:
    }
  }

  /** The end of the reply; undefined until the last event has come. */
  end(): ModelDone | undefined {
    if (!this.#isOver) return undefined
    const { usage, responseId } = this
    return replyEnd({
      request: this.#request,
      usage,
      responseId,
      model: this.#model,
      stopReason: this.#stopReason(),
      providerReason: this.#reason ?? '',
    })
  }

  #stopReason(): StopReason {
    return STOP_REASONS[this.#reason ?? ''] ?? 'other'
  }

  /** Puts counts over those before, and emits the usage so far. Nothing for none. */
  #count(usage: JsonValue | undefined, emit: Emit): void {
    if (usage === undefined || usage === null) return
    this.#counts = mergeCounts(this.#counts ?? {}, usage)
    emit({ type: 'usage', usage: anthropicUsage(this.#counts, this.#request) })
  }

  /**
   * Notes why the reply stops.
   * @throws ModelError if the provider refused
   */
  #stopped({ stop_reason: reason, stop_details: details }: JsonObject): void {
    this.#reason = stringOf(reason) ?? this.#reason
    if (this.#reason !== 'refusal') return
    const { category, explanation } = objectOf(details)
    throw refused(this.#request.model, stringOf(explanation) ?? stringOf(category))
  }

  /**
   * Begins a block of the reply, and emits the text or input that it may bring. One of an unknown type is kept as it
   * is.
   */
  #start(index: JsonValue | undefined, block: JsonObject, emit: Emit): void {
    const { type } = block
    const text = stringOf(block.text) ?? stringOf(block.thinking)
    if (type === 'text') this.#open.set(index, { type, text: new GrowingText() })
    else if (type === 'thinking')
      this.#open.set(index, { type, text: new GrowingText(), signature: stringOf(block.signature) ?? '' })
    else if (type === 'tool_use') {
      const call = openCall(stringOf(block.id) ?? '', stringOf(block.name) ?? '')
      this.#open.set(index, { type: 'call', call })
      // Some servers give the whole input at once.
      if (Object.keys(objectOf(block.input)).length > 0) this.#add(index, JSON.stringify(block.input), emit)
    } else this.#open.set(index, { type: 'other', value: block, input: new GrowingText() })
    if (text !== undefined && (type === 'text' || type === 'thinking')) this.#add(index, text, emit)
  }

  /** Adds a piece of text, reasoning, signature or input to an open block. Ignored if the block is not open. */
  #delta(index: JsonValue | undefined, delta: JsonObject, emit: Emit): void {
    const signature = stringOf(delta.signature)
    const block = this.#open.get(index)
    if (signature !== undefined && block?.type === 'thinking') block.signature += signature
    const text = stringOf(delta.text) ?? stringOf(delta.thinking) ?? stringOf(delta.partial_json)
    if (text !== undefined) this.#add(index, text, emit)
  }

  /**
   * Adds a piece to an open block, whatever it is a piece of, and emits it as text, reasoning or progress of a call.
   * Ignored if the block is not open.
   */
  #add(index: JsonValue | undefined, piece: string, emit: Emit): void {
    const block = this.#open.get(index)
    switch (block?.type) {
      case 'text':
      case 'thinking':
        block.text.add(piece)
        emit({ type: block.type, text: piece })
        return
      case 'call':
        block.call.arguments.add(piece)
        emit({ type: 'tool-call-progress', id: block.call.id, name: block.call.name, piece })
        return
      case 'other':
        block.input.add(piece)
        return
      case undefined:
    }
  }

  /** Ends a block and emits it whole; an empty text is left out. Nothing if it is not open. */
  #stop(index: JsonValue | undefined, emit: Emit): void {
    const block = this.#open.get(index)
    this.#open.delete(index)
    switch (block?.type) {
      case 'text':
        // The API gives empty texts and does not take them back.
        if (block.text.toString() !== '') this.#blocks.add({ type: 'text', text: block.text.toString() }, emit)
        return
      case 'thinking': {
        const { signature } = block
        const text = block.text.toString()
        this.#blocks.add({ type: 'thinking', text, ...(signature === '' ? {} : { signature }) }, emit)
        return
      }
      case 'call':
        this.#blocks.addCall(block.call, emit)
        return
      case 'other':
        this.#blocks.add({ type: 'other', value: withInput(block.value, block.input.toString()) }, emit)
        return
      case undefined:
    }
  }
}

/** A block with the input that came in pieces, as a text where it is no JSON; as it is without any. */
const withInput = (block: JsonObject, input: string): JsonObject =>
  input === '' ? block : { ...block, input: parseJson(input)?.value ?? input }

/**
 * Counts as disjoint classes. Cache writes without a split count as those of an hour if all breakpoints of the request
 * asked for an hour or more, else as those of five minutes.
 */
const anthropicUsage = (counts: JsonObject, { cacheBreakpoints = [] }: ModelRequest): TokenUsage => {
  const split = objectOf(counts.cache_creation)
  const long = countOf(split.ephemeral_1h_input_tokens)
  const short = countOf(split.ephemeral_5m_input_tokens)
  const rest = Math.max(0, countOf(counts.cache_creation_input_tokens) - long - short)
  const isAllLong =
    cacheBreakpoints.length > 0 && cacheBreakpoints.every(({ lifetime }) => lifetime === '1h' || lifetime === '12h')
  const reasoning = objectOf(counts.output_tokens_details).thinking_tokens
  return {
    inputTokens: countOf(counts.input_tokens),
    cacheReadTokens: countOf(counts.cache_read_input_tokens),
    cacheWrite5mTokens: short + (isAllLong ? 0 : rest),
    cacheWrite1hTokens: long + (isAllLong ? rest : 0),
    outputTokens: countOf(counts.output_tokens),
    ...(reasoning === undefined ? {} : { reasoningTokens: countOf(reasoning) }),
  }
}
