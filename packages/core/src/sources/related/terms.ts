/** The terms of source code and of texts about it: stems of words, of the parts of identifiers, and whole identifiers. */
import { analyseWordAt } from '../../text-analysis/words.ts'
import { extendHash, HASH_SEED } from '../../text-analysis/word-cache.ts'

/** Longer runs are data, not words. */
const LONGEST_WORD = 80

/** Bits by ASCII code: a letter, digit or `_`. Everything beyond ASCII counts as a letter. */
const IN_WORD = new Uint8Array(128).map((_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0))

/** Calls `visit` with the hash of each term, in the order of the text; a word of one ASCII character is none. */
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

/** The hashes of a text's terms, repeated ones, too. */
export const termsOf = (text: string): number[] => {
  const hashes: number[] = []
  visitTerms(text, (hash) => hashes.push(hash))
  return hashes
}
