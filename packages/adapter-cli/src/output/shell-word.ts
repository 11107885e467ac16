/**
 * Commands that are printed to be pasted. Values from transcripts and files, such as ids, are quoted: a shell takes
 * each as one word and runs nothing in it.
 */
import { asCodePoints, hasUnsafe, replaceUnsafe } from '@cairn/core'

/** Characters that no shell treats specially; `=` at the beginning is special in zsh, and `-` begins an option. */
const PLAIN = /^(?![-=])[A-Za-z0-9_./:@%+=,-]+$/
/** Harmless in text, but not in a command. */
const WHITE = /[\n\t]/g
const BREAKS: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }

/** A character as an escape sequence of `$'…'`. */
const escaped = (found: string): string =>
  BREAKS[found] ??
  asCodePoints(found, (code) => (code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`))

/** A value as one word of a POSIX shell: as it is, in single quotes, or as `$'…'` where it has invisible characters. */
export const shellWord = (value: string): string => {
  if (PLAIN.test(value)) return value
  if (value.search(WHITE) === -1 && !hasUnsafe(value)) return `'${value.replaceAll("'", String.raw`'\''`)}'`
  return `$'${replaceUnsafe(value.replace(/[\\']/g, String.raw`\$&`), escaped).replace(WHITE, escaped)}'`
}

/**
 * An option in a command line, with a blank before it: ` --session <value>`; `--session=<value>` where the value looks
 * like an option. The value is quoted where it must be.
 */
export const shellOption = (name: string, value: string): string =>
  ` ${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`

/**
 * A command with one argument and its options, which are text with a space before each. An argument that looks like an
 * option comes last, behind `--`.
 */
export const shellCommand = (command: string, value: string, options: string): string =>
  value.startsWith('-') ? `${command}${options} -- ${shellWord(value)}` : `${command} ${shellWord(value)}${options}`
