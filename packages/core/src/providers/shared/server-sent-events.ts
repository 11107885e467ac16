/**
 * Server-sent events of a response, as many at a time as have arrived together: a fast stream then costs one wait a
 * piece of the body, not one an event.
 */
import { objectOf, parseJson, type JsonObject } from '../../json.ts'
import { ModelError } from '../../ports/language-model.ts'

export interface ServerSentEvent {
  /** Empty where the server names none. */
  readonly name: string
  readonly data: string
}

/** What is needed of a `Response`. */
export interface EventResponse {
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
}

/** No provider sends an event of this size, in characters. */
export const LARGEST_EVENT = 50_000_000

/** An iterator over what arrives, each time with what came together; `return` ends the connection. */
export type Batches<Raw> = AsyncIterator<Iterable<Raw>, undefined, undefined>

/**
 * The reader of a body that is a stream, however its events stand in it.
 * @throws ModelError `not-an-api` for a response without a body, or one that it says is HTML or JSON; the body is then
 * let go
 */
export const bodyReader = ({ headers, body }: EventResponse): ReadableStreamDefaultReader<Uint8Array> => {
  const type = headers.get('content-type') ?? ''
  if (body === null || /^\s*(?:text\/html|application\/json)\s*(?:[;,]|$)/i.test(type)) {
    void body?.cancel().catch(() => undefined)
    throw new ModelError(
      'not-an-api',
      `The server answers with ${type === '' ? 'nothing' : type.slice(0, 80)} instead of a stream of events: check the base URL.`,
    )
  }
  return body.getReader()
}

/**
 * Reads events. Comments and events without data give empty batches: they show that the server is alive.
 * @throws ModelError `not-an-api` at once when the response says that it is something else; `malformed` while a batch is
 * read, for an event without end. Read each batch to its end before the next; an event that is not ended when the body
 * ends is dropped.
 */
export const serverSentEvents = (response: EventResponse): Batches<ServerSentEvent> => {
  const reader = bodyReader(response)
  const decoder = new TextDecoder('utf-8')
  const parser = new EventParser()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      if (done) return { done: true, value: undefined }
      return { done: false, value: parser.take(decoder.decode(value, { stream: true })) }
    },
    return: async () => {
      await reader.cancel().catch(() => undefined)
      return { done: true, value: undefined }
    },
  }
}

/**
 * The data of an event as an object; an empty one for JSON that is no object. @throws ModelError `malformed` for what
 * is no JSON
 */
export const eventData = ({ data }: ServerSentEvent): JsonObject => {
  const parsed = parseJson(data)
  if (parsed === undefined)
    throw new ModelError('malformed', 'The server sent an event that is not readable JSON: ask again.')
  return objectOf(parsed.value)
}

/** Takes text in pieces of any size; a field or a line end may be cut anywhere. */
export class EventParser {
  /** The begun line. */
  #pieces: string[] = []
  #length = 0
  #name = ''
  #data: string[] = []
  /** A line feed that comes first belongs to the carriage return before it. */
  #isBehindReturn = false

  /** The piece with `\n` for every line end, a `\r\n` cut in two pieces counting once. */
  #withLineFeeds(piece: string): string {
    const text = this.#isBehindReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') this.#isBehindReturn = piece.endsWith('\r')
    return text.replace(/\r\n?/g, '\n')
  }

  /**
   * The events that are whole now, made one by one: a large piece of a body is then kept as its text. Read them all.
   * @throws ModelError `malformed` for an event without end
   */
  *take(piece: string): Generator<ServerSentEvent, undefined> {
    const text = piece.includes('\r') || this.#isBehindReturn ? this.#withLineFeeds(piece) : piece
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const event = this.#line(this.#rest(text.slice(start, end)))
      start = end + 1
      if (event !== undefined) yield event
    }
    if (start < text.length) this.#keep(text.slice(start))
    return undefined
  }

  /**
   * Keeps a part of an event until its end comes.
   * @throws ModelError `malformed` beyond `LARGEST_EVENT` characters
   */
  #keep(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length > LARGEST_EVENT)
      throw new ModelError('malformed', 'The server sends an event without end: ask again.')
  }

  /** The whole line that ends with this text: with the pieces kept before, which are then forgotten. */
  #rest(text: string): string {
    if (this.#pieces.length === 0) return text
    const line = this.#pieces.join('') + text
    this.#pieces = []
    this.#length = 0
    return line
  }

  /**
   * Takes a line. A comment, an id or an unknown field is ignored.
   * @returns the event that it ends, undefined for none
   */
  #line(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const event = this.#data.length > 0 ? { name: this.#name, data: this.#data.join('\n') } : undefined
      this.#name = ''
      this.#data = []
      return event
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1)
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
    return undefined
  }
}
