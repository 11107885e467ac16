/** Bold and code within a line: a mark is waited for until it is closed; one that never is stays as it was written. */
import { charactersOf } from '../../terminal/text-width.ts'
import type { TextStyle, WordWrapper } from './word-wrapper.ts'

export interface InlineMarks {
  /** The line's next character, which is no line end. */
  put(character: string, isHeading: boolean): void
  /** The line ends. */
  end(): void
}

/** Characters that are waited for at most; more are no bold text and no code. */
const LONGEST_SPAN = 400
/** Bold that begins and ends with a visible character, and code in backticks of any number. */
const WHOLE = [/^\*\*(?=\S)([^]*\S)\*\*$/, /^(`+)([^`][^]*?[^`]|[^`])\1$/] as const
const CODE_PART = /(`+)([^`]+)\1/g

/** Marks of one line after the other, written to a wrapper. */
export const createInlineMarks = (wrapper: Pick<WordWrapper, 'put'>): InlineMarks => {
  /** What began with a mark and is not closed yet. */
  let span = ''
  let isBold = false

  const write = (text: string, style: TextStyle): void => {
    for (const character of charactersOf(text)) wrapper.put(character, style)
  }
  const plain = (): TextStyle => (isBold ? 'bold' : 'plain')

  /** Bold text, in which code is code. */
  const writeBold = (text: string): void => {
    let from = 0
    for (const part of text.matchAll(CODE_PART)) {
      write(text.slice(from, part.index), 'bold')
      write(part[2] ?? '', 'code')
      from = part.index + part[0].length
    }
    write(text.slice(from), 'bold')
  }

  /** What was no mark: its first character is text, and the rest is read anew. */
  const giveUp = (): void => {
    const [run = ''] = /^(?:`+|\*+)/.exec(span) ?? []
    const rest = charactersOf(span.slice(run.length))
    span = ''
    write(run, plain())
    for (const character of rest) put(character)
  }

  /** Whether the span is closed; then it is written. */
  const writeWhole = (next: string): boolean => {
    if (span.endsWith('`') && next !== '`') {
      const [, , code] = WHOLE[1].exec(span) ?? []
      if (code !== undefined) {
        write(code, 'code')
        span = ''
        return true
      }
    }
    if (span.endsWith('**') && next !== '*') {
      const [, bold] = WHOLE[0].exec(span) ?? []
      if (bold !== undefined) {
        writeBold(bold)
        span = ''
        return true
      }
    }
    return false
  }

  /** Whether what has come of the span can still become one. */
  const isPossible = (): boolean =>
    span.length <= LONGEST_SPAN && (span.startsWith('`') || /^\*(?:$|\*(?:$|\*?$|[^\s*]))/.test(span))

  const put = (character: string): void => {
    if (span !== '') writeWhole(character)
    if (span === '' && character !== '*' && character !== '`') {
      wrapper.put(character, plain())
      return
    }
    span += character
    if (!isPossible()) giveUp()
  }

  return {
    put: (character, isHeading) => {
      isBold = isHeading
      put(character)
    },
    end: () => {
      while (span !== '') if (!writeWhole('')) giveUp()
    },
  }
}
