/** The terms of source code and of texts about it: stems of words, of the parts of identifiers, and whole identifiers. */
import { analyseWordAt } from '../../text-analysis/words.ts'
import { extendHash, HASH_SEED } from '../../text-analysis/word-cache.ts'

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
      if (index - start > 1 && index - start <= LONGEST_WORD)
        for (const term of analyseWordAt(text, start, index, hash).terms) visit(term.hash)
      start = -1
    }
  }
}

/** Returns the hashes of a text's terms, in its order, with repeats. */
export const termsOf = (text: string): number[] => {
  const hashes: number[] = []
  visitTerms(text, (hash) => hashes.push(hash))
  return hashes
}
