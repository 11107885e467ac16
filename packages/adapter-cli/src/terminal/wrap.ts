/** Breaks long lines at the terminal's width, and keeps continuation lines indented. */
import { charactersOf, textWidth } from './text-width.ts'

/** Least columns of a line; below this it is better too long than broken. */
const NARROWEST = 20

/** Where to break a full line: behind its last space, otherwise behind a path's separator, otherwise at its end. */
const breakOf = (line: string): number => {
  const space = line.lastIndexOf(' ')
  if (space > 0 && line.slice(0, space).trim() !== '') return space + 1
  const separator = Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\'))
  return separator > line.length / 2 ? separator + 1 : line.length
}

/**
 * Returns a single-line text as lines of at most `width` columns (but never fewer than 20), broken between words where
 * possible; only spaces at a break are dropped. One empty line for an empty text.
 */
export const wrapLine = (text: string, width: number): readonly string[] => {
  const availableColumns = Math.max(NARROWEST, width)
  if (textWidth(text) <= availableColumns) return [text]
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const character of charactersOf(text)) {
    const columns = textWidth(character)
    if (used + columns > availableColumns) {
      // A space at the break is left out.
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

/** Returns a text wrapped behind `first`, which starts the first line; the other lines are indented by its width. */
export const wrapAfter = (first: string, text: string, width: number): readonly string[] => {
  const indent = textWidth(first)
  return wrapLine(text, width - indent).map((line, index) => `${index === 0 ? first : ' '.repeat(indent)}${line}`)
}

/** What is not broken, so that it can be pasted: quoted text, and a command up to the end of its sentence. */
const COMMAND = String.raw`(?:npx )?cairn(?: (?:"[^"]*"|'[^']*'|[^\s"';,.)]|[;,.)](?=\S))+)+[;,.)]*(?=\s|$)`
const QUOTED = String.raw`\(?(?:"[^"]*"|'[^']*'|\x60[^\x60]*\x60)\S*`
const UNIT = new RegExp(String.raw`${COMMAND}|${QUOTED}|\S+`, 'g')
// eslint-disable-next-line no-control-regex -- colours take no columns
const COLOURS = /\u001b\[[0-9;]*m/g
/** The columns of a text without its colours. */
const columnsOf = (text: string): number => textWidth(text.replaceAll(COLOURS, ''))

/**
 * Returns one line, as it is if it fits, otherwise wrapped between words, with its indentation and single spaces. A
 * quoted text or a command to paste is not broken; such a piece, or a long word, may be wider. Colours take no columns.
 */
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
 * Returns sentences for a terminal of `width` columns, broken only between words: a path, or a command to paste, that
 * is longer than a line stays in one piece.
 */
export const wrapSentences = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => wrapSentenceLine(line, width))
    .join('\n')
