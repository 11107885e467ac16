/** The part of a text that is sent: some lines of it, and of those no more than fit. */
import type { LineRange } from './mention.ts'

/** The part of a text that fits. */
export interface Excerpt {
  readonly text: string
  /** The lines that it is, whole or in part. */
  readonly lines: LineRange
  readonly totalLines: number
  /** Whether it is only the beginning of a line. */
  readonly isLineCut: boolean
  /** What of the lines that were asked for is not in it, in words; undefined for nothing. */
  readonly leftOut?: string
}

/** A count with thousands separators. */
const formatted = (count: number): string => count.toLocaleString('en-US')

/** The lines of a text; a line feed at the end does not add an empty one. */
const linesOf = (text: string): readonly string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')

/**
 * Returns the requested lines (default all), as many from the first one on as fit into `maxCharacters`; if not even the
 * first fits, its beginning. Undefined if the text has no line `asked.first`.
 */
export const excerptOf = (text: string, asked: LineRange | undefined, maxCharacters: number): Excerpt | undefined => {
  const all = linesOf(text)
  const first = asked?.first ?? 1
  const last = Math.min(asked?.last ?? all.length, all.length)
  if (first < 1 || first > all.length) return undefined
  const lines = all.slice(first - 1, last)
  let length = 0
  let kept = 0
  for (const line of lines) {
    if (length + line.length + 1 > maxCharacters + 1) break
    length += line.length + 1
    kept += 1
  }
  const found = { totalLines: all.length, isLineCut: false }
  if (kept === lines.length) return { ...found, text: lines.join('\n'), lines: { first, last } }
  if (kept > 0)
    return {
      ...found,
      text: lines.slice(0, kept).join('\n'),
      lines: { first, last: first + kept - 1 },
      leftOut: linesText(first + kept, last),
    }
  const line = lines[0] ?? ''
  // Half of a character is none.
  const beginning = line.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
  const rest = `all but the first ${formatted(beginning.length)} characters of line ${formatted(first)}`
  return {
    totalLines: all.length,
    isLineCut: true,
    text: beginning,
    lines: { first, last: first },
    leftOut: lines.length === 1 ? rest : `${rest}, and ${linesText(first + 1, last)}`,
  }
}

/** "line 5" or "lines 5 to 1,200". */
export const linesText = (first: number, last: number): string =>
  first === last ? `line ${formatted(first)}` : `lines ${formatted(first)} to ${formatted(last)}`
