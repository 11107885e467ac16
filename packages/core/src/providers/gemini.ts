/** Google's Gemini API, without its library (docs/decisions/032-gemini-without-its-library.md). */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject } from '../json.ts'
import type { ImageBlock } from '../messages.ts'
import {
  ModelError,
  type LanguageModel,
  type ModelDone,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
} from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import { geminiBody } from './bodies/gemini.ts'
import { connectGemini, GeminiFailure, type GeminiOptions } from './gemini-client.ts'
import { geminiName } from './gemini-models.ts'
import { validateGemini } from './rules/gemini.ts'
import { assertRules } from './rules/wire-rules.ts'
import { modelErrorOf, StreamFailure } from './shared/failures.ts'
import { GrowingText } from './shared/growing-text.ts'
import { refused } from './shared/reply-blocks.ts'
import { replyEnd } from './shared/reply-end.ts'
import { replyStream, type ReplyDecoder } from './shared/reply-stream.ts'
import { eventData, serverSentEvents, type ServerSentEvent } from './shared/server-sent-events.ts'
import { mergeCounts } from './shared/usage-counts.ts'

/**
 * Models over Gemini's API, or over a server that speaks it at `baseUrl`. Makes each request once: see `withRetries`.
 * Nothing is sent, and the key is not looked at, before a request. Then `stream` throws while it is read, and
 * `countTokens` rejects, with a ModelError; a reply that breaks the API's rules is not asked for (`bad-request`).
 */
export const createGeminiModel = (options: GeminiOptions = {}): LanguageModel => {
  const connection = connectGemini(options)
  return {
    provider: connection.provider,
    stream: (request) => {
      const body = geminiBody(request)
      return replyStream({
        asked: connection.asked(request.model),
        signal: request.signal,
        firstByteMs: options.firstByteMs,
        idleMs: options.idleMs,
        decoder: new GeminiDecoder(request),
        open: async (signal) => {
          assertRules(validateGemini(body), connection.title)
          return serverSentEvents(await connection.post(request.model, 'streamGenerateContent?alt=sse', body, signal))
        },
      })
    },
    countTokens: async (request) => {
      try {
        const whole = { model: `models/${geminiName(request.model)}`, ...geminiBody(request) }
        const asked = { generateContentRequest: whole }
        const response = await connection.post(request.model, 'countTokens', asked, request.signal)
        const count = objectOf(await response.json()).totalTokens
        if (typeof count !== 'number') throw new StreamFailure({ message: 'it gave no count of tokens' })
        return count
      } catch (error) {
        if (request.signal?.aborted === true) throw new ModelError('cancelled', 'The request was cancelled.')
        throw modelErrorOf(error, connection.asked(request.model))
      }
    },
  }
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = { STOP: 'end', MAX_TOKENS: 'max-output' }

/** Why the model or a filter ended a reply that it will not give. */
const REFUSALS = /^(?:IMAGE_)?(?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII|RECITATION)$/
/** The model began a call that it could not write. */
const UNREADABLE = /^(?:MALFORMED_FUNCTION_CALL|MALFORMED_RESPONSE|UNEXPECTED_TOOL_CALL)$/

type Emit = (event: ModelEvent) => void

class GeminiDecoder implements ReplyDecoder<ServerSentEvent> {
  responseId: string | undefined
  readonly #request: ModelRequest
  /** The text or reasoning that is being written. */
  #open: { readonly type: 'text' | 'thinking'; readonly text: GrowingText } | undefined
  #calls = 0
  #counts: JsonObject | undefined
  #model: string | undefined
  #reason: string | undefined
  /** Why the reply failed: told at its end, with its usage. */
  #failure: ModelError | undefined

  constructor(request: ModelRequest) {
    this.#request = request
  }

  get usage(): TokenUsage | undefined {
    return this.#counts === undefined ? undefined : geminiUsage(this.#counts)
  }

  /**
   * Takes the stream's next chunk and emits its parts, and the usage if it has one. A refusal or an unreadable call is
   * kept until the end.
   * @throws GeminiFailure for a chunk that is an error, ModelError `malformed` for one that is no JSON
   */
  take(raw: ServerSentEvent, emit: Emit): void {
    const chunk = eventData(raw)
    if (isJsonObject(chunk.error)) throw new GeminiFailure(chunk.error)
    this.responseId ??= stringOf(chunk.responseId)
    this.#model ??= stringOf(chunk.modelVersion)
    const candidate = objectOf(arrayOf(chunk.candidates)[0])
    for (const part of arrayOf(objectOf(candidate.content).parts)) this.#part(objectOf(part), emit)
    const reason = stringOf(candidate.finishReason)
    if (reason !== undefined) this.#finish(reason, stringOf(candidate.finishMessage), emit)
    const { blockReason, blockReasonMessage } = objectOf(chunk.promptFeedback)
    const blocked = stringOf(blockReason)
    if (blocked !== undefined) this.#refuse(blocked, stringOf(blockReasonMessage))
    if (!isJsonObject(chunk.usageMetadata)) return
    this.#counts = mergeCounts(this.#counts ?? {}, chunk.usageMetadata)
    emit({ type: 'usage', usage: geminiUsage(this.#counts) })
  }

  /**
   * The end of the reply; undefined until the body has ended (no event says that it is the last one, and some models
   * give a reason with every chunk), and for a body without a reason, which was cut.
   * @throws ModelError `refused` or `malformed`, the reply's failure
   */
  end(isOver: boolean): ModelDone | undefined {
    if (!isOver || this.#reason === undefined) return undefined
    if (this.#failure !== undefined) throw this.#failure
    const { usage, responseId } = this
    const stopReason = STOP_REASONS[this.#reason] ?? 'other'
    return replyEnd({
      request: this.#request,
      usage,
      responseId,
      model: this.#model === geminiName(this.#request.model) ? undefined : this.#model,
      stopReason: stopReason === 'end' && this.#calls > 0 ? 'tool-calls' : stopReason,
      providerReason: this.#reason,
    })
  }

  /**
   * Notes why the reply ends; a refusal or an unreadable tool call becomes its failure. The open text is closed before.
   */
  #finish(reason: string, message: string | undefined, emit: Emit): void {
    this.#reason = reason
    this.#closeText(emit)
    if (REFUSALS.test(reason)) this.#refuse(reason, message)
    else if (UNREADABLE.test(reason))
      this.#failure = new ModelError(
        'malformed',
        `${this.#request.model} wrote a tool call that can't be read (${reason}): ask again.`,
      )
  }

  /** Keeps a refusal as the reply's failure, in the provider's words (`message`), else by its reason. */
  #refuse(reason: string, message: string | undefined): void {
    this.#reason = reason
    this.#failure = refused(this.#request.model, message ?? reason)
  }

  /**
   * Takes one part: text, reasoning, a call, an image, or anything else, which is kept as an `other` block with its
   * signature. The signature of a call or image is a block of its own before it. A part with nothing but a signature
   * adds that alone.
   */
  #part(part: JsonObject, emit: Emit): void {
    const { text, thought, functionCall, thoughtSignature } = part
    const signature = stringOf(thoughtSignature)
    if (typeof text === 'string') {
      this.#text(thought === true ? 'thinking' : 'text', text, signature, emit)
      return
    }
    const isCall = isJsonObject(functionCall)
    const image = isCall ? undefined : imageOf(part)
    const isOther = !isCall && image === undefined
    if (isOther && Object.keys(part).every((key) => key === 'thought' || key === 'thoughtSignature')) {
      this.#seal(signature, emit)
      return
    }
    // A part without a block of its own is kept whole, with its signature.
    if (!isOther) this.#seal(signature, emit)
    this.#closeText(emit)
    if (isCall) this.#call(functionCall, emit)
    else emit({ type: 'block', block: image ?? { type: 'other', value: part } })
  }

  /**
   * Adds a piece of text or reasoning and emits it; pieces of one kind in a row become one block, but a signed piece is
   * one by itself. Reasoning carries its signature; a text's is a block of its own before it. An empty piece adds only
   * its signature, if it has one.
   */
  #text(type: 'text' | 'thinking', text: string, signature: string | undefined, emit: Emit): void {
    if (signature !== undefined && (text === '' || type === 'text')) this.#seal(signature, emit)
    if (text === '') return
    if (this.#open?.type !== type || signature !== undefined) {
      this.#closeText(emit)
      this.#open = { type, text: new GrowingText() }
    }
    this.#open.text.add(text)
    emit({ type, text })
    // A signed part is whole: nothing may be joined to it.
    if (signature !== undefined) this.#closeText(emit, type === 'thinking' ? signature : undefined)
  }

  /** Closes the open text and emits a signature as an empty block of reasoning to be sent back; nothing without one. */
  #seal(signature: string | undefined, emit: Emit): void {
    if (signature === undefined) return
    this.#closeText(emit)
    emit({ type: 'block', block: { type: 'thinking', text: '', signature, signedBy: 'google' } })
  }

  /** Emits the open text or reasoning as a block and closes it; nothing if none is open. `signature`: of reasoning. */
  #closeText(emit: Emit, signature?: string): void {
    if (this.#open === undefined) return
    const { type, text } = this.#open
    const signed = signature === undefined ? {} : ({ signature, signedBy: 'google' } as const)
    emit({ type: 'block', block: { type, text: text.toString(), ...(type === 'thinking' ? signed : {}) } })
    this.#open = undefined
  }

  /**
   * Emits a call, which comes whole, as one piece of progress and a block, and counts it. Without an id it gets one of
   * the reply's id and that count. A missing name is '', and arguments that are no object are `{}`; never throws.
   */
  #call(call: JsonObject, emit: Emit): void {
    this.#calls += 1
    // Older models give calls no ids.
    const id = stringOf(call.id) ?? `call_${this.responseId ?? 'reply'}_${this.#calls}`
    const name = stringOf(call.name) ?? ''
    const input = objectOf(call.args)
    emit({ type: 'tool-call-progress', id, name, piece: JSON.stringify(input) })
    emit({ type: 'block', block: { type: 'tool_call', id, name, input } })
  }
}

/** The image in a part; undefined for other parts, and for data that are no image. */
const imageOf = ({ inlineData }: JsonObject): ImageBlock | undefined => {
  const { mimeType, data } = objectOf(inlineData)
  if (typeof mimeType !== 'string' || typeof data !== 'string' || !mimeType.startsWith('image/')) return undefined
  return { type: 'image', mediaType: mimeType, data }
}

/**
 * Gemini's counts as disjoint classes: its prompt includes cache reads, which are taken off, and its output leaves out
 * reasoning, which is added. Counts that are not there are 0, but `reasoningTokens` is then absent.
 */
const geminiUsage = (counts: JsonObject): TokenUsage => {
  const { thoughtsTokenCount: thoughts } = counts
  const read = countOf(counts.cachedContentTokenCount)
  const prompt = countOf(counts.promptTokenCount) + countOf(counts.toolUsePromptTokenCount)
  return {
    inputTokens: Math.max(0, prompt - read),
    cacheReadTokens: read,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: countOf(counts.candidatesTokenCount) + countOf(thoughts),
    ...(typeof thoughts === 'number' ? { reasoningTokens: countOf(thoughts) } : {}),
  }
}
