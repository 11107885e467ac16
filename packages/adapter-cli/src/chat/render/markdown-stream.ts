/**
 * Streams a model's Markdown to a terminal: headings and bold text are bold, code is coloured, lists are indented, and
 * lines wrap at the terminal's width. Unclosed marks stay as they are; nothing is moved once written.
 */
import { neutralise } from '../../terminal/neutralise.ts'
import { charactersOf } from '../../terminal/text-width.ts'
import { InlineMarks } from './inline-marks.ts'
import { WordWrapper, type Paint } from './word-wrapper.ts'

/** What Markdown is drawn on. */
export interface MarkdownPage {
  /** Columns of a line, asked again for each word. */
  readonly width: () => number
  readonly paint: Paint
  /** Words instead of signs: "Code:", "End of code." */
  readonly isPlain: boolean
}

/** The start of a line that may still become a heading, a list item, a quote or a fence. */
const UNDECIDED = /^[ \t]*(?:#{0,6}|[-*+>]|\d{0,3}[.)]?|`{0,3}|~{0,3})$/
const FENCE = /^[ \t]*(`{3,}|~{3,})/
const LEAD = /^([ \t]*)(?:(#{1,6})|([-*+])|(\d{1,3}[.)])|(>)) $/
const NARROWEST = 20
/** The first half of a surrogate pair, which is read with what follows. */
const HALF = /[\ud800-\udbff]$/

type Line =
  | { readonly kind: 'undecided' | 'fence'; readonly text: string }
  | { readonly kind: 'text'; readonly isHeading: boolean }
  /** `mark`: the fence that ends it; `text`: what may become that, undefined once it can't. */
  | { readonly kind: 'code'; readonly mark: string; readonly text: string | undefined }

const NEW_LINE: Line = { kind: 'undecided', text: '' }

/** Draws Markdown that arrives in pieces, for a page whose width may change. */
export class MarkdownStream {
  readonly #page: MarkdownPage
  readonly #wrapper: WordWrapper
  readonly #inline: InlineMarks
  #line: Line = NEW_LINE
  #held = ''
  #isInLine = false
  /** Code that is written in one piece. */
  #code = ''

  constructor(page: MarkdownPage) {
    this.#page = page
    this.#wrapper = new WordWrapper(() => Math.max(NARROWEST, page.width()), page.paint)
    this.#inline = new InlineMarks(this.#wrapper)
  }

  /**
   * Returns what to write for the next piece; pieces may be cut anywhere. What may go on with the next piece is held
   * back.
   */
  push(piece: string): string {
    const text = this.#held + piece
    const half = HALF.exec(text)?.[0] ?? ''
    const characters = charactersOf(text.slice(0, text.length - half.length))
    // What follows may belong to the last character: a mark, or the second half of a line break.
    const last = characters.at(-1) ?? ''
    const isHeld = last !== '\n' && last !== ' '
    this.#held = (isHeld ? last : '') + half
    for (const character of isHeld ? characters.slice(0, -1) : characters) this.#step(neutralise(character))
    this.#writeCode()
    return this.#wrapper.take()
  }

  /**
   * Returns what was held back, and a line end where the text has none. The next piece starts again. In the plain
   * manner an open block of code is said to end.
   */
  end(): string {
    if (this.#held !== '') this.#step(neutralise(this.#held))
    this.#held = ''
    if (this.#isInLine) this.#step('\n')
    if (this.#line.kind === 'code' && this.#page.isPlain) this.#wrapper.verbatim('End of code.\n')
    this.#line = NEW_LINE
    this.#isInLine = false
    return this.#wrapper.take()
  }

  /** Takes the next character. */
  #step(character: string): void {
    this.#isInLine = character !== '\n'
    const line = this.#line
    if (line.kind === 'text') this.#inText(character, line.isHeading)
    else if (line.kind === 'code') this.#inCode(character, line.mark, line.text)
    else if (line.kind === 'fence') this.#inFence(character, line.text)
    else this.#undecided(character, line.text)
  }

  /** Takes a character while the line may still be a heading, a list, a quote or a fence. */
  #undecided(character: string, before: string): void {
    const text = before + character
    if (FENCE.test(text)) this.#inFence(character, before)
    else if (character === '\n' || !UNDECIDED.test(text)) this.#begin(text)
    else this.#line = { kind: 'undecided', text }
  }

  /**
   * Begins a line of text once its kind is known, with what leads it. A heading's marks are left out; `isPlain` has
   * ASCII marks.
   */
  #begin(text: string): void {
    const [, blanks = '', heading, bullet, number, quote] = LEAD.exec(text) ?? []
    const { isPlain } = this.#page
    this.#line = { kind: 'text', isHeading: heading !== undefined }
    if (bullet !== undefined) this.#wrapper.lead(`${blanks}${isPlain ? '-' : '•'} `)
    else if (number !== undefined) this.#wrapper.lead(`${blanks}${number} `)
    else if (quote !== undefined) this.#wrapper.lead(`${blanks}${isPlain ? '>' : '│'} `)
    else if (heading === undefined) for (const character of charactersOf(text)) this.#inText(character, false)
  }

  /** Takes a character of text; its line end ends all marks. A heading's text is bold. */
  #inText(character: string, isHeading: boolean): void {
    if (character !== '\n') {
      this.#inline.put(character, isHeading)
      return
    }
    this.#inline.end()
    this.#wrapper.newline()
    this.#line = NEW_LINE
  }

  /** Takes a character of the line that opens a block of code, whose language is named only in plain output. */
  #inFence(character: string, before: string): void {
    if (character !== '\n') {
      this.#line = { kind: 'fence', text: before + character }
      return
    }
    const mark = FENCE.exec(before)?.[1] ?? '```'
    const language = before.trim().slice(mark.length).trim()
    if (this.#page.isPlain) this.#wrapper.verbatim(`Code${language === '' ? '' : ` (${language})`}:\n`)
    this.#line = { kind: 'code', mark, text: '' }
  }

  /**
   * Takes a character of code. A line that may be the closing fence is held back until that is certain.
   * @param before the line so far; undefined once it is certain to be code
   */
  #inCode(character: string, mark: string, before: string | undefined): void {
    if (character === '\n') {
      const isEnd = closes(before, mark)
      if (!isEnd) this.#code += before ?? ''
      this.#writeCode()
      if (isEnd && this.#page.isPlain) this.#wrapper.verbatim('End of code.')
      this.#wrapper.newline()
      this.#line = isEnd ? NEW_LINE : { kind: 'code', mark, text: '' }
      return
    }
    const start = before === undefined ? undefined : before + character
    const isUndecided = start !== undefined && mayClose(start.trimEnd(), mark)
    if (!isUndecided) this.#code += (start ?? character).replaceAll('\t', '    ')
    this.#line = { kind: 'code', mark, text: isUndecided ? start : undefined }
  }

  /** Writes the code so far. */
  #writeCode(): void {
    if (this.#code !== '') this.#wrapper.verbatim(this.#page.paint('code', this.#code))
    this.#code = ''
  }
}

/** Whether a line may still become the end of a fence. */
const mayClose = (text: string, mark: string): boolean =>
  text.trimStart() === '' || text.trimStart() === (mark[0] ?? '').repeat(text.trimStart().length)

/** Whether a line ends a fence; false for undefined. */
const closes = (text: string | undefined, mark: string): boolean =>
  text !== undefined && text.trim().length >= mark.length && mayClose(text.trimEnd(), mark)
