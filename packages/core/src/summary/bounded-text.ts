/** Text that is kept within a number of characters, and fit to be stored, sent and shown. */

/** Of a text that is cut, this part of what remains is its beginning; the rest is its end. */
const HEAD_SHARE = 2 / 3
const ELLIPSIS = '…'

/**
 * The text within `maximum` UTF-16 units; a longer one becomes exactly so long: its beginning and its end around an
 * ellipsis, half a surrogate pair being one more ellipsis. '' below 1.
 * Cutting what was cut gives the same as cutting the whole at once, and more room never keeps less.
 */
export const cutText = (text: string, maximum: number): string => {
  if (text.length <= maximum) return text
  if (maximum < ELLIPSIS.length) return ''
  const charactersLeft = maximum - ELLIPSIS.length
  const head = Math.ceil(charactersLeft * HEAD_SHARE)
  // A half of a pair gives its place to an ellipsis: a cut is always as long as it may be, so cutting it again cuts it again.
  const start = splitsPair(text, head) ? `${text.slice(0, head - 1)}${ELLIPSIS}` : text.slice(0, head)
  return `${start}${ELLIPSIS}${endOf(text, charactersLeft - head)}`
}

/** The end of a text; half a pair at its beginning becomes an ellipsis. */
const endOf = (text: string, characters: number): string => {
  const start = text.length - characters
  return splitsPair(text, start) ? `${ELLIPSIS}${text.slice(start + 1)}` : text.slice(start)
}

/** Whether a cut at an index would split a surrogate pair. */
const splitsPair = (text: string, index: number): boolean =>
  index > 0 && index < text.length && isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index))

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

const COLOURS = /\p{Cc}\[[\d;]*m/gu
const CONTROLS = /(?![\n\t])\p{Cc}/gu

/**
 * The text without terminal colours, control characters (databases refuse some) and lone surrogates; line ends become
 * `\n`.
 */
export const cleanText = (text: string): string =>
  text.toWellFormed().replace(COLOURS, '').replaceAll('\r\n', '\n').replace(CONTROLS, '')

/** The text trimmed, with every run of white space, line ends too, as one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * `before` on the first line, so many spaces on the others (line ends are `\n`): text of several lines can't pass for
 * the next item.
 */
export const indentContinuation = (before: string, text: string): string =>
  `${before}${text.replaceAll('\n', `\n${' '.repeat(before.length)}`)}`
