/** A text with the words that were searched for, ready to be sent. */
import type { Marker } from '@cairn/core'

/** A text with the parts that match a search. */
export interface Marked {
  readonly text: string
  /** In UTF-16 units, in order, apart from each other; `end` is not included. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[]
}

/** Characters of a title or a path. */
const LONGEST_LINE = 160

/** Returns a title on one line, cut at its end, with the parts that the marker finds. */
export const markedLine = (text: string, marker: Marker): Marked => {
  const line = text.replace(/\s+/g, ' ').trim()
  const cut = line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1).toWellFormed()}…`
  return { text: cut, highlights: marker.highlights(cut) }
}

/**
 * Returns a path, cut at its beginning as its end matters, with the last occurrence of each of `words` (in lower case);
 * without any if lower case would shift positions.
 */
export const markedPath = (path: string, words: readonly string[]): Marked => {
  const text = path.length <= LONGEST_LINE ? path : `…${path.slice(1 - LONGEST_LINE).toWellFormed()}`
  const lower = text.toLowerCase()
  // A letter that is longer in small letters would shift all others.
  if (lower.length !== text.length) return { text, highlights: [] }
  const found = words
    .map((word) => ({ start: lower.lastIndexOf(word), end: lower.lastIndexOf(word) + word.length }))
    .filter(({ start }) => start >= 0)
    .sort((left, right) => left.start - right.start)
  return { text, highlights: found.filter(({ start }, index) => start >= (found[index - 1]?.end ?? 0)) }
}
