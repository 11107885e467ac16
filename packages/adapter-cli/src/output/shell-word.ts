/**
 * Commands that are printed to be pasted. What transcripts and files chose, ids first of all, stands in them
 * as data: a shell takes each value as one word and obeys nothing in it.
 */

/** Nothing that any shell takes for its own; `=` at the beginning is zsh's, and `-` begins an option. */
const PLAIN = /^(?![-=])[A-Za-z0-9_./:@%+=,-]+$/
/** What a terminal would obey, or show as something else: controls, marks of direction, line breaks, lone surrogates. */
// eslint-disable-next-line no-control-regex -- what this is for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu
const BREAKS: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }

const escaped = (character: string): string =>
  BREAKS[character] ?? String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A value as one word of a POSIX shell: as it is, in single quotes, or as `$'…'` where it holds what no eye sees. */
export const shellWord = (value: string): string => {
  if (PLAIN.test(value)) return value
  if (value.search(UNSEEN) === -1) return `'${value.replaceAll("'", String.raw`'\''`)}'`
  return `$'${value.replace(/[\\']/g, String.raw`\$&`).replace(UNSEEN, escaped)}'`
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
