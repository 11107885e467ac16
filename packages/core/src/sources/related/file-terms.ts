/** What the ranking knows of a file's content and of its path: counts of terms. */
import { FieldCounts } from './field-counts.ts'
import type { FileTerms } from './field-counts.ts'
import { termsOf, visitTerms } from './terms.ts'

/** A definition and the name behind it in the usual languages; variables only at the start of a line. */
const DEFINITION =
  /(?:^|[\s;{(])(?:function\*?|class|interface|enum|def|fn|func|struct|trait|impl(?:<[^>]*>)?|type|mod|module|namespace|record|protocol|macro_rules!)\s+(?:\([^()\n]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)|^(?:export\s+)?(?:pub(?:\([\w ]+\))?\s+)?(?:const|let|var|static)\s+(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/gmu

const counts = new FieldCounts()

/**
 * Returns the terms of a file's text and of the names that it defines, with their counts; no terms for an empty text.
 */
export const analyseFile = (text: string): FileTerms => {
  visitTerms(text, (hash) => counts.addContent(hash))
  for (const name of definedNames(text)) visitTerms(name, (hash) => counts.addSymbol(hash))
  return counts.take()
}

/**
 * Yields the names that a text defines, in order, with repeats, found by patterns of the usual languages instead of a
 * parser.
 */
export function* definedNames(text: string): Generator<string> {
  for (const [, defined, variable] of text.matchAll(DEFINITION)) yield defined ?? variable ?? ''
}

/** Where in its table a file has a hash; -1 where it has not. By binary search. */
export const positionOf = ({ table: { hashes }, from, size }: FileTerms, hash: number): number => {
  let [low, high] = [from, from + size - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = hashes[middle] ?? 0
    if (found === hash) return middle
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/**
 * Returns the hashes of the terms in a path, with repeats; those of the file's name without its extension are in it
 * twice.
 */
export const pathTerms = (path: string): readonly number[] => {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  return [...termsOf(path), ...termsOf(name)]
}
