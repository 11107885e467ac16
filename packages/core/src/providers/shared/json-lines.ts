/** A response of JSON objects, one a line (`application/x-ndjson`), as many at a time as have arrived together. */
import { isJsonObject, objectOf, parseJson, type JsonObject } from '../../json.ts'
import { ModelError } from '../../ports/language-model.ts'
import { bodyReader, LARGEST_EVENT, type Batches, type EventResponse } from './server-sent-events.ts'

/**
 * Reads a response as JSON lines, a batch of objects for each piece that arrives. Blank ones give empty batches: they
 * show that the server is alive. The last line needs no end; a part of one is dropped, so that the reply counts as cut
 * off.
 * @throws ModelError `not-an-api` when the response says that it is something else, `malformed` for a line that is not
 * readable JSON, or has no end.
 */
export const jsonLines = (response: EventResponse): Batches<JsonObject> => {
  const reader = bodyReader(response)
  const decoder = new TextDecoder('utf-8')
  const lines = new Lines()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      if (!done) return { done: false, value: lines.take(decoder.decode(value, { stream: true })) }
      const last = parseJson(lines.rest())?.value
      return isJsonObject(last) ? { done: false, value: [last] } : { done: true, value: undefined }
    },
    return: async () => {
      await reader.cancel().catch(() => undefined)
      return { done: true, value: undefined }
    },
  }
}

/**
 * The object in a line; an empty one for JSON that is no object. Throws a ModelError `malformed` for what is no JSON.
 */
const parsedLine = (line: string): JsonObject => {
  const parsed = parseJson(line)
  if (parsed === undefined)
    throw new ModelError('malformed', 'The server sent a line that is not readable JSON: ask again.')
  return objectOf(parsed.value)
}

/** Takes text in pieces of any size. A carriage return at a line's end is white space to JSON. */
class Lines {
  /** The begun line. */
  #pieces: string[] = []
  #length = 0

  /** What has come of the begun line; it is forgotten. */
  rest(): string {
    const line = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    return line
  }

  /**
   * The lines that are whole now, made one by one. Read them all.
   * @throws ModelError `malformed` for a line without end or that is no JSON
   */
  *take(text: string): Generator<JsonObject, undefined> {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#keep(text.slice(start, end))
      start = end + 1
      const line = this.rest()
      if (line.trim() !== '') yield parsedLine(line)
    }
    this.#keep(text.slice(start))
    return undefined
  }

  /**
   * Keeps a part of a line until its end comes.
   * @throws ModelError `malformed` beyond `LARGEST_EVENT` characters
   */
  #keep(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length > LARGEST_EVENT)
      throw new ModelError('malformed', 'The server sends a line without end: ask again.')
  }
}
