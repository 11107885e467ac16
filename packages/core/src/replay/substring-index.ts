/** Finds the names (or lines) of an interner that contain a text, by searching many of them at once. */
import type { Interner } from '../context/names.ts'

export interface SubstringIndex {
  /** The numbers of all names that hold the text, ascending; empty when none does. */
  all(text: string): readonly number[]
  /** The largest number whose name holds the text; undefined when none does. */
  newest(text: string): number | undefined
}

/** Characters of a chunk: long enough for the engine's fast search, short enough to build again as names come. */
const CHUNK = 1 << 16
const SEPARATOR = '\n'

interface Chunk {
  readonly text: string
  readonly first: number
  /** Where each name begins. */
  readonly starts: readonly number[]
}

/**
 * An index over names without line ends: `all` gives the numbers of the names that a text stands in, in order, `newest`
 * the highest of them. It follows the interner as that grows.
 */
export const createSubstringIndex = (interner: Interner): SubstringIndex => {
  const whole: Chunk[] = []
  let indexed = 0
  let open: Chunk | undefined

  /** The chunk of names from `first` on, up to its full size. */
  const chunkFrom = (first: number): Chunk => {
    const starts: number[] = []
    const names: string[] = []
    let length = 0
    for (let id = first; id < interner.size && length < CHUNK; id++) {
      const name = interner.name(id)
      starts.push(length)
      names.push(name)
      length += name.length + 1
    }
    return { text: names.join(SEPARATOR), first, starts }
  }

  /** All chunks; only the last, which is not full yet, is ever made again. */
  const chunks = (): readonly Chunk[] => {
    if (indexed === interner.size) return open === undefined ? whole : [...whole, open]
    let first = open?.first ?? indexed
    open = undefined
    while (first < interner.size) {
      const chunk = chunkFrom(first)
      first += chunk.starts.length
      if (chunk.text.length >= CHUNK - 1) whole.push(chunk)
      else open = chunk
    }
    indexed = interner.size
    return open === undefined ? whole : [...whole, open]
  }

  return {
    /** The indexes of all names that contain `text`, ascending, each once. */
    all: (text) => {
      const found: number[] = []
      for (const { text: names, first, starts } of chunks()) {
        for (let at = names.indexOf(text); at !== -1;) {
          const index = lastUpTo(starts, at)
          found.push(first + index)
          const next = starts[index + 1]
          if (next === undefined) break
          at = names.indexOf(text, next)
        }
      }
      return found
    },
    newest: (text) => {
      for (const { text: names, first, starts } of chunks().toReversed()) {
        const at = names.lastIndexOf(text)
        if (at !== -1) return first + lastUpTo(starts, at)
      }
      return undefined
    },
  }
}

/** The index of the last of rising numbers that is not above; −1 where all are. */
const lastUpTo = (rising: readonly number[], value: number): number => {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
