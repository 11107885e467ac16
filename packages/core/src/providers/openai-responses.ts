/** OpenAI's Responses API, without anything stored there. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { TextBlock } from '../messages.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
} from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import { responsesBody, responsesInput, type ResponsesSettings } from './bodies/openai-responses.ts'
import { connectOpenAI, openAIUsage, type OpenAIOptions } from './openai-client.ts'
import { validateOpenAIResponses } from './rules/openai-responses.ts'
import { assertRules } from './rules/wire-rules.ts'
import { modelErrorOf, StreamFailure } from './shared/failures.ts'
import { cutWithinCall, openCall, refused, ReplyBlocks, type OpenCall } from './shared/reply-blocks.ts'
import { replyEnd } from './shared/reply-end.ts'
import { replyStream, type ReplyDecoder } from './shared/reply-stream.ts'
import { eventData, serverSentEvents, type ServerSentEvent } from './shared/server-sent-events.ts'

export interface OpenAIResponsesOptions extends OpenAIOptions, ResponsesSettings {}

/**
 * Models over OpenAI's Responses API. Makes each request once: see `withRetries`. Nothing is sent, and the key is not
 * looked at, before a request. Then `stream` throws while it is read, and `countTokens` rejects, with a ModelError; a
 * reply that breaks the API's rules is not asked for (`bad-request`).
 */
export const createOpenAIResponsesModel = (options: OpenAIResponsesOptions = {}): LanguageModel => {
  const connection = connectOpenAI(options)
  return {
    provider: connection.provider,
    stream: (request) => {
      const body = responsesBody(request, options)
      return replyStream({
        asked: connection.asked(request.model),
        signal: request.signal,
        firstByteMs: options.firstByteMs,
        idleMs: options.idleMs,
        decoder: new ResponsesDecoder(request),
        open: async (signal) => {
          assertRules(validateOpenAIResponses(body), connection.title)
          return serverSentEvents(await connection.post('/responses', body, true, signal))
        },
      })
    },
    countTokens: async (request) => {
      try {
        const { prompt_cache_key: _key, prompt_cache_options: _options, ...body } = responsesInput(request, options)
        const response = await connection.post('/responses/input_tokens', body, false, request.signal)
        const count = objectOf(await response.json()).input_tokens
        if (typeof count !== 'number') throw new StreamFailure({ message: 'it gave no count of tokens' })
        return count
      } catch (error) {
        if (request.signal?.aborted === true) throw new ModelError('cancelled', 'The request was cancelled.')
        throw modelErrorOf(error, connection.asked(request.model))
      }
    },
  }
}

type Emit = (event: ModelEvent) => void

/** Reads a reply of the Responses API, event by event. */
export class ResponsesDecoder implements ReplyDecoder<ServerSentEvent> {
  responseId: string | undefined
  usage: TokenUsage | undefined
  readonly #request: ModelRequest
  readonly #blocks = new ReplyBlocks()
  /** Calls that have begun, by the index of their item. */
  readonly #calls = new Map<JsonValue | undefined, OpenCall>()
  #model: string | undefined
  #hasCalls = false
  #refusal: string | undefined
  #end: Pick<ModelDone, 'stopReason' | 'providerReason'> | undefined

  constructor(request: ModelRequest) {
    this.#request = request
  }

  /**
   * Takes the stream's next event and emits what it holds. Other events are ignored.
   * @throws StreamFailure for an error event; ModelError `refused`, `cut-off` for a cut call, or `malformed` for an
   * event that is no JSON
   */
  take(raw: ServerSentEvent, emit: Emit): void {
    const event = eventData(raw)
    switch (event.type) {
      case 'response.output_text.delta':
        emitText('text', event.delta, emit)
        return
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        emitText('thinking', event.delta, emit)
        return
      case 'response.reasoning_summary_part.added':
        if (event.summary_index !== 0) emitText('thinking', PARAGRAPH, emit)
        return
      case 'response.function_call_arguments.delta':
        this.#addArguments(event, emit)
        return
      case 'response.output_item.added':
        this.#itemAdded(event.output_index, objectOf(event.item))
        return
      case 'response.output_item.done':
        this.#itemDone(event.output_index, objectOf(event.item), emit)
        return
      case 'error':
        throw new StreamFailure(isJsonObject(event.error) ? event.error : { ...event, type: undefined })
      default:
        if (isJsonObject(event.response)) this.#takeResponse(event.type, event.response, emit)
    }
  }

  /**
   * Takes an event of the response as a whole: its id, model and usage; only the last event ends it.
   * @throws StreamFailure for a failed one, ModelError for a refusal or a cut call
   */
  #takeResponse(type: JsonValue | undefined, response: JsonObject, emit: Emit): void {
    this.#read(response, emit)
    if (type === 'response.failed') throw new StreamFailure(response.error)
    if (type === 'response.completed' || type === 'response.incomplete') this.#finish(response, emit)
  }

  /** The end of the reply; undefined until the last event has come. */
  end(): ModelDone | undefined {
    if (this.#end === undefined) return undefined
    const { usage, responseId } = this
    return replyEnd({ request: this.#request, usage, responseId, model: this.#model, ...this.#end })
  }

  /**
   * Reads id, model and usage of a response, and emits the usage. Emits nothing without usage; what was read before
   * stays where the response does not tell it.
   */
  #read({ id, model, usage }: JsonObject, emit: Emit): void {
    this.responseId = stringOf(id) ?? this.responseId
    this.#model = stringOf(model) ?? this.#model
    if (!isJsonObject(usage)) return
    this.usage = openAIUsage({
      input: usage.input_tokens,
      inputDetails: usage.input_tokens_details,
      output: usage.output_tokens,
      outputDetails: usage.output_tokens_details,
    })
    emit({ type: 'usage', usage: this.usage })
  }

  /** Adds a piece of arguments to its call; ignored if that is not open. */
  #addArguments({ output_index: index, delta }: JsonObject, emit: Emit): void {
    const call = this.#calls.get(index)
    const piece = stringOf(delta)
    if (call === undefined || piece === undefined) return
    call.arguments.add(piece)
    emit({ type: 'tool-call-progress', id: call.id, name: call.name, piece })
  }

  /** Opens a call; other items are taken when they are whole. */
  #itemAdded(index: JsonValue | undefined, item: JsonObject): void {
    if (item.type !== 'function_call') return
    this.#calls.set(index, openCall(stringOf(item.call_id) ?? '', stringOf(item.name) ?? ''))
  }

  /**
   * Takes an item that is whole and emits its blocks; unknown kinds are kept as they are. A call that is not whole
   * stays open.
   */
  #itemDone(index: JsonValue | undefined, item: JsonObject, emit: Emit): void {
    switch (item.type) {
      case 'message':
        for (const part of arrayOf(item.content)) this.#addPart(objectOf(part), item.phase, emit)
        return
      case 'reasoning':
        this.#addReasoning(item, emit)
        return
      case 'function_call': {
        // One that is not whole stays open.
        if (item.status === 'incomplete') return
        const id = stringOf(item.call_id) ?? this.#calls.get(index)?.id ?? ''
        this.#calls.delete(index)
        this.#hasCalls = true
        const call = openCall(id, stringOf(item.name) ?? '')
        call.arguments.add(stringOf(item.arguments) ?? '{}')
        this.#blocks.addCall(call, emit)
        return
      }
      default:
        this.#blocks.add({ type: 'other', value: item }, emit)
    }
  }

  /** Takes a part of a message: a text, or a refusal, which is kept until the end. */
  #addPart(part: JsonObject, phase: JsonValue | undefined, emit: Emit): void {
    this.#refusal ??= stringOf(part.refusal)
    const text = stringOf(part.text)
    if (text === undefined) return
    const block: TextBlock = { type: 'text', text }
    const isKnown = phase === 'commentary' || phase === 'final_answer'
    this.#blocks.add(isKnown ? { ...block, phase } : block, emit)
  }

  /** Adds reasoning with its encrypted form, by which it can be sent back; nothing if it has neither. */
  #addReasoning({ summary, content, encrypted_content: encrypted }: JsonObject, emit: Emit): void {
    const text = [...arrayOf(summary), ...arrayOf(content)]
      .map((part) => stringOf(objectOf(part).text) ?? '')
      .filter((part) => part !== '')
      .join(PARAGRAPH)
    const signature = stringOf(encrypted)
    if (text === '' && signature === undefined) return
    const signed = signature === undefined ? {} : ({ signature, signedBy: 'openai' } as const)
    this.#blocks.add({ type: 'thinking', text, ...signed }, emit)
  }

  /**
   * Ends the reply, and emits the blocks that waited. `stopReason` is `tool-calls` if there was a call, `max-output` at
   * the longest reply.
   * @throws ModelError for a refusal, or a call cut by its end
   */
  #finish(response: JsonObject, emit: Emit): void {
    const reason = stringOf(objectOf(response.incomplete_details).reason)
    if (this.#refusal !== undefined || reason === 'content_filter') throw refused(this.#request.model, this.#refusal)
    const isAtLimit = reason === 'max_output_tokens'
    const [open] = this.#calls.values()
    if (open !== undefined) throw cutWithinCall(open.name, isAtLimit)
    this.#blocks.end(isAtLimit, emit)
    const stopReason: StopReason =
      reason === undefined ? (this.#hasCalls ? 'tool-calls' : 'end') : isAtLimit ? 'max-output' : 'other'
    this.#end = { stopReason, providerReason: reason ?? stringOf(response.status) ?? 'completed' }
  }
}

/** Between the parts of a summary. */
const PARAGRAPH = '\n\n'

/** Emits a piece of text; nothing for an empty one, or what is no text. */
const emitText = (type: 'text' | 'thinking', delta: JsonValue | undefined, emit: Emit): void => {
  const text = stringOf(delta)
  if (text !== undefined) emit({ type, text })
}
