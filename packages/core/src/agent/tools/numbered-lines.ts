/** A file's lines as a model is given them: numbered, and no more of them than it can use. */

/** Limits of what one call gives. */
export const MOST_LINES = 2_000
export const MOST_BYTES = 50_000
/** Characters of one line (UTF-16 units). */
export const LINE_CHARACTERS = 2_000

export interface LinePart {
  /** The lines with their numbers, one a line. */
  readonly text: string
  /** Number of the last line that is in it; `start - 1` where there is none. */
  readonly last: number
  readonly total: number
  /** Lines of which only the beginning is in it. */
  readonly cutLines: number
}

/** A line behind its number and a tab. */
export const numberedLine = (number: number, line: string): string => `${number}\t${line}`

/**
 * The line; of one longer than `most` characters (UTF-16 units) its beginning and a note of how many are missing,
 * which comes on top of `most`.
 */
export const cutLine = (line: string, most: number = LINE_CHARACTERS): string => {
  if (line.length <= most) return line
  const kept = line.slice(0, most).toWellFormed()
  return `${kept}… (${line.length - most} more characters in this line)`
}

/**
 * The lines from `start` to `end` (from 1, both included), as many as the limits let through; at least one where there is
 * one. Line ends are `\n`; one at the end of the text begins no further line.
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

/**
 * The lines of a text whose line ends are `\n`, without them; one at the end begins no further line. None of an empty
 * text.
 */
export const linesOf = (text: string): readonly string[] => {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
