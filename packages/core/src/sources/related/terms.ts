/** The terms of source code and of texts about it: stems of words, of the parts of identifiers, and whole identifiers. */
import { extendHash, HASH_SEED, WordCache } from '../../text-analysis/word-cache.ts'
import { termHashesOf } from '../../text-analysis/words.ts'

/** Longer runs of characters are data, not words. */
const LONGEST_WORD = 80

/** 1 for ASCII codes of letters, digits and `_`. Everything beyond ASCII counts as a letter. */
const IN_WORD = new Uint8Array(128).map((_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0))

/**
 * Calls `visit` with the hash of each term of a text, in its order, with repeats. Words of one ASCII character and of
 * more than 80 characters are skipped.
 */
export const visitTerms = (text: string, visit: (hash: number) => void): void => {
  let start = -1
  let hash = HASH_SEED
  for (let index = 0; index <= text.length; index++) {
    const unit = index === text.length ? 32 : text.charCodeAt(index)
    if (unit >= 128 || IN_WORD[unit] === 1) {
      if (start < 0) {
        start = index
        hash = HASH_SEED
      }
      hash = extendHash(hash, unit)
    } else if (start >= 0) {
      if (index - start > 1 && index - start <= LONGEST_WORD) visitWord(text, start, index, hash, visit)
      start = -1
    }
  }
}

const LONGEST_CACHED = 48
/** Numbers that are kept of words: how many terms, and their hashes. */
const MOST_KEPT = 1 << 18
/** By word: where its numbers begin. Numbers alone, as objects of so many words live long enough to make the heap grow. */
let cache = new WordCache<number>()
const kept = new Uint32Array(MOST_KEPT)
let used = 0

/** Calls `visit` with the hash of each term of the word from `start` to before `end`, whose hash is given. */
const visitWord = (text: string, start: number, end: number, hash: number, visit: (hash: number) => void): void => {
  if (end - start > LONGEST_CACHED) {
    for (const term of termHashesOf(text.slice(start, end))) visit(term)
    return
  }
  const from = cache.find(text, start, end, hash) ?? keepWord(text, start, end, hash)
  const terms = kept[from] ?? 0
  for (let index = from + 1; index <= from + terms; index++) visit(kept[index] ?? 0)
}

/**
 * Analyses a word and keeps the hashes of its terms; where they are, until the next word is kept. Gives where they
 * begin; the first number there is how many there are.
 */
const keepWord = (text: string, start: number, end: number, hash: number): number => {
  const terms = termHashesOf(text.slice(start, end))
  if (used + 1 + terms.length > MOST_KEPT) {
    cache = new WordCache()
    used = 0
  }
  const from = used
  kept[used++] = terms.length
  for (const term of terms) kept[used++] = term
  cache.keep(text, start, end, hash, from)
  return from
}

/** The hashes of a text's terms, repeated ones, too. In order. */
export const termsOf = (text: string): number[] => {
  const hashes: number[] = []
  visitTerms(text, (hash) => hashes.push(hash))
  return hashes
}
