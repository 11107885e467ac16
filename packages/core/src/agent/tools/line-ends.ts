/** A file's text as a model sees it, without byte order mark and `\r`, and how to get from there to the text on the disk. */

const BYTE_ORDER_MARK = '\uFEFF'

/** A text whose lines end with `\n` alone, and where the original had `\r\n`. */
export interface PlainText {
  readonly text: string
  /** What stands before it in the original: a byte order mark, or nothing. */
  readonly mark: string
  /** What most lines of the original end with. */
  readonly lineEnd: '\n' | '\r\n'
  /** The offset in the original that an offset in `text` stands for. */
  readonly offsetIn: (offset: number) => number
}

/** A text without what a model does not see of it. A `\r` alone is a character like others. */
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

/** Offsets, in the text without `\r`, of the line feeds that had one before them; ascending. */
const wideLineEnds = (body: string): readonly number[] => {
  const offsets: number[] = []
  for (let at = body.indexOf('\r\n'); at >= 0; at = body.indexOf('\r\n', at + 2)) offsets.push(at - offsets.length)
  return offsets
}

/** How many numbers of an ascending list are below a number. */
const countBelow = (numbers: readonly number[], limit: number): number => {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** A text whose lines end with `\n`, with the line ends of a file. */
export const withLineEnds = (text: string, lineEnd: PlainText['lineEnd']): string =>
  lineEnd === '\n' ? text : text.replaceAll('\n', '\r\n')

/**
 * A whole new text for a file that had another: with its byte order mark, and with `\r\n` where all of its lines ended so.
 * A new text that has `\r\n` itself is taken as it is.
 */
export const inShapeOf = (before: string, after: string): string => {
  const { mark, lineEnd, text } = plainText(before)
  const body = after.startsWith(BYTE_ORDER_MARK) ? after.slice(1) : after
  const isWide = lineEnd === '\r\n' && before.length === mark.length + text.length + text.split('\n').length - 1
  return mark + (isWide && !body.includes('\r\n') ? withLineEnds(body, lineEnd) : body)
}
