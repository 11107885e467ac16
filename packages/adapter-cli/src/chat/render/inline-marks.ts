/** Bold and code within a line: output waits until a mark is closed; an unclosed mark stays as written. */
import { charactersOf } from '../../terminal/text-width.ts'
import type { TextStyle, WordWrapper } from './word-wrapper.ts'

/** Characters after which an open mark is taken as plain text. */
const LONGEST_SPAN = 400
/** Bold text starts and ends with a visible character. */
const BOLD = /^\*\*(?=\S)([^]*\S)\*\*$/
/** Code is enclosed in any number of backticks. */
const CODE = /^(`+)([^`][^]*?[^`]|[^`])\1$/
const CODE_PART = /(`+)([^`]+)\1/g
/** The start of what may still become bold text or code. */
const POSSIBLE = /^(?:`|\*(?:$|\*(?:$|\*?$|[^\s*])))/

/** Draws bold text and inline code of one line after another, character by character, onto a wrapper. */
export class InlineMarks {
  readonly #wrapper: Pick<WordWrapper, 'put'>
  /** What began with a mark and is not closed yet. */
  #span = ''
  #plain: TextStyle = 'plain'

  constructor(wrapper: Pick<WordWrapper, 'put'>) {
    this.#wrapper = wrapper
  }

  /** Takes the line's next character, which is no line end. In a heading it starts out bold. */
  put(character: string, isHeading: boolean): void {
    this.#plain = isHeading ? 'bold' : 'plain'
    this.#take(character)
  }

  /** The line ends. */
  end(): void {
    while (this.#span !== '') if (!this.#closes('')) this.#giveUp()
  }

  /**
   * Takes a character: plain text, or part of a mark such as `*` or a backtick. What can't become one is written as it
   * is.
   */
  #take(character: string): void {
    if (this.#span !== '') this.#closes(character)
    if (this.#span === '' && character !== '*' && character !== '`') {
      this.#wrapper.put(character, this.#plain)
      return
    }
    this.#span += character
    if (this.#span.length > LONGEST_SPAN || !POSSIBLE.test(this.#span)) this.#giveUp()
  }

  /**
   * Returns whether the span is closed before the next character; then it is written. One letter further is needed, as
   * a mark may go on.
   */
  #closes(next: string): boolean {
    const code = this.#span.endsWith('`') && next !== '`' ? CODE.exec(this.#span)?.[2] : undefined
    const bold = this.#span.endsWith('**') && next !== '*' ? BOLD.exec(this.#span)?.[1] : undefined
    if (code === undefined && bold === undefined) return false
    this.#span = ''
    if (code !== undefined) this.#write(code, 'code')
    else if (bold !== undefined) this.#writeBold(bold)
    return true
  }

  /** Writes the first signs of what was no mark as text, and reads the rest again. */
  #giveUp(): void {
    const [run = ''] = /^(?:`+|\*+)/.exec(this.#span) ?? []
    const rest = charactersOf(this.#span.slice(run.length))
    this.#span = ''
    this.#write(run, this.#plain)
    for (const character of rest) this.#take(character)
  }

  #write(text: string, style: TextStyle): void {
    for (const character of charactersOf(text)) this.#wrapper.put(character, style)
  }

  /** Writes bold text, in which code is code. */
  #writeBold(text: string): void {
    let from = 0
    for (const part of text.matchAll(CODE_PART)) {
      this.#write(text.slice(from, part.index), 'bold')
      this.#write(part[2] ?? '', 'code')
      from = part.index + part[0].length
    }
    this.#write(text.slice(from), 'bold')
  }
}
