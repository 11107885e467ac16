/** How many columns a text takes on a terminal: East Asian characters and emoji take two, marks none. */

const PLAIN = /^[\x20-\x7e]*$/

/** East Asian Wide and Fullwidth in Unicode's EastAsianWidth.txt, in blocks. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u

const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|.*\ufe0f)/su
const INVISIBLE = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u

let segmenter: Intl.Segmenter | undefined

/** Returns the characters of a text as readers count them (graphemes); empty for an empty text. */
export const charactersOf = (text: string): readonly string[] => {
  if (PLAIN.test(text)) return Array.from(text)
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Returns the columns of one character: 0, 1 or 2. */
const widthOfCharacter = (character: string): number => {
  if (PLAIN.test(character)) return 1
  if (INVISIBLE.test(character)) return 0
  return EMOJI.test(character) || WIDE.test(character) ? 2 : 1
}

/**
 * Returns how many columns a terminal needs for a text without escape sequences: wide characters and emoji take two,
 * combining and control characters (including tab and line break) none, others one.
 */
export const textWidth = (text: string): number => {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const character of charactersOf(text)) width += widthOfCharacter(character)
  return width
}

/** Returns the longest run of characters from the first on that fits into `width` columns, as text. */
const startOf = (characters: readonly string[], width: number): string => {
  let used = 0
  let start = ''
  for (const character of characters) {
    used += widthOfCharacter(character)
    if (used > width) break
    start += character
  }
  return start
}

/** Returns the longest run of characters up to the last that fits into `width` columns, as text. */
const endOf = (characters: readonly string[], width: number): string => {
  let used = 0
  let end = ''
  for (const character of characters.toReversed()) {
    used += widthOfCharacter(character)
    if (used > width) break
    end = character + end
  }
  return end
}

/** Returns the text, cut at its end with `…` if it is wider than `width` columns; empty for a width below 1. */
export const shortenEnd = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text
  return width < 1 ? '' : `${startOf(charactersOf(text), width - 1)}…`
}

/**
 * Returns the text, cut in its middle with `…` if it is wider than `width` columns; cut at its end below 4 columns,
 * empty below 1.
 */
export const shortenMiddle = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text
  if (width < 4) return shortenEnd(text, width)
  const characters = charactersOf(text)
  const end = endOf(characters, Math.floor((width - 1) / 2))
  return `${startOf(characters, width - 1 - textWidth(end))}…${end}`
}

/**
 * Returns the path, or its last parts behind `…/` if it is wider than `width` columns; the last part is cut only if it
 * does not fit by itself.
 */
export const shortenPath = (path: string, width: number): string => {
  if (textWidth(path) <= width) return path
  const parts = path.split(/[/\\]/).filter((part) => part !== '')
  let kept = parts.at(-1) ?? path
  for (const part of parts.slice(0, -1).toReversed()) {
    const longer = `${part}/${kept}`
    if (textWidth(longer) + 2 > width) break
    kept = longer
  }
  const withMark = `…/${kept}`
  return textWidth(withMark) <= width ? withMark : shortenMiddle(kept, width)
}

/**
 * Returns the text filled up with spaces to `width` columns, behind it (`left`) or before it (`right`); unchanged if it
 * is wider.
 */
export const pad = (text: string, width: number, align: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'left' ? text + space : space + text
}
