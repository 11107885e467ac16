/**
 * Splits a shell command into its simple commands, provided it consists only of words and operators that join commands.
 */

export interface ShellWord {
  readonly text: string
  /** It has `*`, `?` or `[` outside quotes, which the shell expands to file names. */
  readonly isPattern: boolean
}

/** The words of a command: the program and its arguments. */
export type SimpleCommand = readonly ShellWord[]

/** Operators that end one command and start another. */
const JOINER = /^(?:&&|\|\||[;|\n])/
/** Redirections of output that change nothing. */
const HARMLESS_REDIRECTION = /^(?:[012]?>{1,2}[ \t]*\/dev\/null|2>&1)(?=[\s;|&]|$)/
const PLAIN = /^[^\s'"\\$`&|;<>(){}!#~*?[\]]+/
/** Characters with a special meaning only at the beginning of a word. */
const PLAIN_INSIDE = /^[!#~]/

/**
 * The simple commands of a line, in order. Undefined if the shell would do more: expand a variable, run a nested
 * command, write to a file, continue in the background; also for unclosed quotes.
 */
export const simpleCommands = (line: string): readonly SimpleCommand[] | undefined => {
  const commands: SimpleCommand[] = []
  let words: ShellWord[] = []
  for (let at = 0; at < line.length;) {
    const rest = line.slice(at)
    const blank = /^[ \t]+/.exec(rest)?.[0]
    const skipped = blank ?? HARMLESS_REDIRECTION.exec(rest)?.[0]
    const joiner = JOINER.exec(rest)?.[0]
    if (skipped !== undefined) at += skipped.length
    else if (joiner !== undefined) {
      if (words.length === 0 && joiner !== '\n') return undefined
      if (words.length > 0) commands.push(words)
      words = []
      at += joiner.length
    } else {
      const word = readWord(rest)
      if (word === undefined) return undefined
      words.push(word)
      at += word.length
    }
  }
  return words.length > 0 ? [...commands, words] : commands
}

interface Piece {
  readonly text: string
  readonly length: number
  readonly isPattern: boolean
}

/**
 * The first word of a text, and its length there; undefined if there is none, or one that only a shell can expand.
 * Quotes are removed.
 */
const readWord = (text: string): Piece | undefined => {
  let [word, at, isPattern] = ['', 0, false]
  while (at < text.length && !WORD_END.test(text.charAt(at))) {
    const piece = readPiece(text.slice(at), at > 0)
    if (piece === undefined) return undefined
    word += piece.text
    at += piece.length
    isPattern ||= piece.isPattern
  }
  return at === 0 ? undefined : { text: word, length: at, isPattern }
}

const WORD_END = /[\s;|&<>]/
const QUOTED = /^'([^']*)'|^"([^"\\$`]*)"/

/**
 * Plain characters, a quoted text, or one character of a pattern; undefined for what only a shell can expand.
 * @param isInside whether it follows other characters of the word
 */
const readPiece = (text: string, isInside: boolean): Piece | undefined => {
  const plain = PLAIN.exec(text)?.[0] ?? (isInside ? PLAIN_INSIDE.exec(text)?.[0] : undefined)
  if (plain !== undefined) return { text: plain, length: plain.length, isPattern: false }
  const [whole, single, double] = QUOTED.exec(text) ?? []
  if (whole !== undefined) return { text: single ?? double ?? '', length: whole.length, isPattern: false }
  return /^[*?[\]]/.test(text) ? { text: text.charAt(0), length: 1, isPattern: true } : undefined
}
