/** Splits the bytes of a stream into lines of limited length. Of a longer line only both ends are kept. */

/** Splits bytes into lines. */
export interface LineReader {
  /** Takes the next bytes. Lines end with a line feed, with or without a carriage return before it. */
  readonly read: (chunk: Buffer) => void
  /** Ends the last line, which need not have a line feed. */
  readonly end: () => void
}

/** Who receives lines, and how long they may be. */
export interface LineReaderInput {
  readonly mostBytes: number
  readonly onLine: (line: string) => void
  readonly onTooLong: (ends: { readonly begin: string; readonly end: string; readonly bytes: number }) => void
}

const LINE_FEED = 10
/** Bytes that are kept of both ends of a line that is too long. */
const KEPT_BYTES = 1024

/**
 * Creates a reader that calls `onLine` for each line, and `onTooLong` with both ends of a line longer than `mostBytes`.
 * `end` takes what is left as a line. Lines are UTF-8, without their line ends. Pieces may be cut anywhere; an empty
 * line is a line.
 */
export const createLineReader = ({ mostBytes, onLine, onTooLong }: LineReaderInput): LineReader => {
  let parts: Buffer[] = []
  let bytes = 0
  let begin: Buffer | undefined
  let last: Buffer = Buffer.alloc(0)

  /** Adds to the line; once it is longer than `mostBytes`, only its two ends are kept. */
  const add = (part: Buffer): void => {
    bytes += part.length
    if (begin === undefined) {
      parts.push(part)
      if (bytes <= mostBytes) return
      const whole = Buffer.concat(parts)
      parts = []
      begin = Buffer.from(whole.subarray(0, KEPT_BYTES))
      last = Buffer.from(whole.subarray(-KEPT_BYTES))
      return
    }
    last = Buffer.from(Buffer.concat([last, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES))
  }

  /** Gives the line on, to `onLine` or `onTooLong`, and begins a new one. */
  const finish = (): void => {
    const line = { whole: parts, bytes, begin, last }
    parts = []
    bytes = 0
    begin = undefined
    if (line.begin === undefined) onLine(Buffer.concat(line.whole).toString('utf8').replace(/\r$/, ''))
    else onTooLong({ begin: line.begin.toString('utf8'), end: line.last.toString('utf8'), bytes: line.bytes })
  }

  return {
    read: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        add(chunk.subarray(start, end))
        finish()
        start = end + 1
      }
      if (start < chunk.length) add(chunk.subarray(start))
    },
    end: () => {
      if (bytes > 0) finish()
    },
  }
}
