/**
 * Commands that are printed to be pasted. What transcripts and files chose, ids first of all, stands in them
 * as data: a shell takes each value as one word and obeys nothing in it.
 */
import { asCodePoints, hasUnsafe, replaceUnsafe } from '@cairn/core'

/** Nothing that any shell takes for its own; `=` at the beginning is zsh's, and `-` begins an option. */
const PLAIN = /^(?![-=])[A-Za-z0-9_./:@%+=,-]+$/
/** Not unsafe as text, but in a command. */
const WHITE = /[\n\t]/g
const BREAKS: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }

const escaped = (found: string): string =>
  BREAKS[found] ??
  asCodePoints(found, (code) => (code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`))

/** A value as one word of a POSIX shell: as it is, in single quotes, or as `$'…'` where it holds what no eye sees. */
export const shellWord = (value: string): string => {
  if (PLAIN.test(value)) return value
  if (value.search(WHITE) === -1 && !hasUnsafe(value)) return `'${value.replaceAll("'", String.raw`'\''`)}'`
  return `$'${replaceUnsafe(value.replace(/[\\']/g, String.raw`\$&`), escaped).replace(WHITE, escaped)}'`
}

/** ` --session <value>`; `--session=<value>` where the value looks like an option. */
export const shellOption = (name: string, value: string): string =>
  ` ${name}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`

/**
 * A command with one value that is no option, and options that are text already, each with a space before it.
 * A value that looks like an option stands behind `--`, at the end.
 */
export const shellCommand = (command: string, value: string, options: string): string =>
  value.startsWith('-') ? `${command}${options} -- ${shellWord(value)}` : `${command} ${shellWord(value)}${options}`
