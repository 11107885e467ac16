/** Colours of a terminal as classes; every other sequence of one is left out. */
import { escapeText } from './escape.ts'

/** `ESC [ … m`, other control sequences, strings for the terminal (titles, links, the clipboard), and two-letter escapes. */
const SEQUENCE =
  /[\u001b]\[([\d;:]{0,80})m|(?:[\u001b]\[|\u009b)[0-?]{0,80}[ -/]{0,8}[@-~]|[\u001b][\]PX^_][^\u0007\u001b]{0,4000}(?:\u0007|[\u001b]\\)|[\u001b][@-Z\\^-~]/g // eslint-disable-line no-control-regex -- what this is for

/** The text as it would be read. */
export const withoutAnsi = (text: string): string => (/[\u001b\u009b]/.test(text) ? text.replace(SEQUENCE, '') : text) // eslint-disable-line no-control-regex -- what this is for

interface Style {
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
  /** 0 to 15, of the terminal's palette. */
  colour: number | undefined
}

const plain = (): Style => ({ bold: false, dim: false, italic: false, underline: false, colour: undefined })

const classesOf = ({ bold, dim, italic, underline, colour }: Style): string =>
  [
    ...(bold ? ['ab'] : []),
    ...(dim ? ['ad'] : []),
    ...(italic ? ['ai'] : []),
    ...(underline ? ['au'] : []),
    ...(colour === undefined ? [] : [`a${colour}`]),
  ].join(' ')

/** Colours beyond the palette are left out, with the numbers that they take; backgrounds too. */
const apply = (style: Style, codes: readonly number[]): void => {
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if (code === 0) Object.assign(style, plain())
    else if (code === 1) style.bold = true
    else if (code === 2) style.dim = true
    else if (code === 3) style.italic = true
    else if (code === 4) style.underline = true
    else if (code === 22) Object.assign(style, { bold: false, dim: false })
    else if (code === 23) style.italic = false
    else if (code === 24) style.underline = false
    else if (code >= 30 && code <= 37) style.colour = code - 30
    else if (code >= 90 && code <= 97) style.colour = code - 82
    else if (code === 39) style.colour = undefined
    else if (code === 38 || code === 48) {
      const isIndexed = codes[index + 1] === 5
      const number = codes[index + 2] ?? 16
      if (code === 38) style.colour = isIndexed && number < 16 ? number : undefined
      index += isIndexed ? 2 : codes[index + 1] === 2 ? 4 : 0
    }
  }
}

/** A tool's output as HTML. */
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
    if (match[1] !== undefined) apply(style, match[1].split(/[;:]/).map(Number))
  }
  put(text.length)
  return html
}
