/** Search results as given to a model: by file, with line numbers, and limited to a useful amount. */
import { MOST_BYTES } from './numbered-lines.ts'

/** Maximum matching lines shown, in total and per file. */
export const MOST_MATCHES = 300
export const MATCHES_A_FILE = 100
const LINE_CHARACTERS = 300

/** A shown line: a match, or context around one. */
export interface FoundLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  readonly isMatch: boolean
  /** Position of the match in it (UTF-16 units). */
  readonly column?: number
}

export interface FoundFile {
  readonly path: string
  /** Ascending. */
  readonly lines: readonly FoundLine[]
}

/** Collects files until there are enough matches. */
export interface SearchReport {
  /** Adds the matches of the next file; false once no more are wanted. */
  add(file: FoundFile): boolean
  /** The complete report, with the number of matches and files; `(No match.)` if there are none. */
  text(): string
}

/**
 * Creates an empty report. `add` keeps the first `MATCHES_A_FILE` matches of a file, and has no effect for a file
 * without lines, or once there are too many matches or bytes; `text` then says that there may be more.
 */
export const createSearchReport = (): SearchReport => {
  const pieces: string[] = []
  let [matches, files, bytes, isFull] = [0, 0, 0, false]
  const isEnough = (): boolean => matches >= MOST_MATCHES || bytes > MOST_BYTES
  return {
    /** Adds a file's lines until a limit is reached. False once the report is full: nothing more is taken. */
    add: ({ path, lines }) => {
      if (lines.length === 0) return !isFull
      // The file before may have had the last match that is shown.
      isFull ||= isEnough()
      if (isFull) return false
      files += 1
      const shown: string[] = [path]
      const hasContext = lines.some(({ isMatch }) => !isMatch)
      let [last, inFile] = [0, 0]
      for (const line of lines) {
        isFull = isEnough()
        if (isFull || inFile >= MATCHES_A_FILE) break
        if (line.isMatch) {
          matches += 1
          inFile += 1
        }
        if (hasContext && last > 0 && line.number > last + 1) shown.push('--')
        last = line.number
        const text = `${line.number}${line.isMatch ? ':' : '-'} ${lineAround(line)}`
        bytes += text.length
        shown.push(text)
      }
      if (inFile >= MATCHES_A_FILE) shown.push(`(The first ${MATCHES_A_FILE} matches of this file.)`)
      pieces.push(shown.join('\n'))
      return !isFull
    },
    text: () => {
      if (files === 0) return '(No match.)'
      const count = `${matches} matching ${matches === 1 ? 'line' : 'lines'} in ${files} ${files === 1 ? 'file' : 'files'}`
      return `${pieces.join('\n\n')}\n(${isFull ? `The first ${count}; there may be more: narrow the search.` : `${count}.`})`
    },
  }
}

/**
 * A line for the report; of one with more than `LINE_CHARACTERS` the part that contains its match, with the length of
 * the whole.
 */
const lineAround = ({ text, column = 0 }: FoundLine): string => {
  if (text.length <= LINE_CHARACTERS) return text
  const start = Math.max(0, Math.min(column - 80, text.length - LINE_CHARACTERS))
  const part = text.slice(start, start + LINE_CHARACTERS).toWellFormed()
  return `${start > 0 ? '…' : ''}${part}${start + LINE_CHARACTERS < text.length ? '…' : ''} (of ${text.length} characters)`
}
