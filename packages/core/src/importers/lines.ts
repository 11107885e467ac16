/**
 * Splits a stream of bytes into lines without copying what lies whole within a chunk. Lines are handed
 * out in batches; their bytes are views that stay valid only until the next batch is asked for.
 */

/** A piece of a source file: a line, or an element of a JSON document. */
export interface SourceItem {
  /** 1-based. */
  readonly number: number
  /** Without its line end (a `\r` before it stays); empty when `problem` says that it was not kept. */
  readonly bytes: Uint8Array
  /** Bytes up to the item's end, line end included, from the start of the file. */
  readonly endOffset: number
  /** `too-long`: it was over the limit and is not held. `open`: the file ended before the line did. */
  readonly problem?: 'too-long' | 'open'
}

/** Where a stream begins, and limits of a batch and of a line. */
export interface SplitOptions {
  /** Where the stream begins in the file, bytes. */
  readonly offset?: number
  /** Lines before `offset`. */
  readonly line?: number
  /** What comes first, up to a line end, still belongs to the line before (which was read without its end). */
  readonly continuesLine?: boolean
  /** Bytes that end a batch. */
  readonly batchBytes?: number
  /** Items that end a batch. */
  readonly batchItems?: number
  /** Bytes over which an item is left out. */
  readonly maxItemBytes?: number
}

/** Default limits: batches of 1 MiB or 200 items; items over 32 MiB are left out. */
export const DEFAULT_SPLIT = { batchBytes: 1 << 20, batchItems: 200, maxItemBytes: 32 << 20 } as const

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const NONE = new Uint8Array(0)
/** Empty lines of one run that are handed out; those after them are passed over, and only their numbers tell of them. */
const EMPTY_LINES = 100

/**
 * The lines of `chunks` in batches. The last item is `open` when the stream does not end with a line
 * end. Of a long run of empty lines the first hundred are given: the next line's number tells how many there were. A batch
 * without items says that there was nothing else in a chunk. Chunks may be reused by their producer after the next one
 * is asked for.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  options: SplitOptions = {},
): AsyncGenerator<readonly SourceItem[]> {
  const splitter = new LineSplitter(options)
  for await (const chunk of chunks) yield* splitter.batchesOf(chunk)
  const last = splitter.lastLine()
  if (last !== undefined) yield [last]
}

/** Splits chunk after chunk, and knows the number and offset of the next line. */
class LineSplitter {
  readonly #limits: Required<Pick<SplitOptions, keyof typeof DEFAULT_SPLIT>>
  readonly #pending: ReturnType<typeof createPending>
  #number: number
  #offset: number
  #items: SourceItem[] = []
  #bytesInBatch = 0
  /** Empty lines directly before the next one. */
  #emptyLines = 0

  constructor(options: SplitOptions) {
    this.#limits = { ...DEFAULT_SPLIT, ...options }
    this.#pending = createPending(this.#limits.maxItemBytes)
    this.#number = (options.line ?? 0) + (options.continuesLine === true ? 0 : 1)
    this.#offset = options.offset ?? 0
  }

  /**
   * The lines that end in a chunk, in batches; the rest of the chunk waits for the next. They point into the chunk, so
   * all of them go out before the next one.
   */
  *batchesOf(chunk: Uint8Array): Generator<readonly SourceItem[]> {
    const { batchItems, batchBytes } = this.#limits
    let start = this.#passEmptyLines(chunk, 0)
    for (let end = chunk.indexOf(NEWLINE, start); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#addLine(chunk.subarray(start, end))
      start = this.#passEmptyLines(chunk, end + 1)
      if (this.#items.length >= batchItems || this.#bytesInBatch >= batchBytes) yield this.#takeBatch()
    }
    if (start < chunk.length) {
      this.#offset += chunk.length - start
      this.#pending.add(chunk.subarray(start))
    }
    if (this.#items.length > 0 || this.#emptyLines > EMPTY_LINES) yield this.#takeBatch()
  }

  /** What stands behind the last line end, as an item that is `open` or `too-long`; undefined where nothing does. */
  lastLine(): SourceItem | undefined {
    if (this.#pending.size() === 0) return undefined
    const whole = this.#pending.take(NONE)
    return whole === undefined ? this.#itemOf(NONE, 'too-long') : this.#itemOf(whole, 'open')
  }

  /**
   * Passes over empty lines from `start` on where 100 went before, which are counted and not given.
   * @returns where the next line begins: `start` itself where there is nothing to pass
   */
  #passEmptyLines(chunk: Uint8Array, start: number): number {
    if (this.#emptyLines < EMPTY_LINES || this.#pending.size() > 0) return start
    const run = emptyLinesAt(chunk, start)
    this.#number += run.lines
    this.#emptyLines += run.lines
    this.#offset += run.bytes
    return start + run.bytes
  }

  /**
   * Takes a line without its end. One that is too long becomes an item with that problem; of many empty lines in a row
   * only the first are items.
   */
  #addLine(bytes: Uint8Array): void {
    this.#offset += bytes.length + 1
    this.#bytesInBatch += bytes.length + 1
    const whole = this.#pending.take(bytes)
    this.#emptyLines = whole !== undefined && isEmptyLine(whole) ? this.#emptyLines + 1 : 0
    if (this.#emptyLines <= EMPTY_LINES)
      this.#items.push(whole === undefined ? this.#itemOf(NONE, 'too-long') : this.#itemOf(whole))
    this.#number++
  }

  /** A line as an item with its number and end. */
  #itemOf(bytes: Uint8Array, problem?: SourceItem['problem']): SourceItem {
    const item = { number: this.#number, bytes, endOffset: this.#offset }
    return problem === undefined ? item : { ...item, problem }
  }

  /** Hands over the lines taken so far, and forgets them. */
  #takeBatch(): readonly SourceItem[] {
    const items = this.#items
    this.#items = []
    this.#bytesInBatch = 0
    return items
  }
}

const isEmptyLine = (line: Uint8Array): boolean =>
  line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN)

/** The empty lines that follow one another from a line's beginning on, and their bytes; byte by byte, as a search per line takes far longer. */
const emptyLinesAt = (chunk: Uint8Array, start: number): { readonly lines: number; readonly bytes: number } => {
  let lines = 0
  let at = start
  for (;;) {
    if (chunk[at] === NEWLINE) at++
    else if (chunk[at] === CARRIAGE_RETURN && chunk[at + 1] === NEWLINE) at += 2
    else return { lines, bytes: at - start }
    lines++
  }
}

/** Gathers the pieces of an item that spans chunks, copied; once over the limit they are only counted. */
export const createPending = (maxBytes: number) => {
  let pieces: Uint8Array[] = []
  let size = 0
  return {
    /** Bytes waiting, held or not. */
    size: () => size,
    /** Copies a piece, as its chunk is going to be reused. */
    add: (piece: Uint8Array): void => {
      size += piece.length
      if (size > maxBytes) pieces = []
      // Not slice(): on a Node Buffer that is another view.
      else pieces.push(new Uint8Array(piece))
    },
    /** The whole item, ending with `last`; undefined when it is over the limit. Nothing waits afterwards. */
    take: (last: Uint8Array): Uint8Array | undefined => {
      const total = size + last.length
      const held = pieces
      pieces = []
      const before = size
      size = 0
      if (total > maxBytes) return undefined
      if (before === 0) return last
      const whole = new Uint8Array(total)
      let at = 0
      for (const piece of held) {
        whole.set(piece, at)
        at += piece.length
      }
      whole.set(last, at)
      return whole
    },
  }
}
