/**
 * A model's Markdown on its way to a terminal, as it comes: headings and bold are bold, code is coloured, lists are indented,
 * lines are broken at the terminal's width. Marks that are never closed stay as they are; nothing is moved once it is written.
 */
import { neutralise } from '../../terminal/neutralise.ts'
import { charactersOf } from '../../terminal/text-width.ts'
import { createInlineMarks } from './inline-marks.ts'
import { createWordWrapper, type Paint } from './word-wrapper.ts'

export interface MarkdownStream {
  /** What to write for the next piece; the pieces may be cut anywhere. */
  push(piece: string): string
  /** What was held back, and a line end where the text has none. The next piece begins anew. */
  end(): string
}

export interface MarkdownPage {
  /** Columns of a line, asked anew for each word. */
  readonly width: () => number
  readonly paint: Paint
  /** Words instead of signs: "Code:", "End of code." */
  readonly isPlain: boolean
}

/** The beginning of a line that may still become a heading, an item of a list, a quote or a fence. */
const UNDECIDED = /^[ \t]*(?:#{0,6}|[-*+>]|\d{0,3}[.)]?|`{0,3}|~{0,3})$/
const FENCE = /^[ \t]*(`{3,}|~{3,})/
const LEAD = /^([ \t]*)(?:(#{1,6})|([-*+])|(\d{1,3}[.)])|(>)) $/
const NARROWEST = 20
/** Half of a character: it is read with what follows. */
const HALF = /[\ud800-\udbff]$/

type Line =
  | { readonly kind: 'undecided' | 'fence-begin'; text: string }
  | { readonly kind: 'text'; readonly isHeading: boolean }
  /** `mark`: the fence that ends it; `text`: what may become that, undefined once it can't. */
  | { readonly kind: 'code'; readonly mark: string; text: string | undefined }

/** A stream over a page whose width may change. */
export const createMarkdownStream = (page: MarkdownPage): MarkdownStream => {
  const wrapper = createWordWrapper(() => Math.max(NARROWEST, page.width()), page.paint)
  const inline = createInlineMarks(wrapper)
  let line: Line = { kind: 'undecided', text: '' }
  let held = ''
  let isInLine = false
  /** Code that is written in one piece. */
  let code = ''
  const writeCode = (): void => {
    if (code !== '') wrapper.verbatim(page.paint('code', code))
    code = ''
  }

  const textCharacter = (character: string, isHeading: boolean): void => {
    if (character !== '\n') return inline.put(character, isHeading)
    inline.end()
    wrapper.newline()
    line = { kind: 'undecided', text: '' }
  }

  const begin = (text: string): void => {
    const [, blanks = '', heading, bullet, number, quote] = LEAD.exec(text) ?? []
    line = { kind: 'text', isHeading: heading !== undefined }
    if (bullet !== undefined) return wrapper.lead(`${blanks}${page.isPlain ? '-' : '•'} `)
    if (number !== undefined) return wrapper.lead(`${blanks}${number} `)
    if (quote !== undefined) return wrapper.lead(`${blanks}${page.isPlain ? '>' : '│'} `)
    if (heading === undefined) for (const character of charactersOf(text)) textCharacter(character, false)
  }

  const codeCharacter = (character: string, { mark, text }: Line & { kind: 'code' }): void => {
    if (character === '\n') {
      const isEnd = closes(text, mark)
      if (!isEnd) code += text ?? ''
      writeCode()
      if (isEnd && page.isPlain) wrapper.verbatim('End of code.')
      wrapper.newline()
      line = isEnd ? { kind: 'undecided', text: '' } : { kind: 'code', mark, text: '' }
      return
    }
    const start = text === undefined ? undefined : text + character
    const isUndecided = start !== undefined && mayClose(start.trimEnd(), mark)
    if (!isUndecided) code += (start ?? character).replaceAll('\t', '    ')
    line = { kind: 'code', mark, text: isUndecided ? start : undefined }
  }

  const undecidedCharacter = (character: string, text: string): void => {
    if (FENCE.test(text + character)) fenceBegin(character, text)
    else if (character === '\n' || !UNDECIDED.test(text + character)) begin(text + character)
    else line = { kind: 'undecided', text: text + character }
  }

  const fenceBegin = (character: string, text: string): void => {
    if (character !== '\n') {
      line = { kind: 'fence-begin', text: text + character }
      return
    }
    const mark = FENCE.exec(text)?.[1] ?? '```'
    const language = text.trim().slice(mark.length).trim()
    if (page.isPlain) wrapper.verbatim(`Code${language === '' ? '' : ` (${language})`}:\n`)
    line = { kind: 'code', mark, text: '' }
  }

  const step = (character: string): void => {
    isInLine = character !== '\n'
    if (line.kind === 'text') textCharacter(character, line.isHeading)
    else if (line.kind === 'code') codeCharacter(character, line)
    else if (line.kind === 'fence-begin') fenceBegin(character, line.text)
    else undecidedCharacter(character, line.text)
  }

  return {
    push: (piece) => {
      const text = held + piece
      const half = HALF.exec(text)?.[0] ?? ''
      const characters = charactersOf(text.slice(0, text.length - half.length))
      // What follows may belong to the last character: a mark, or the second half of a line break.
      const last = characters.at(-1) ?? ''
      const isHeld = last !== '\n' && last !== ' '
      held = (isHeld ? last : '') + half
      for (const character of isHeld ? characters.slice(0, -1) : characters) step(neutralise(character))
      writeCode()
      return wrapper.take()
    },
    end: () => {
      if (held !== '') step(neutralise(held))
      held = ''
      if (isInLine) step('\n')
      if (line.kind === 'code' && page.isPlain) wrapper.verbatim('End of code.\n')
      line = { kind: 'undecided', text: '' }
      isInLine = false
      return wrapper.take()
    },
  }
}

const mayClose = (text: string, mark: string): boolean =>
  text.trimStart() === '' || text.trimStart() === (mark[0] ?? '').repeat(text.trimStart().length)

const closes = (text: string | undefined, mark: string): boolean =>
  text !== undefined && text.trim().length >= mark.length && mayClose(text.trimEnd(), mark)
