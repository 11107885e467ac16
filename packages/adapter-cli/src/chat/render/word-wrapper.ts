/** Writes streamed characters wrapped between words at the terminal's width: a word is written once it is complete. */
import { textWidth } from '../../terminal/text-width.ts'

/** How a piece of text is drawn. */
export type TextStyle = 'plain' | 'bold' | 'code'

/** Styles a text; without colours, returns it unchanged. */
export type Paint = (style: TextStyle, text: string) => string

/** A grapheme with its columns. */
interface Character {
  readonly text: string
  readonly width: number
  readonly style: TextStyle
}

const TAB = '    '
/** The share of a line's columns that its indentation may take. */
const LARGEST_INDENT = 0.5

/**
 * Wraps words into lines of at most `width()` columns, which is asked again for each word, because the terminal may be
 * resized.
 */
export class WordWrapper {
  readonly #width: () => number
  readonly #paint: Paint
  #written = ''
  #column = 0
  #indent = 0
  #spaces = 0
  #isAtStart = true
  #word: Character[] = []
  #wordWidth = 0

  constructor(width: () => number, paint: Paint) {
    this.#width = width
    this.#paint = paint
  }

  /**
   * Adds one character as readers count them (a grapheme); spaces and tabs separate words, and behind a wide character
   * a line may be broken.
   */
  put(text: string, style: TextStyle): void {
    if (text === ' ' || text === '\t') {
      this.#flush()
      this.#spaces += text === ' ' ? 1 : TAB.length
      return
    }
    const width = textWidth(text)
    // A line may be broken before and behind every wide character.
    if (width > 1) this.#flush()
    this.#word.push({ text, width, style })
    this.#wordWidth += width
    if (width > 1 || this.#wordWidth >= this.#width()) this.#flush()
  }

  /** Begins a line with a text; what follows on the line is indented below its end where it is broken. */
  lead(text: string): void {
    this.#written += text
    this.#column = textWidth(text)
    this.#indent = Math.min(this.#column, this.#largestIndent())
  }

  /** Ends the line, with the word held back. */
  newline(): void {
    this.#flush()
    this.#written += '\n'
    this.#column = 0
    this.#indent = 0
    this.#spaces = 0
    this.#isAtStart = true
  }

  /** Text that stays in one piece, such as code: the terminal itself breaks it. */
  verbatim(text: string): void {
    this.#flush()
    this.#written += text
    this.#isAtStart = false
  }

  /** What has been written since the last call. The last word is held until it ends. */
  take(): string {
    const text = this.#written
    this.#written = ''
    return text
  }

  #largestIndent(): number {
    return Math.floor(this.#width() * LARGEST_INDENT)
  }

  /** Begins a line, indented as what leads the text. */
  #breakLine(): void {
    this.#written += `\n${' '.repeat(this.#indent)}`
    this.#column = this.#indent
  }

  /** Writes the spaces before a word; at the start of a line they become its indent, up to the largest. */
  #writeSpaces(): void {
    const kept = this.#isAtStart ? Math.min(this.#spaces, this.#largestIndent()) : this.#spaces
    this.#written += ' '.repeat(kept)
    this.#column += kept
    if (this.#isAtStart) this.#indent += kept
  }

  /** Writes the word held back, on the next line if it does not fit; one longer than a line is broken. */
  #flush(): void {
    if (this.#word.length === 0) return
    const isTooLong = this.#column + this.#spaces + this.#wordWidth > this.#width()
    if (!this.#isAtStart && isTooLong) this.#breakLine()
    else this.#writeSpaces()
    this.#spaces = 0
    this.#isAtStart = false
    let run = ''
    let style: TextStyle = 'plain'
    for (const character of this.#word) {
      const isFull = this.#column + character.width > this.#width() && this.#column > this.#indent
      if (isFull || character.style !== style) {
        this.#written += this.#paint(style, run)
        run = ''
        style = character.style
      }
      if (isFull) this.#breakLine()
      run += character.text
      this.#column += character.width
    }
    this.#written += this.#paint(style, run)
    this.#word = []
    this.#wordWidth = 0
  }
}
