/** Writes characters as they come, broken between words at the terminal's width: a word is written when it is whole. */
import { textWidth } from '../../terminal/text-width.ts'

export type TextStyle = 'plain' | 'bold' | 'code'

/** Puts a style around a text; without colours it gives the text alone. */
export type Paint = (style: TextStyle, text: string) => string

export interface WordWrapper {
  /** One character as readers count them (a grapheme); spaces separate words. */
  put(character: string, style: TextStyle): void
  /** Begins a line with a text; what follows on the line is indented below its end where it is broken. */
  lead(text: string): void
  newline(): void
  /** Text that stays in one piece, such as code: the terminal itself breaks it. */
  verbatim(text: string): void
  /** The word that was held is written now. */
  flush(): void
  /** What has been written since the last call. */
  take(): string
}

interface Character {
  readonly text: string
  readonly width: number
  readonly style: TextStyle
}

const TAB = '    '
/** Of a line's columns, the most that its indent may take. */
const LARGEST_INDENT = 0.5

/** A wrapper whose lines have at most `width()` columns, asked anew for each word: the terminal may be resized. */
export const createWordWrapper = (width: () => number, paint: Paint): WordWrapper => {
  let written = ''
  let column = 0
  let indent = 0
  let spaces = 0
  let isAtStart = true
  let word: Character[] = []
  let wordWidth = 0

  const breakLine = (): void => {
    written += `\n${' '.repeat(indent)}`
    column = indent
  }

  const writeSpaces = (): void => {
    const kept = isAtStart ? Math.min(spaces, Math.floor(width() * LARGEST_INDENT)) : spaces
    written += ' '.repeat(kept)
    column += kept
    if (isAtStart) indent += kept
  }

  const flush = (): void => {
    if (word.length === 0) return
    if (!isAtStart && column + spaces + wordWidth > width()) breakLine()
    else writeSpaces()
    spaces = 0
    isAtStart = false
    let run = ''
    let style: TextStyle = 'plain'
    for (const character of word) {
      const isFull = column + character.width > width() && column > indent
      if (isFull || character.style !== style) {
        written += paint(style, run)
        run = ''
        style = character.style
      }
      if (isFull) breakLine()
      run += character.text
      column += character.width
    }
    written += paint(style, run)
    word = []
    wordWidth = 0
  }

  return {
    put: (text, style) => {
      if (text === ' ' || text === '\t') {
        flush()
        spaces += text === ' ' ? 1 : TAB.length
        return
      }
      const columns = textWidth(text)
      // A line may be broken before and behind every wide character.
      if (columns > 1) flush()
      word.push({ text, width: columns, style })
      wordWidth += columns
      if (columns > 1 || wordWidth >= width()) flush()
    },
    lead: (text) => {
      written += text
      column = textWidth(text)
      indent = Math.min(column, Math.floor(width() * LARGEST_INDENT))
    },
    newline: () => {
      flush()
      written += '\n'
      column = 0
      indent = 0
      spaces = 0
      isAtStart = true
    },
    verbatim: (text) => {
      flush()
      written += text
      isAtStart = false
    },
    flush,
    take: () => {
      const text = written
      written = ''
      return text
    },
  }
}
