/** A file's lines as given to a model: numbered, and limited to a useful amount. */

/** Limits of the result of one call. */
export const MOST_LINES = 2_000
export const MOST_BYTES = 50_000
/** Characters of one line (UTF-16 units). */
export const LINE_CHARACTERS = 2_000

export interface LinePart {
  /** The numbered lines, one per line. */
  readonly text: string
  /** Number of the last line included; `start - 1` if there is none. */
  readonly last: number
  readonly total: number
  /** Number of lines of which only the beginning is included. */
  readonly cutLines: number
}

/** A line after its number and a tab. */
export const numberedLine = (number: number, line: string): string => `${number}\t${line}`

/**
 * The line; if it is longer than `most` characters (UTF-16 units), its beginning and a note of how many are missing,
 * which is added to `most`.
 */
export const cutLine = (line: string, most: number = LINE_CHARACTERS): string => {
  if (line.length <= most) return line
  const kept = line.slice(0, most).toWellFormed()
  return `${kept}… (${line.length - most} more characters in this line)`
}

/**
 * The lines from `start` to `end` (from 1, both included), each with its number and cut to `LINE_CHARACTERS`: at most
 * `MOST_LINES` of at most `MOST_BYTES` bytes in all, but at least one if there is one. Lines end with `\n`; a final one
 * does not start another line.
 */
export const linePart = (text: string, start: number, end: number): LinePart => {
  const lines = linesOf(text)
  const encoder = new TextEncoder()
  const shown: string[] = []
  let [bytes, cutLines] = [0, 0]
  for (let number = start; number <= Math.min(end, lines.length) && shown.length < MOST_LINES; number++) {
    const line = lines[number - 1] ?? ''
    const numbered = numberedLine(number, cutLine(line))
    bytes += encoder.encode(numbered).length + 1
    if (bytes > MOST_BYTES && shown.length > 0) break
    if (line.length > LINE_CHARACTERS) cutLines += 1
    shown.push(numbered)
  }
  return { text: shown.join('\n'), last: start - 1 + shown.length, total: lines.length, cutLines }
}

/** The lines of a text, without their `\n`; a final one does not start another line. None for an empty text. */
export const linesOf = (text: string): readonly string[] => {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
