/** A file's text as a model sees it, without a byte order mark and `\r`, and the mapping back to the text on disk. */

const BYTE_ORDER_MARK = '\uFEFF'

/** A text whose lines end with `\n` only, with the positions of `\r\n` in the original. */
export interface PlainText {
  readonly text: string
  /** What precedes it in the original: a byte order mark, or nothing. */
  readonly mark: string
  /** The most frequent line ending of the original; `\n` if it has none, or as many of either. */
  readonly lineEnd: '\n' | '\r\n'
  /** Maps an offset in `text` to the original; that of a line's end to its `\r` where it has one. */
  readonly offsetIn: (offset: number) => number
}

/**
 * A text as a model sees it: without byte order mark, and with `\n` for each `\r\n` (a `\r` on its own stays).
 * `lineEnd` is the one of most lines, `\n` if either ends as many.
 */
export const plainText = (original: string): PlainText => {
  const mark = original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const body = original.slice(mark.length)
  if (!body.includes('\r\n')) return { text: body, mark, lineEnd: '\n', offsetIn: (offset) => offset + mark.length }
  const text = body.replaceAll('\r\n', '\n')
  const wide = wideLineEnds(body)
  const lineEnds = text.split('\n').length - 1
  return {
    text,
    mark,
    lineEnd: wide.length * 2 > lineEnds ? '\r\n' : '\n',
    offsetIn: (offset) => mark.length + offset + countBelow(wide, offset),
  }
}

/**
 * Offsets of those line feeds that are `\r\n` in `body`, in the text with `\n` for each `\r\n` (a lone `\r` stays);
 * ascending.
 */
const wideLineEnds = (body: string): readonly number[] => {
  const offsets: number[] = []
  for (let at = body.indexOf('\r\n'); at >= 0; at = body.indexOf('\r\n', at + 2)) offsets.push(at - offsets.length)
  return offsets
}

/** How many numbers of an ascending list are below a limit. */
const countBelow = (numbers: readonly number[], limit: number): number => {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Converts a text whose lines end with `\n` to the line endings of a file. It must hold no `\r\n`. */
export const withLineEnds = (text: string, lineEnd: PlainText['lineEnd']): string =>
  lineEnd === '\n' ? text : text.replaceAll('\n', '\r\n')

/**
 * Converts a completely new text to the format of the file it replaces: with that file's byte order mark or, if it has
 * none, without one; and with `\r\n` if all its lines ended so. A new text that itself contains `\r\n` keeps its line
 * ends.
 */
export const inShapeOf = (before: string, after: string): string => {
  const { mark, lineEnd, text } = plainText(before)
  const body = after.startsWith(BYTE_ORDER_MARK) ? after.slice(1) : after
  const isWide = lineEnd === '\r\n' && before.length === mark.length + text.length + text.split('\n').length - 1
  return mark + (isWide && !body.includes('\r\n') ? withLineEnds(body, lineEnd) : body)
}
