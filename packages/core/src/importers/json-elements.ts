/**
 * Streams the elements of one array of a JSON document as byte slices, without ever holding the
 * document: either the document is the array, or a named field of the top-level object holds it.
 * It finds where elements begin and end; whether each is valid JSON is for the reader to find out.
 */
import { parseJsonObject, type JsonObject } from '../json.ts'
import { DEFAULT_SPLIT, createPending, type SourceItem, type SplitOptions } from './lines.ts'

/** Limits of a batch and of an element, in bytes and items. */
export interface ElementOptions extends Pick<SplitOptions, 'batchBytes' | 'batchItems' | 'maxItemBytes'> {
  /** The top-level field that holds the array; absent when the document itself is the array. */
  readonly field?: string
}

/**
 * The options by which {@link splitElements} finds an importer's elements: the named field's array, or the document
 * itself.
 */
export const elementOptions = ({ arrayField }: { readonly arrayField?: string }): ElementOptions =>
  arrayField === undefined ? {} : { field: arrayField }

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
/** A longer name of a field is not the one that is looked for. */
const MAX_NAME_BYTES = 256

/** What stands beside an array is a few names and times: of more than this nothing is kept. */
const MAX_FIELD_BYTES = 1 << 20

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * The array's elements in batches (views, valid until the next batch is asked for); returns how the
 * document ended. An element that the file's end cuts off is handed out as `open`. A batch has at least one element;
 * one that is over the limit is only named, by its problem. Rejects when `chunks` do.
 */
export async function* splitElements(
  chunks: AsyncIterable<Uint8Array>,
  options: ElementOptions = {},
): AsyncGenerator<readonly SourceItem[], DocumentEnd> {
  const array = new ArrayScanner(options.field)
  const elements = new ElementCollector({ ...DEFAULT_SPLIT, ...options })
  for await (const chunk of chunks) {
    let index = 0
    while (index < chunk.length && array.phase !== 'after') {
      index = scanElement(chunk, index, array, elements)
      if (elements.isBatchFull) yield elements.takeBatch()
    }
    elements.endChunk(chunk)
    if (elements.hasBatch) yield elements.takeBatch()
    if (array.phase === 'after') return 'complete'
  }
  const last = elements.takeOpen()
  if (last !== undefined) yield [last]
  return array.phase === 'before' ? 'no-array' : 'open'
}

/**
 * The document's fields without the array that one of them holds, however large that is; of a document that ends early
 * those that stand before the array. An empty object where they are no JSON or over 1 MiB. A field after an array that
 * never ends is missing.
 */
export const fieldsBeside = async (chunks: AsyncIterable<Uint8Array>, field: string): Promise<JsonObject> => {
  const array = new ArrayScanner(field)
  const decoder = new TextDecoder()
  let before = ''
  let after = ''
  for await (const chunk of chunks) {
    let index = 0
    while (index < chunk.length && array.phase === 'before') index = scanByte(chunk, index, array)
    before += decoder.decode(chunk.subarray(0, index), { stream: true })
    while (index < chunk.length && array.phase === 'inside') index = scanByte(chunk, index, array)
    // What ended the array is part of what follows.
    if (array.phase === 'after')
      after += decoder.decode(chunk.subarray(after === '' ? index - 1 : index), { stream: true })
    if (before.length + after.length > MAX_FIELD_BYTES) return {}
  }
  const end = array.phase === 'inside' ? ']}' : after
  return parseJsonObject(`${before}${end}`)
}

/** Takes one byte, or all bytes up to the end of a string; returns the index after them. */
const scanByte = (chunk: Uint8Array, index: number, array: ArrayScanner): number => {
  if (array.isInString) return array.scanString(chunk, index)
  array.take(chunk[index] ?? 0)
  return index + 1
}

/** Scans until an element ends, the array is closed or the chunk is used up; gives the index to go on from. */
const scanElement = (chunk: Uint8Array, from: number, array: ArrayScanner, elements: ElementCollector): number => {
  let index = from
  while (index < chunk.length) {
    if (array.isInString) {
      index = array.scanString(chunk, index)
      continue
    }
    const byte = chunk[index] ?? 0
    const isEnd = elements.isOpen && array.isElementEnd(byte)
    if (isEnd) elements.end(chunk, index)
    else if (!elements.isOpen && array.isElementStart(byte)) elements.begin(index)
    array.take(byte)
    index++
    if (isEnd || array.phase === 'after') break
  }
  return index
}

/** Follows the structure of a JSON document byte by byte, up to the end of the array that is looked for. */
class ArrayScanner {
  /** `before`: looking for the array; `inside`: among its elements; `after`: it was closed. */
  phase: 'before' | 'inside' | 'after' = 'before'
  isInString = false
  /** Whether the next byte of a string follows a backslash. */
  #isEscaped = false
  /** Open arrays and objects; once the array is found, counted from it. */
  #depth = 0
  readonly #field: string | undefined
  /** While looking for a field: the bytes of the string that is being read at depth 1, then the string that was read. */
  #nameBytes: number[] | undefined
  #name: string | undefined

  constructor(field: string | undefined) {
    this.#field = field
  }

  /** Whether a byte outside of strings ends the element that is open: a comma or the array's own bracket. */
  isElementEnd(byte: number): boolean {
    return this.phase === 'inside' && this.#depth === 1 && (byte === COMMA || byte === CLOSE_ARRAY)
  }

  /** Whether a byte outside of strings begins an element, if none is open. */
  isElementStart(byte: number): boolean {
    return this.phase === 'inside' && this.#depth === 1 && byte !== COMMA && byte !== CLOSE_ARRAY && !isSpace(byte)
  }

  /**
   * Takes a byte outside of strings: changes the depth, the phase where the wanted array begins or ends, and what is
   * known of the field's name; a quote begins a string.
   */
  take(byte: number): void {
    if (byte === QUOTE) {
      this.isInString = true
      if (this.#isAtFields && this.#field !== undefined) this.#nameBytes = []
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#depth--
      if (this.phase === 'inside' && this.#depth === 0) this.phase = 'after'
    } else if (this.#isAtFields && byte !== COLON && !isSpace(byte)) this.#name = undefined
  }

  /**
   * Goes on within a string up to its end or the chunk's; gives the index after what was read. While the array has not
   * begun it takes a single byte, as the string may be the wanted field's name.
   */
  scanString(chunk: Uint8Array, index: number): number {
    if (this.phase === 'before') return this.#readName(chunk, index)
    if (this.#isEscaped) {
      this.#isEscaped = false
      return index + 1
    }
    // Strings are most of a transcript, so only their quotes are looked at.
    const quote = chunk.indexOf(QUOTE, index)
    const end = quote < 0 ? chunk.length : quote
    let slashes = 0
    while (slashes < end - index && chunk[end - 1 - slashes] === BACKSLASH) slashes++
    if (quote < 0) this.#isEscaped = slashes % 2 === 1
    else if (slashes % 2 === 0) this.isInString = false
    return end + (quote < 0 ? 0 : 1)
  }

  /** Whether the names of fields come next, among which the array's is looked for. */
  get #isAtFields(): boolean {
    return this.phase === 'before' && this.#depth === 1
  }

  /**
   * Takes an opening bracket. Elements begin with the array at the top, or with the one in the wanted field of the top
   * object.
   */
  #open(byte: number): void {
    const isWanted = this.#field === undefined ? this.#depth === 0 : this.#depth === 1 && this.#name === this.#field
    if (this.phase === 'before' && byte === OPEN_ARRAY && isWanted) {
      this.phase = 'inside'
      this.#depth = 0
    }
    this.#depth++
    if (this.phase === 'before') this.#name = undefined
  }

  /** Takes the next byte of a field's name; returns the index after it. Only the first `MAX_NAME_BYTES` are kept. */
  #readName(chunk: Uint8Array, index: number): number {
    const byte = chunk[index] ?? 0
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.isInString = false
      if (this.#nameBytes !== undefined) this.#name = new TextDecoder().decode(Uint8Array.from(this.#nameBytes))
      this.#nameBytes = undefined
    } else if (this.#nameBytes !== undefined && this.#nameBytes.length < MAX_NAME_BYTES) this.#nameBytes.push(byte)
    return index + 1
  }
}

/** Cuts the elements out of the chunks and gathers them in batches. */
class ElementCollector {
  /** Whether an element has begun and not ended. */
  isOpen = false
  readonly #batchBytes: number
  readonly #batchItems: number
  readonly #pending: ReturnType<typeof createPending>
  #number = 1
  /** Bytes before the chunk. */
  #offset = 0
  /** Where the open element begins in the chunk. */
  #start = 0
  #items: SourceItem[] = []
  #bytesInBatch = 0

  constructor({ batchBytes, batchItems, maxItemBytes }: Required<Omit<ElementOptions, 'field'>>) {
    this.#batchBytes = batchBytes
    this.#batchItems = batchItems
    this.#pending = createPending(maxItemBytes)
  }

  get hasBatch(): boolean {
    return this.#items.length > 0
  }

  get isBatchFull(): boolean {
    return this.#items.length >= this.#batchItems || this.#bytesInBatch >= this.#batchBytes
  }

  /** Begins an element at an index of the chunk. */
  begin(index: number): void {
    this.isOpen = true
    this.#start = index
  }

  /** Ends the open element before `index`, and adds it to the batch. One over the limit is only named. */
  end(chunk: Uint8Array, index: number): void {
    const view = chunk.subarray(this.#start, index)
    const whole = this.#pending.take(view)
    const endOffset = this.#offset + index
    this.#items.push(
      whole === undefined
        ? { number: this.#number, bytes: NONE, endOffset, problem: 'too-long' }
        : { number: this.#number, bytes: whole, endOffset },
    )
    this.#number++
    this.#bytesInBatch += view.length
    this.isOpen = false
  }

  /** Copies what the chunk has of the open element, and counts the chunk's bytes; call it before the next chunk. */
  endChunk(chunk: Uint8Array): void {
    if (this.isOpen) this.#pending.add(chunk.subarray(this.#start))
    this.#offset += chunk.length
    this.#start = 0
  }

  /** Hands over the elements taken so far, and forgets them. */
  takeBatch(): readonly SourceItem[] {
    const items = this.#items
    this.#items = []
    this.#bytesInBatch = 0
    return items
  }

  /** The element that the file's end cut off (`open`), or that is too long; undefined if none was open. */
  takeOpen(): SourceItem | undefined {
    if (!this.isOpen || this.#pending.size() === 0) return undefined
    const whole = this.#pending.take(NONE)
    const problem = whole === undefined ? 'too-long' : 'open'
    return { number: this.#number, bytes: whole ?? NONE, endOffset: this.#offset, problem }
  }
}
