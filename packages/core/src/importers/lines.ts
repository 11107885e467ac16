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
  const { batchBytes, batchItems, maxItemBytes } = { ...DEFAULT_SPLIT, ...options }
  let number = (options.line ?? 0) + (options.continuesLine === true ? 0 : 1)
  let offset = options.offset ?? 0
  const pending = createPending(maxItemBytes)
  let items: SourceItem[] = []
  let bytesInBatch = 0
  /** Empty lines just before this place. */
  let empty = 0

  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      if (empty >= EMPTY_LINES && pending.size() === 0) {
        const run = emptyLinesAt(chunk, start)
        number += run.lines
        empty += run.lines
        offset += run.bytes
        start += run.bytes
      }
      const end = chunk.indexOf(NEWLINE, start)
      if (end < 0) break
      offset += end - start + 1
      const whole = pending.take(chunk.subarray(start, end))
      empty = whole !== undefined && isEmptyLine(whole) ? empty + 1 : 0
      if (empty <= EMPTY_LINES)
        items.push(
          whole === undefined
            ? { number, bytes: NONE, endOffset: offset, problem: 'too-long' }
            : { number, bytes: whole, endOffset: offset },
        )
      bytesInBatch += end - start + 1
      number++
      start = end + 1
      if (items.length >= batchItems || bytesInBatch >= batchBytes) {
        yield items
        items = []
        bytesInBatch = 0
      }
    }
    // The views in `items` point into this chunk, so they go out before the next one is asked for.
    if (start < chunk.length) {
      offset += chunk.length - start
      pending.add(chunk.subarray(start))
    }
    if (items.length > 0 || empty > EMPTY_LINES) {
      yield items
      items = []
      bytesInBatch = 0
    }
  }
  if (pending.size() > 0) {
    const whole = pending.take(NONE)
    yield [
      whole === undefined
        ? { number, bytes: NONE, endOffset: offset, problem: 'too-long' }
        : { number, bytes: whole, endOffset: offset, problem: 'open' },
    ]
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

/** The pieces of an item that spans chunks, copied; once over the limit they are only counted. */
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
