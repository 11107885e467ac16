/** Breaks long lines where a terminal ends, so that what follows stays under what it belongs to. */
import { charactersOf, textWidth } from './text-width.ts'

/** Narrower than this nothing can be read: better a line that is too long. */
const NARROWEST = 20

/** Where to break a line that is full: behind its last space, else behind a path's separator, else at its end. */
const breakOf = (line: string): number => {
  const space = line.lastIndexOf(' ')
  if (space > 0 && line.slice(0, space).trim() !== '') return space + 1
  const separator = Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\'))
  return separator > line.length / 2 ? separator + 1 : line.length
}

/** A text of one line as lines of at most `width` columns; all of its characters are kept but spaces at a break. */
export const wrapLine = (text: string, width: number): readonly string[] => {
  const availableColumns = Math.max(NARROWEST, width)
  if (textWidth(text) <= availableColumns) return [text]
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const character of charactersOf(text)) {
    const columns = textWidth(character)
    if (used + columns > availableColumns) {
      // A space may stand beyond the end: it is left out there.
      const at = character === ' ' ? line.length : breakOf(line)
      lines.push(line.slice(0, at).trimEnd())
      line = line.slice(at)
      used = textWidth(line)
      if (character === ' ' && line === '') continue
    }
    line += character
    used += columns
  }
  return line === '' ? lines : [...lines, line]
}

/** The same with something in front: `first` before the first line, as many spaces before the others. */
export const wrapAfter = (first: string, text: string, width: number): readonly string[] => {
  const indent = textWidth(first)
  return wrapLine(text, width - indent).map((line, index) => `${index === 0 ? first : ' '.repeat(indent)}${line}`)
}

/**
 * What is pasted as a whole: quoted text, and a command up to the sign that ends it in a sentence. A file's name with a
 * space in it can't be told from two words.
 */
const COMMAND = String.raw`(?:npx )?cairn(?: (?:"[^"]*"|'[^']*'|[^\s"';,.)]|[;,.)](?=\S))+)+[;,.)]*(?=\s|$)`
const QUOTED = String.raw`\(?(?:"[^"]*"|'[^']*'|\x60[^\x60]*\x60)\S*`
const UNIT = new RegExp(String.raw`${COMMAND}|${QUOTED}|\S+`, 'g')
// eslint-disable-next-line no-control-regex -- colours take no columns
const COLOURS = /\u001b\[[0-9;]*m/g
const columnsOf = (text: string): number => textWidth(text.replaceAll(COLOURS, ''))

const wrapSentenceLine = (line: string, width: number): string => {
  if (columnsOf(line) <= width) return line
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = ''
  for (const [unit] of line.matchAll(UNIT)) {
    if (current !== '' && columnsOf(`${indent}${current} ${unit}`) > width) {
      lines.push(indent + current)
      current = unit
    } else current = current === '' ? unit : `${current} ${unit}`
  }
  return [...lines, indent + current].join('\n')
}

/**
 * Sentences for a terminal of `width` columns, broken between words alone: a path, or a command to paste, that is longer
 * than a line stays whole, and the terminal itself breaks it.
 */
export const wrapSentences = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => wrapSentenceLine(line, width))
    .join('\n')
