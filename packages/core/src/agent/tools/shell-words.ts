/** Splits a shell command into its simple commands, where nothing in it but words and what joins commands has a meaning. */

export interface ShellWord {
  readonly text: string
  /** It has `*`, `?` or `[` outside of quotes: the shell puts names of files in its place. */
  readonly isPattern: boolean
}

/** The words of a command: the program and its arguments. */
export type SimpleCommand = readonly ShellWord[]

/** What ends a command and begins another. */
const JOINER = /^(?:&&|\|\||[;|\n])/
/** Where output may go without changing anything. */
const HARMLESS_REDIRECTION = /^(?:[012]?>{1,2}[ \t]*\/dev\/null|2>&1)(?=[\s;|&]|$)/
const PLAIN = /^[^\s'"\\$`&|;<>(){}!#~*?[\]]+/
/** These mean something only at a word's beginning. */
const PLAIN_INSIDE = /^[!#~]/

/**
 * The simple commands of a line in their order. Undefined where the shell would do more: expand a variable, run a command
 * inside, write to a file, go on in the background; and for quotes that are not closed.
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

/** The word that a text begins with, and its length there. */
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

/** Plain characters, a quoted text, or one character of a pattern. */
const readPiece = (text: string, isInside: boolean): Piece | undefined => {
  const plain = PLAIN.exec(text)?.[0] ?? (isInside ? PLAIN_INSIDE.exec(text)?.[0] : undefined)
  if (plain !== undefined) return { text: plain, length: plain.length, isPattern: false }
  const [whole, single, double] = QUOTED.exec(text) ?? []
  if (whole !== undefined) return { text: single ?? double ?? '', length: whole.length, isPattern: false }
  return /^[*?[\]]/.test(text) ? { text: text.charAt(0), length: 1, isPattern: true } : undefined
}
