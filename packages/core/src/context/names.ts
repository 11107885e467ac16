/**
 * Names and lines in texts, as numbers: what a reference or an anchor is found by. An interner gives each
 * distinct name or line one number, so that what is visible can be counted in arrays.
 */
import { textOfBlock, type ContentBlock } from '../messages.ts'

/** A path with at least one slash, or an identifier of four characters or more, dots joining its parts. */
const NAME = /[\w@~.-]*(?:\/[\w@.+-]+)+|[A-Za-z_$][\w$]{3,}(?:[.-][\w$]+)*/g
/** The shortest name that counts, characters. */
const SHORTEST = 4
/** Longer ones are data (hashes, encoded bytes), characters. */
const LONGEST = 200
/** Numbers before the lines of a file that was read: `   12→text`, `12\ttext`, `12 | text`. */
const LINE_NUMBER = /^\s*\d+(?:→|\t| ?\| ?)/

export interface Interner {
  /** The number of a name; one that is new gets the next number. */
  id(name: string): number
  /** The number of a name; undefined for one that was never given a number. Gives none itself. */
  find(name: string): number | undefined
  readonly size: number
  /** The name of a number; '' for a number that was never given. */
  name(id: number): string
}

/** An interner without any names: the first gets the number 0, the next one 1, and so on. */
export const createInterner = (): Interner => {
  const ids = new Map<string, number>()
  const names: string[] = []
  return {
    id: (name) => {
      const known = ids.get(name)
      if (known !== undefined) return known
      const made = names.length
      ids.set(name, made)
      names.push(name)
      return made
    },
    find: (name) => ids.get(name),
    get size() {
      return names.length
    },
    name: (id) => names[id] ?? '',
  }
}

/** The name without dots and dashes at its end; nearly all names have none. */
const withoutEnd = (name: string): string => {
  let end = name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === '-')) end -= 1
  return end === name.length ? name : name.slice(0, end)
}

/**
 * The names in a text, each once and in its longest form: whole paths, identifiers with the parts that dots join. Names
 * shorter than `SHORTEST` or longer than `LONGEST` don't count.
 */
export const namesIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const match of text.match(NAME) ?? []) {
    const name = withoutEnd(match)
    if (name.length >= SHORTEST && name.length <= LONGEST) found.add(name)
  }
  return found
}

/** The lines of a text without their indentation and a reader's line numbers; empty ones are left out. */
export const linesIn = (text: string): readonly string[] => {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const plain = line.replace(LINE_NUMBER, '').trim()
    if (plain !== '') lines.push(plain)
  }
  return lines
}

/** All text that stands in a block, results and call arguments included; '' for an image. */
export const textIn = (block: ContentBlock): string => textOfBlock(block)
