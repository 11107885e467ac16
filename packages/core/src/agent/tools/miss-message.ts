/** The message for a model when the text to replace is not in the file: how it differs, and the actual lines. */
import { cutLine, numberedLine } from './numbered-lines.ts'
import { nearestLines, type LineRange } from './nearest-lines.ts'

/** Maximum lines shown per range, and characters per line. */
const SHOWN_LINES = 14
const SHOWN_CHARACTERS = 240
const REDACTED = /\[redacted:[a-z0-9-]+\]/i
const NUMBERED = /^[ \t]*\d+(?:\t|→|[:|] ?)/

/**
 * Why `wanted` is not found in `text`, for the model: the file is empty, a redacted secret or line numbers stand in
 * `wanted`, or the lines that differ only in blanks, quotes, dashes or escapes; else the one or two most similar
 * ranges, numbered, if there are any. Call it only if it is not in there. Both texts end lines with `\n`; `path` names
 * the file.
 */
export const missMessage = (text: string, wanted: string, path: string): string => {
  if (text.trim() === '') return `${path} is empty, so old_text is not in it; use write_file.`
  const placeholder = REDACTED.exec(wanted)?.[0]
  if (placeholder !== undefined && !text.includes(placeholder))
    return `old_text is not in ${path}: ${placeholder} stands for a secret that was taken out of the log, and the file has the secret itself. Leave that line out of old_text.`
  const bare = wanted.split('\n').map((line) => line.replace(NUMBERED, ''))
  if (bare.join('\n') !== wanted && text.includes(bare.join('\n')))
    return `old_text is not in ${path}, but it is without the line numbers of read_file: leave these out.`
  const lines = text.split('\n')
  for (const [differs, simplify] of SIMPLIFICATIONS) {
    const range = simplifiedRange(lines, wanted, simplify)
    if (range !== undefined)
      return `old_text is not in ${path} as it is given; lines ${range.first + 1} to ${range.last + 1} differ from it only in ${differs}. They are:\n${shownRange(lines, range)}`
  }
  const ranges = nearestLines(lines, wanted)
  if (ranges.length === 0)
    return `old_text is not in ${path}, and nothing in its ${lines.length} lines is like it. Read the file again, or search for the text.`
  return `old_text is not in ${path}. The nearest lines are:\n${ranges.map((range) => shownRange(lines, range)).join('\n…\n')}`
}

/** What may differ, and what makes lines equal that differ only in it; tried in this order. */
const SIMPLIFICATIONS: readonly (readonly [differs: string, simplify: (line: string) => string])[] = [
  ['blanks at the ends of lines', (line) => line.trimEnd()],
  ['blanks', (line) => line.replace(/\s+/g, '')],
  ['blanks, quotes or dashes', (line) => straight(line).replace(/\s+/g, '')],
  [
    'escapes',
    (line) =>
      straight(line)
        .replace(/\\(?=["'`\\/$])/g, '')
        .replace(/\s+/g, ''),
  ],
]

/**
 * Replaces curly quotes with `'` and `"` (not guillemets), each dash and minus sign with one `-`, and `…` with three
 * dots, so the length may change. Blanks stay.
 */
const straight = (line: string): string =>
  line
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/…/g, '...')

/**
 * The first lines that equal the wanted ones once both are simplified, without empty lines at the ends; undefined if
 * there are none. Of the first and last line a part is enough: its end or its beginning, of a single line any part.
 * `simplify` is applied to each line.
 */
const simplifiedRange = (
  lines: readonly string[],
  wanted: string,
  simplify: (line: string) => string,
): LineRange | undefined => {
  const sought = wanted.split('\n').map(simplify)
  while (sought.length > 0 && sought[0] === '') sought.shift()
  while (sought.at(-1) === '') sought.pop()
  if (sought.length === 0) return undefined
  const simple = lines.map(simplify)
  // The first and the last line may be parts of lines.
  /** Whether the wanted lines stand in the text from this line on. */
  const isAt = (first: number): boolean =>
    sought.every((line, index) => {
      const found = simple[first + index]
      if (found === undefined) return false
      if (sought.length === 1) return found.includes(line)
      if (index === 0) return found.endsWith(line)
      return index === sought.length - 1 ? found.startsWith(line) : found === line
    })
  const first = simple.findIndex((_line, index) => isAt(index))
  return first < 0 ? undefined : { first, last: first + sought.length - 1 }
}

/**
 * The numbered lines of a range (0-based, both ends included), at most `SHOWN_LINES`, each cut to `SHOWN_CHARACTERS`.
 * Says how many more there are.
 */
const shownRange = (lines: readonly string[], { first, last }: LineRange): string => {
  const shown = lines.slice(first, Math.min(last + 1, first + SHOWN_LINES))
  const rest = last + 1 - first - shown.length
  const numbered = shown.map((line, index) => numberedLine(first + index + 1, cutLine(line, SHOWN_CHARACTERS)))
  return numbered.join('\n') + (rest > 0 ? `\n… (${rest} more lines)` : '')
}
