/**
 * Commands that are printed to be pasted. Values from transcripts and files, such as ids, are quoted: a shell takes
 * each as one word and runs nothing in it.
 */
import { asCodePoints, hasUnsafe, replaceUnsafe } from '@cairn/core'

/** Characters that no shell treats specially; a leading `=` is special in zsh, and a leading `-` starts an option. */
const PLAIN = /^(?![-=])[A-Za-z0-9_./:@%+=,-]+$/
/** Harmless in text, but not in a command. */
const WHITE = /[\n\t]/g
const BREAKS: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }

/** A character as an escape sequence of `$'…'`. */
const escaped = (found: string): string =>
  BREAKS[found] ??
  asCodePoints(found, (code) => (code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`))

/**
 * Returns a value as one word of a POSIX shell: unchanged, in single quotes, or as `$'…'` if it has invisible
 * characters.
 */
export const shellWord = (value: string): string => {
  if (PLAIN.test(value)) return value
  if (value.search(WHITE) === -1 && !hasUnsafe(value)) return `'${value.replaceAll("'", String.raw`'\''`)}'`
  return `$'${replaceUnsafe(value.replace(/[\\']/g, String.raw`\$&`), escaped).replace(WHITE, escaped)}'`
}

/**
 * Returns an option for a command line, with a leading space: ` --session <value>`, or ` --session=<value>` if the
 * value looks like an option. The value is quoted if necessary.
 */
export const shellOption = (name: string, value: string): string =>
  ` ${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`

/**
 * Returns a command with one argument and its options, each of which starts with a space. An argument that looks like
 * an option comes last, behind `--`.
 */
export const shellCommand = (command: string, value: string, options: string): string =>
  value.startsWith('-') ? `${command}${options} -- ${shellWord(value)}` : `${command} ${shellWord(value)}${options}`
