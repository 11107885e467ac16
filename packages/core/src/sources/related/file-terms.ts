/** What the ranking knows of a file's content and of its path: counts of terms. */
import { termsOf, visitTerms } from './terms.ts'

/** Terms of one file, by hash in ascending order, with how often each occurs in the content and in names that it defines. */
export interface FileTerms {
  readonly hashes: Uint32Array
  readonly content: Uint16Array
  readonly symbols: Uint16Array
  /** Sums of the counts. */
  readonly contentLength: number
  readonly symbolLength: number
}

/** What defines something, with the name behind it, in the usual languages; of variables only those at the beginning of a line. */
const DEFINITION =
  /(?:^|[\s;{(])(?:function\*?|class|interface|enum|def|fn|func|struct|trait|impl(?:<[^>]*>)?|type|mod|module|namespace|record|protocol|macro_rules!)\s+(?:\([^()\n]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)|^(?:export\s+)?(?:pub(?:\([\w ]+\))?\s+)?(?:const|let|var|static)\s+(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/gmu

const MOST = 0xffff
/** A term's hash, and its two counts. */
export const HASH_BYTES = 4
const COUNT_BYTES = 2
export const BYTES_A_TERM = HASH_BYTES + 2 * COUNT_BYTES

/** Counts the terms of a file's text. */
export const analyseFile = (text: string): FileTerms => {
  const content = new Map<number, number>()
  const symbols = new Map<number, number>()
  const count = (counts: Map<number, number>) => (hash: number) => {
    counts.set(hash, (counts.get(hash) ?? 0) + 1)
  }
  visitTerms(text, count(content))
  const countSymbol = count(symbols)
  for (const name of definedNames(text)) visitTerms(name, countSymbol)
  // One buffer a file: of 20,000 files, buffers of their own for hashes and counts take more than what is in them.
  const terms = content.size
  const buffer = new ArrayBuffer(terms * BYTES_A_TERM)
  const hashes = new Uint32Array(buffer, 0, terms)
  let at = 0
  for (const hash of content.keys()) hashes[at++] = hash
  hashes.sort()
  const counted = (counts: ReadonlyMap<number, number>, offset: number): Uint16Array => {
    const array = new Uint16Array(buffer, offset, terms)
    for (const [index, hash] of hashes.entries()) array[index] = Math.min(MOST, counts.get(hash) ?? 0)
    return array
  }
  return {
    hashes,
    content: counted(content, terms * HASH_BYTES),
    symbols: counted(symbols, terms * (HASH_BYTES + COUNT_BYTES)),
    contentLength: sum(content),
    symbolLength: sum(symbols),
  }
}

/** The names that a text defines, by patterns of the usual languages; no parser. */
export function* definedNames(text: string): Generator<string> {
  for (const [, defined, variable] of text.matchAll(DEFINITION)) yield defined ?? variable ?? ''
}

const sum = (counts: ReadonlyMap<number, number>): number => {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}

/** Where a hash stands in ascending ones; -1 where it does not. */
export const positionOf = (hashes: Uint32Array, hash: number): number => {
  let [low, high] = [0, hashes.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = hashes[middle] ?? 0
    if (found === hash) return middle
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The terms of a path; the base name counts twice. */
export const pathTerms = (path: string): readonly number[] => {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  return [...termsOf(path), ...termsOf(name)]
}
