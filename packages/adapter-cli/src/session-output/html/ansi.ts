/** A terminal's colours as CSS classes; its other control sequences are left out. */
import { escapeText } from './escape.ts'

/**
 * Escape sequences: `ESC [ … m`, other control sequences, strings for the terminal (titles, links, the clipboard), and
 * two-letter escapes.
 */
const SEQUENCE =
  /[\u001b]\[([\d;:]{0,80})m|(?:[\u001b]\[|\u009b)[0-?]{0,80}[ -/]{0,8}[@-~]|[\u001b][\]PX^_][^\u0007\u001b]{0,4000}(?:\u0007|[\u001b]\\)|[\u001b][@-Z\\^-~]/g // eslint-disable-line no-control-regex -- what this is for

/** Returns the text without a terminal's control sequences; unchanged if it has none. */
export const withoutAnsi = (text: string): string => (/[\u001b\u009b]/.test(text) ? text.replace(SEQUENCE, '') : text) // eslint-disable-line no-control-regex -- what this is for

/** The current text style. */
interface Style {
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  /** 0 to 15, of the terminal's palette. */
  colour: number | undefined
}

/** A style without colour or emphasis. */
const plain = (): Style => ({ bold: false, dim: false, italic: false, underline: false, colour: undefined })

/** Returns the CSS classes of a style, with spaces between; empty for the plain style. */
const classesOf = ({ bold, dim, italic, underline, colour }: Style): string =>
  [
    ...(bold ? ['ab'] : []),
    ...(dim ? ['ad'] : []),
    ...(italic ? ['ai'] : []),
    ...(underline ? ['au'] : []),
    ...(colour === undefined ? [] : [`a${colour}`]),
  ].join(' ')

/** What each code of a sequence changes; colours are handled by `colourOf`. */
const CHANGES: Readonly<Record<number, Partial<Style>>> = {
  0: { bold: false, dim: false, italic: false, underline: false, colour: undefined },
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  39: { colour: undefined },
}

/** The palette index of a simple colour: 30 to 37 are 0 to 7, 90 to 97 are 8 to 15; undefined for any other code. */
const colourOf = (code: number): number | undefined => {
  if (code >= 30 && code <= 37) return code - 30
  return code >= 90 && code <= 97 ? code - 82 : undefined
}

/**
 * For `38;5;n` and `38;2;r;g;b` (48 for the background): how many numbers follow, and the palette index if it is one of
 * the 16 named colours; undefined for any other.
 */
const extendedColour = (codes: readonly number[], index: number): { operands: number; colour: number | undefined } => {
  const mode = codes[index + 1]
  if (mode !== 5) return { operands: mode === 2 ? 4 : 0, colour: undefined }
  const number = codes[index + 2] ?? 16
  return { operands: 2, colour: number < 16 ? number : undefined }
}

/**
 * The codes of a sequence, without what follows a code after colons (`4:3`: a curly underline), which means no codes of
 * their own. A colour of the palette (`38:5:n`) is as if it had semicolons, any other is one that is not shown.
 */
const codesOf = (sequence: string): readonly number[] =>
  sequence.split(';').flatMap((part) => {
    const [code = 0, ...more] = part.split(':').map(Number)
    if (more.length === 0) return [code]
    if (code === 38 || code === 48) return more[0] === 5 ? [code, 5, more[1] ?? 16] : [code, 2, 0, 0, 0]
    return code === 4 && more[0] === 0 ? [24] : [code]
  })

/**
 * Applies the codes of one sequence to `style`. Colours beyond the palette are ignored with their numbers, and so are
 * backgrounds.
 */
const apply = (style: Style, codes: readonly number[]): void => {
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if (code === 38 || code === 48) {
      const { operands, colour } = extendedColour(codes, index)
      if (code === 38) style.colour = colour
      index += operands
      continue
    }
    const colour = colourOf(code)
    Object.assign(style, colour === undefined ? CHANGES[code] : { colour })
  }
}

/** Returns a tool's output as escaped HTML, colours as `span`s with classes; other control sequences are removed. */
export const ansiHtml = (text: string): string => {
  if (!/[\u001b\u009b]/.test(text)) return escapeText(text) // eslint-disable-line no-control-regex -- what this is for
  const style = plain()
  let html = ''
  let from = 0
  const put = (to: number): void => {
    if (to <= from) return
    const classes = classesOf(style)
    const part = escapeText(text.slice(from, to))
    html += classes === '' ? part : `<span class="${classes}">${part}</span>`
  }
  for (const match of text.matchAll(SEQUENCE)) {
    put(match.index)
    from = match.index + match[0].length
    if (match[1] !== undefined) apply(style, codesOf(match[1]))
  }
  put(text.length)
  return html
}
