/**
 * Streams the elements of one array of a JSON document as byte slices, without ever holding the
 * document: either the document is the array, or a named field of the top-level object holds it.
 * It finds where elements begin and end; whether each is valid JSON is for the reader to find out.
 */
import { DEFAULT_SPLIT, createPending, type SourceItem, type SplitOptions } from './lines.ts'

/** Limits of a batch and of an element, in bytes and items. */
export interface ElementOptions extends Pick<SplitOptions, 'batchBytes' | 'batchItems' | 'maxItemBytes'> {
  /** The top-level field that holds the array; absent when the document itself is the array. */
  readonly field?: string
}

/** How the document ended: `complete`, before its array was closed, or without such an array. */
export type DocumentEnd = 'complete' | 'open' | 'no-array'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const NONE = new Uint8Array(0)
/** A field's name longer than this is not the one that is looked for. */
const MAX_NAME_BYTES = 256

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * The array's elements in batches (views, valid until the next batch is asked for); returns how the
 * document ended. An element that the file's end cuts off is handed out as `open`.
 */
export async function* splitElements(
  chunks: AsyncIterable<Uint8Array>,
  options: ElementOptions = {},
): AsyncGenerator<readonly SourceItem[], DocumentEnd> {
  const { batchBytes, batchItems, maxItemBytes } = { ...DEFAULT_SPLIT, ...options }
  const pending = createPending(maxItemBytes)
  const names = new TextDecoder()
  /** `before`: looking for the array; `inside`: among its elements; `after`: it was closed. */
  let phase: 'before' | 'inside' | 'after' = 'before'
  let depth = 0
  let inString = false
  let escaped = false
  let inElement = false
  /** While looking for a field: the last string read at depth 1, and whether it was a name (a colon followed). */
  let text: number[] | undefined
  let name: string | undefined
  let number = 1
  let offset = 0
  let items: SourceItem[] = []
  let bytesInBatch = 0

  const finish = (view: Uint8Array, endOffset: number): void => {
    const whole = pending.take(view)
    items.push(
      whole === undefined
        ? { number, bytes: NONE, endOffset, problem: 'too-long' }
        : { number, bytes: whole, endOffset },
    )
    number++
    bytesInBatch += view.length
    inElement = false
  }

  for await (const chunk of chunks) {
    let start = 0
    let index = 0
    while (index < chunk.length) {
      if (inString) {
        if (phase === 'before') {
          const byte = chunk[index] ?? 0
          if (escaped) escaped = false
          else if (byte === BACKSLASH) escaped = true
          else if (byte === QUOTE) {
            inString = false
            if (text !== undefined) name = names.decode(Uint8Array.from(text))
            text = undefined
          } else if (text !== undefined && text.length < MAX_NAME_BYTES) text.push(byte)
          index++
          continue
        }
        // Strings are most of a transcript: leap from quote to quote.
        if (escaped) {
          escaped = false
          index++
          continue
        }
        const quote = chunk.indexOf(QUOTE, index)
        const end = quote < 0 ? chunk.length : quote
        let slashes = 0
        while (slashes < end - index && chunk[end - 1 - slashes] === BACKSLASH) slashes++
        if (quote < 0) {
          escaped = slashes % 2 === 1
          index = chunk.length
        } else {
          if (slashes % 2 === 0) inString = false
          index = quote + 1
        }
        continue
      }
      const byte = chunk[index] ?? 0
      if (phase === 'inside' && depth === 1 && inElement && (byte === COMMA || byte === CLOSE_ARRAY)) {
        finish(chunk.subarray(start, index), offset + index)
      }
      if (phase === 'inside' && depth === 1 && !inElement && byte !== COMMA && byte !== CLOSE_ARRAY && !isSpace(byte)) {
        inElement = true
        start = index
      }
      if (byte === QUOTE) {
        inString = true
        if (phase === 'before' && depth === 1 && options.field !== undefined) text = []
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        const wanted = options.field === undefined ? depth === 0 : depth === 1 && name === options.field
        if (phase === 'before' && byte === OPEN_ARRAY && wanted) {
          phase = 'inside'
          depth = 0
        }
        depth++
        if (phase === 'before') name = undefined
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        depth--
        if (phase === 'inside' && depth === 0) phase = 'after'
      } else if (phase === 'before' && byte === COMMA && depth === 1) name = undefined
      else if (phase === 'before' && byte !== COLON && !isSpace(byte) && depth === 1) name = undefined
      index++
      if (phase === 'after') break
      if (items.length >= batchItems || bytesInBatch >= batchBytes) {
        yield items
        items = []
        bytesInBatch = 0
      }
    }
    offset += chunk.length
    if (inElement) pending.add(chunk.subarray(start))
    if (items.length > 0) {
      yield items
      items = []
      bytesInBatch = 0
    }
    if (phase === 'after') return 'complete'
  }
  if (inElement && pending.size() > 0) {
    const whole = pending.take(NONE)
    yield [{ number, bytes: whole ?? NONE, endOffset: offset, problem: whole === undefined ? 'too-long' : 'open' }]
  }
  return phase === 'before' ? 'no-array' : 'open'
}
