/** OpenAI's Chat Completions, of OpenAI and of the many servers that speak it: Ollama, vLLM, LM Studio, OpenRouter. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
} from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import { chatBody } from './bodies/openai-chat.ts'
import { connectOpenAI, openAIUsage, type OpenAIOptions } from './openai-client.ts'
import { validateOpenAIChat } from './rules/openai-chat.ts'
import { assertRules } from './rules/wire-rules.ts'
import { StreamFailure } from './shared/failures.ts'
import { GrowingText } from './shared/growing-text.ts'
import { openCall, refused, ReplyBlocks, type OpenCall } from './shared/reply-blocks.ts'
import { replyEnd } from './shared/reply-end.ts'
import { replyStream, type ReplyDecoder } from './shared/reply-stream.ts'
import { eventData, serverSentEvents, type ServerSentEvent } from './shared/server-sent-events.ts'
import { mergeCounts } from './shared/usage-counts.ts'

/**
 * Models over OpenAI's Chat Completions, which most other servers speak, too (`baseUrl`). Makes each request once: see
 * `withRetries`. Nothing is sent, and the key is not looked at, before a request. Then it throws a ModelError while it
 * is read; one that breaks the API's rules is not sent (`bad-request`). It can't count tokens.
 */
export const createOpenAIChatModel = (options: OpenAIOptions = {}): LanguageModel => {
  const connection = connectOpenAI(options)
  return {
    provider: connection.provider,
    stream: (request) => {
      const body = chatBody(request, connection.isHosted)
      return replyStream({
        asked: connection.asked(request.model),
        signal: request.signal,
        firstByteMs: options.firstByteMs,
        idleMs: options.idleMs,
        decoder: new ChatDecoder(request),
        open: async (signal) => {
          assertRules(validateOpenAIChat(body), connection.title)
          return serverSentEvents(await connection.post('/chat/completions', body, true, signal))
        },
      })
    },
  }
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  eos: 'end',
  length: 'max-output',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
}

type Emit = (event: ModelEvent) => void

interface ListedCall {
  readonly index: JsonValue | undefined
  readonly call: OpenCall
  /** Google's, over its compatible API. */
  signature: string | undefined
}

const newCall = (index: ListedCall['index'], call: OpenCall): ListedCall => ({ index, call, signature: undefined })

/** Reads a reply of Chat Completions, event by event. */
export class ChatDecoder implements ReplyDecoder<ServerSentEvent> {
  responseId: string | undefined
  readonly #request: ModelRequest
  readonly #blocks = new ReplyBlocks()
  /** The text or reasoning that is being written. */
  #open: { readonly type: 'text' | 'thinking'; readonly text: GrowingText } | undefined
  readonly #calls: ListedCall[] = []
  #counts: JsonObject | undefined
  #model: string | undefined
  #refusal = ''
  #reason: string | undefined
  #isOver = false
  /** Why the reply failed: told at its end, with its usage. */
  #failure: ModelError | undefined

  constructor(request: ModelRequest) {
    this.#request = request
  }

  get usage(): TokenUsage | undefined {
    return this.#counts === undefined ? undefined : chatUsage(this.#counts)
  }

  /**
   * Takes the stream's next chunk and emits what it holds. `[DONE]` ends the reply. A refusal or a cut call is kept for
   * {@link end}.
   * @throws StreamFailure for an error, ModelError `malformed` for a chunk that is no JSON
   */
  take(raw: ServerSentEvent, emit: Emit): void {
    if (raw.data.trim() === '[DONE]') {
      this.#isOver = true
      return
    }
    const chunk = eventData(raw)
    if (isJsonObject(chunk.error)) throw new StreamFailure(chunk.error)
    if (typeof chunk.error === 'string') throw new StreamFailure({ message: chunk.error })
    this.responseId ??= stringOf(chunk.id)
    this.#model ??= stringOf(chunk.model)
    const choice = objectOf(arrayOf(chunk.choices)[0])
    this.#delta(objectOf(choice.delta), emit)
    if (isJsonObject(chunk.usage)) {
      this.#counts = mergeCounts(this.#counts ?? {}, chunk.usage)
      emit({ type: 'usage', usage: chatUsage(this.#counts) })
    }
    const reason = stringOf(choice.finish_reason)
    if (reason !== undefined && this.#reason === undefined) this.#finish(reason, emit)
  }

  /**
   * The end of the reply; undefined until the reason why it ended has come, and then `[DONE]` or the end of the stream:
   * the usage comes between them. Throws the reply's failure.
   */
  end(isOver: boolean): ModelDone | undefined {
    if (this.#reason === undefined || !(isOver || this.#isOver)) return undefined
    if (this.#failure !== undefined) throw this.#failure
    const { usage, responseId } = this
    const stopReason = STOP_REASONS[this.#reason] ?? 'other'
    return replyEnd({
      request: this.#request,
      usage,
      responseId,
      model: this.#model,
      // Some servers end replies with calls as they do others.
      stopReason: stopReason === 'end' && this.#calls.length > 0 ? 'tool-calls' : stopReason,
      providerReason: this.#reason,
    })
  }

  /** Takes what a chunk adds: reasoning, text, a refusal, calls. */
  #delta(delta: JsonObject, emit: Emit): void {
    // Servers have two names for it; OpenRouter sends both.
    this.#addText('thinking', stringOf(delta.reasoning_content) ?? stringOf(delta.reasoning), emit)
    this.#addText('text', stringOf(delta.content), emit)
    this.#refusal += stringOf(delta.refusal) ?? ''
    for (const piece of arrayOf(delta.tool_calls)) this.#addCall(objectOf(piece), emit)
  }

  /** Adds a piece of text or reasoning, and ends what was open of the other kind; undefined is nothing. */
  #addText(type: 'text' | 'thinking', text: string | undefined, emit: Emit): void {
    if (text === undefined) return
    if (this.#open?.type !== type) {
      this.#closeText(emit)
      this.#open = { type, text: new GrowingText() }
    }
    this.#open.text.add(text)
    emit({ type, text })
  }

  /** Ends the open text or reasoning; nothing if none is open. */
  #closeText(emit: Emit): void {
    if (this.#open !== undefined) this.#blocks.add({ type: this.#open.type, text: this.#open.text.toString() }, emit)
    this.#open = undefined
  }

  /**
   * Adds a piece of a call, which begins one if its index or id is new. A call without an id gets one. The open text is
   * ended before.
   */
  #addCall({ index, id, function: called, extra_content: extra }: JsonObject, emit: Emit): void {
    this.#closeText(emit)
    const { name, arguments: piece } = objectOf(called)
    const callId = stringOf(id)
    const last = this.#calls.findLast((one) => one.index === index)
    // Some servers give all calls the same index, and each an id of its own.
    const isSame = last !== undefined && (callId === undefined || callId === last.call.id)
    const known = isSame ? last : newCall(index, openCall(callId ?? this.#newId(), stringOf(name) ?? ''))
    if (!isSame) this.#calls.push(known)
    known.signature ??= stringOf(objectOf(objectOf(extra).google).thought_signature)
    const { call } = known
    const text = typeof piece === 'object' && piece !== null ? JSON.stringify(piece) : stringOf(piece)
    if (text === undefined) return
    call.arguments.add(text)
    emit({ type: 'tool-call-progress', id: call.id, name: call.name, piece: text })
  }

  /** For servers that give calls no ids. */
  #newId(): string {
    return `call_${this.responseId ?? 'reply'}_${this.#calls.length}`
  }

  /**
   * Ends the reply at the provider's first reason, and emits its open text and its calls; of a refusal neither. A
   * refusal or a call that was cut becomes its failure, which `end` throws, after usage has come.
   */
  #finish(reason: string, emit: Emit): void {
    this.#reason = reason
    if (reason === 'content_filter' || this.#refusal !== '') {
      this.#failure = refused(this.#request.model, this.#refusal)
      return
    }
    this.#closeText(emit)
    for (const { call, signature } of this.#calls) {
      // Kept as Gemini's own API has it: a block of its own before what it seals.
      if (signature !== undefined) this.#blocks.add({ type: 'thinking', text: '', signature, signedBy: 'google' }, emit)
      this.#blocks.addCall(call, emit)
    }
    try {
      this.#blocks.end(STOP_REASONS[reason] === 'max-output', emit)
    } catch (error) {
      if (!ModelError.is(error)) throw error
      this.#failure = error
    }
  }
}

/** The usage of a reply; counts that are not there are 0. */
const chatUsage = (counts: JsonObject): TokenUsage => {
  const details = objectOf(counts.prompt_tokens_details)
  return openAIUsage({
    input: counts.prompt_tokens,
    // DeepSeek has a name of its own for it.
    inputDetails: { ...details, cached_tokens: details.cached_tokens ?? counts.prompt_cache_hit_tokens },
    output: counts.completion_tokens,
    outputDetails: counts.completion_tokens_details,
  })
}
