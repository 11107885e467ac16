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
  const room = Math.max(NARROWEST, width)
  if (textWidth(text) <= room) return [text]
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const character of charactersOf(text)) {
    const columns = textWidth(character)
    if (used + columns > room) {
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
