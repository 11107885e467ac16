/**
 * A copy of a reply, read as it passes: its blocks, what it used, and how it ended. It is read by the same decoders as
 * replies to requests of Cairn's own. Whatever can't be read changes nothing of what the client gets.
 */
import type { IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { messageOf, type ModelErrorCode } from '../../errors.ts'
import { arrayOf, isJsonObject, objectOf, parseJson, stringOf, type JsonObject } from '../../json.ts'
import type { ContentBlock } from '../../messages.ts'
import { ModelError, type ModelDone, type ModelEvent, type ModelRequest } from '../../ports/language-model.ts'
import type { TokenUsage } from '../../ports/price-book.ts'
import type { RequestLatency } from '../../ports/usage-storage.ts'
import { AnthropicDecoder } from '../../providers/anthropic.ts'
import { ChatDecoder } from '../../providers/openai-chat.ts'
import { ResponsesDecoder } from '../../providers/openai-responses.ts'
import { modelErrorOf } from '../../providers/shared/failures.ts'
import type { ReplyDecoder } from '../../providers/shared/reply-stream.ts'
import { EventParser, type ServerSentEvent } from '../../providers/shared/server-sent-events.ts'
import { Attempt } from '../../requests/attempt.ts'
import { LARGEST_COPY } from './body-copy.ts'
import { headerOf } from './headers.ts'
import type { Wire } from './routes.ts'

/** What came of the request's one attempt, by the time of its end. */
interface CopiedAttempt {
  /** When it was sent, ms. */
  readonly startedAt: number
  /** Whether a part of the reply came. */
  readonly hasBegun: boolean
  /** The blocks that are whole, in order. */
  readonly blocks: readonly ContentBlock[]
  /** What a person can read of a reply that broke off. */
  readonly readableBlocks: readonly ContentBlock[]
  readonly visibleCharacters: number
  /** Undefined where nothing of a reply came. */
  readonly latency: RequestLatency | undefined
}

/** What came of a request: data only, so that another thread can be given it. */
export interface CopiedReply {
  readonly attempt: CopiedAttempt
  /** The provider's id of the reply; undefined where none was read. */
  readonly responseId: string | undefined
  /** The model that answered, as the provider names it. */
  readonly model: string | undefined
  readonly usage: TokenUsage | undefined
  /** Why there is no whole reply; undefined where there is one. */
  readonly error: ReplyError | undefined
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined
}

export interface ReplyError {
  readonly code: ModelErrorCode
  /** One sentence. */
  readonly message: string
}

const DECODERS: Readonly<Record<Wire, new (request: ModelRequest) => ReplyDecoder<ServerSentEvent>>> = {
  anthropic: AnthropicDecoder,
  responses: ResponsesDecoder,
  chat: ChatDecoder,
}
const PROVIDERS: Readonly<Record<Wire, string>> = { anthropic: 'Anthropic', responses: 'OpenAI', chat: 'OpenAI' }

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/**
 * Reads one reply as it passes: its head, its bytes, then its end, once. Nothing here throws for what can't be read.
 */
export class ReplyCopy {
  readonly #attempt: Attempt
  readonly #wire: Wire
  readonly #now: () => number
  readonly #decoder: ReplyDecoder<ServerSentEvent>
  readonly #parser = new EventParser()
  readonly #text = new TextDecoder('utf-8')
  /** What a body that is no stream of events holds so far; undefined: too much. */
  #whole: string[] | undefined = []
  #wholeLength = 0
  #isStream = false
  #unpacker: Transform | undefined
  #status: number | undefined
  #done: ModelDone | undefined
  #failure: unknown
  #model: string | undefined

  /** @param now ms; the same clock that `startedAt` is of */
  constructor(wire: Wire, startedAt: number, now: () => number) {
    this.#attempt = new Attempt(1, startedAt)
    this.#wire = wire
    this.#now = now
    this.#decoder = new DECODERS[wire]({ model: '', messages: [], maxOutputTokens: 0 })
  }

  /**
   * Takes the reply's head, which tells its packing and whether it is a stream of events. An unknown packing makes it
   * unreadable.
   */
  head({ statusCode, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>): void {
    this.#status = statusCode
    this.#isStream = /^\s*text\/event-stream/i.test(headers['content-type'] ?? '')
    const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase()
    if (encoding === undefined || encoding === 'identity') return
    const create = UNPACKERS[encoding]
    if (create === undefined) {
      this.#failure = new ModelError('malformed', `The reply's content-encoding is not known, and it was not read.`)
      return
    }
    this.#unpacker = create()
    this.#unpacker.on('data', (chunk: Uint8Array) => this.#read(chunk))
    // A reply that was cut can't be unpacked to its end.
    this.#unpacker.on('error', () => undefined)
  }

  /** Takes bytes of the reply, packed as they came; those of an unknown packing are passed over. */
  take(chunk: Uint8Array): void {
    if (this.#unpacker === undefined) this.#read(chunk)
    else this.#unpacker.write(chunk)
  }

  /**
   * What came of the reply until `at` (ms). `cut`: why nothing more comes; undefined where the answer was whole. A
   * reply without an end of its own has an `error`, and keeps what was read of it. Never rejects.
   */
  async end(cut: ModelError | undefined, at: number): Promise<CopiedReply> {
    if (this.#unpacker !== undefined) await drained(this.#unpacker)
    if (!this.#isStream && cut === undefined) this.#readWhole()
    if (this.#done === undefined && this.#failure === undefined) this.#tryEnd()
    const { usage, responseId } = this.#decoder
    const error = this.#errorOf(cut)
    return {
      attempt: copied(this.#attempt, at),
      responseId,
      usage,
      status: this.#status,
      model: this.#model,
      error: error === undefined ? undefined : { code: error.code, message: error.message },
    }
  }

  /**
   * Why the reply is not whole; undefined if it ended as it should.
   * @param cut how the connection broke, if it did
   */
  #errorOf(cut: ModelError | undefined): ModelError | undefined {
    if (this.#done !== undefined) return undefined
    const asked = { provider: PROVIDERS[this.#wire], model: 'the model' }
    if (this.#failure !== undefined) return modelErrorOf(this.#failure, asked)
    return cut ?? new ModelError('cut-off', 'The reply broke off before its end.')
  }

  /** Takes unpacked bytes. What can't be read becomes the reply's failure, and the rest is ignored. */
  #read(chunk: Uint8Array): void {
    if (this.#failure !== undefined) return
    const text = this.#text.decode(chunk, { stream: true })
    if (!this.#isStream) {
      this.#keep(text)
      return
    }
    try {
      for (const event of this.#parser.take(text)) this.#takeEvent(event)
    } catch (error) {
      this.#failure = error
    }
  }

  /**
   * Keeps the next piece of a reply that is no stream. Once all of it has more than `LARGEST_COPY` characters nothing
   * is kept any more, and the reply ends as `malformed`.
   */
  #keep(text: string): void {
    this.#wholeLength += text.length
    if (this.#wholeLength > LARGEST_COPY) this.#whole = undefined
    this.#whole?.push(text)
  }

  /**
   * Takes an event, and what the reply ended with if it is the last; those after the reply's end are ignored. Throws
   * for an event that can't be read.
   */
  #takeEvent(event: ServerSentEvent): void {
    // The reply is over; some servers send more.
    if (this.#done !== undefined) return
    this.#decoder.take(event, (emitted) => this.#emit(emitted))
    this.#setDone(this.#decoder.end(false))
  }

  /** Adds an event to the attempt, as of now. */
  #emit(event: ModelEvent): void {
    this.#attempt.take(event, this.#now())
  }

  /** Takes what the reply ended with; its model stays if that names none. */
  #setDone(done: ModelDone | undefined): void {
    this.#done = done
    this.#model = done?.model ?? this.#model
  }

  /** Ends the reply where the connection did; what is missing becomes its failure. */
  #tryEnd(): void {
    try {
      this.#setDone(this.#decoder.end(true))
    } catch (error) {
      this.#failure = error
    }
  }

  /**
   * Reads a kept body that is one JSON document: a reply that was not streamed, as the events that it would have been
   * streamed in, or an error. An error, and what can't be read, becomes the failure.
   */
  #readWhole(): void {
    if (this.#whole === undefined) {
      this.#failure = new ModelError('malformed', 'The reply is too large to be read.')
      return
    }
    const body = parseJson(this.#whole.join(''))?.value
    const isError = this.#status === undefined || this.#status >= 400
    if (isError || !isJsonObject(body)) {
      this.#failure = { status: this.#status, error: body ?? this.#whole.join('').slice(0, SHOWN) }
      return
    }
    try {
      for (const event of eventsOf[this.#wire](body)) this.#takeEvent({ name: '', data: JSON.stringify(event) })
    } catch (error) {
      this.#failure = ModelError.is(error) ? error : new ModelError('malformed', messageOf(error))
    }
  }
}

/** An attempt as it was at `at` (ms). */
const copied = (attempt: Attempt, at: number): CopiedAttempt => {
  const { startedAt, hasBegun, blocks, readableBlocks, visibleCharacters } = attempt
  return { startedAt, hasBegun, blocks, readableBlocks, visibleCharacters, latency: attempt.latencyAt(at) }
}

/** Characters of an error that is no JSON. */
const SHOWN = 300

/** Waits until all that was written is unpacked, or can't be, which may have shown before. Never rejects. */
const drained = async (unpacker: Transform): Promise<void> => {
  unpacker.end()
  await finished(unpacker).catch(() => undefined)
}

/** A reply that came in one piece as the events that it would have been streamed in. */
const eventsOf: Readonly<Record<Wire, (body: JsonObject) => readonly JsonObject[]>> = {
  /** A whole reply as the events that its stream would have had. */
  anthropic: (body) => [
    { type: 'message_start', message: body },
    ...arrayOf(body.content).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stringOf(body.stop_reason) ?? '' } },
    { type: 'message_stop' },
  ],
  responses: (body) => [
    ...arrayOf(body.output).map((item, index) => ({ type: 'response.output_item.done', output_index: index, item })),
    { type: body.status === 'failed' ? 'response.failed' : 'response.completed', response: body },
  ],
  chat: (body) => {
    const choice = objectOf(arrayOf(body.choices)[0])
    return [{ ...body, choices: [{ delta: choice.message, finish_reason: choice.finish_reason }] }]
  },
}
