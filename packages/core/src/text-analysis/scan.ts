/** Splits a text into terms in one pass and reports them in order, with the ends of sentences and lines. */
import { characterClass, characterLength, foldText, cachedClass, SEPARATOR, SIGN, WORD } from './characters.ts'
import { hashText } from './hash.ts'
import { HASH_SEED, extendHash } from './word-cache.ts'
import { toTerm, analyseWordAt, type Term, type Word } from './words.ts'
import { TRAITS } from './traits.ts'

/** Receives what {@link scan} finds. Offsets count code units; `end` is not included. */
export interface Scanner {
  /** A word; its first term is the word itself. */
  word(word: Word, traits: number, start: number, end: number): void
  /** Several words that stand together, as one term: a file name, a word with hyphens, `camelCase`. */
  joined(term: Term, start: number, end: number): void
  /** A character that is a term by itself, such as a Chinese one; `alone`: no other is next to it. */
  sign(term: Term, alone: boolean, start: number, end: number): void
  /** Two neighbouring characters of that kind, as one term. */
  pair(term: Term, start: number, end: number): void
  /** A sentence (`false`) or line (`true`) ends here. */
  end(line: boolean): void
  /** A question mark. */
  question(): void
}

const NEWLINE = 10
const APOSTROPHE = 39
const HYPHEN = 45
const DOT = 46
const QUESTION = 63

/** Reports the terms of a text to the scanner, in order, and its end. Accepts any text; time is linear in its length. */
export const scan = (text: string, scanner: Scanner): void => {
  const length = text.length
  let index = 0
  /** At the start of a sentence, where a capital letter marks no name. */
  let isSentenceStart = true
  while (index < length) {
    const unit = text.charCodeAt(index)
    const kind = cachedClass(unit) || characterClass(text, index)
    if (kind === SEPARATOR) {
      index++
      if (unit === NEWLINE) {
        scanner.end(true)
        isSentenceStart = true
      } else if (unit > 32 && isSentenceEnd(unit)) {
        if (unit === QUESTION || unit === 0xff1f) scanner.question()
        if (unit > 127 || text.charCodeAt(index) <= 32) {
          scanner.end(false)
          isSentenceStart = true
        }
      }
    } else if (kind === SIGN) {
      index = scanSigns(text, index, scanner)
      isSentenceStart = false
    } else {
      index = connectedWords(text, index, isSentenceStart, scanner)
      isSentenceStart = false
    }
  }
  scanner.end(true)
}

/**
 * Reports the words from `start` on that single hyphens or dots connect; returns their end. An apostrophe's ending is
 * skipped.
 */
const connectedWords = (text: string, start: number, isSentenceStart: boolean, scanner: Scanner): number => {
  const length = text.length
  let index = endOfWord(text, start)
  const first = analyseWordAt(text, start, index, hashOfWord)
  scanner.word(first, isSentenceStart ? first.traits & ~TRAITS.name : first.traits, start, index)
  let words = 1
  let hyphens = 0
  let dots = 0
  let last = start
  for (;;) {
    if (index >= length) break
    let unit = text.charCodeAt(index)
    if (unit === APOSTROPHE || unit === 0x2019) {
      index = afterApostrophe(text, index)
      if (index >= length) break
      unit = text.charCodeAt(index)
    }
    if ((unit !== HYPHEN && unit !== DOT) || index + 1 >= length || characterClass(text, index + 1) !== WORD) break
    if (unit === DOT) dots++
    else hyphens++
    last = index + 1
    index = endOfWord(text, last)
    const word = analyseWordAt(text, last, index, hashOfWord)
    scanner.word(word, word.traits, last, index)
    words++
  }
  if (words > 1) compound(text, start, last, index, words, hyphens, dots, scanner)
  return index
}

/** `. ! ?` and the same in Chinese and Japanese. */
const isSentenceEnd = (unit: number): boolean =>
  unit === DOT || unit === QUESTION || unit === 33 || unit === 0x3002 || unit === 0xff01 || unit === 0xff1f

/** Hash of the word that {@link endOfWord} read last: a second result without an object for each word. */
let hashOfWord = 0

/** Where a word ends; its hash is left for the caller. */
const endOfWord = (text: string, from: number): number => {
  const length = text.length
  let index = from
  let hash = HASH_SEED
  while (index < length) {
    const unit = text.charCodeAt(index)
    const kind = cachedClass(unit)
    if (kind !== WORD) {
      if (kind !== 0 || characterClass(text, index) !== WORD) break
      // The first half of a surrogate pair.
      if (unit >= 0xd800 && unit <= 0xdbff) hash = extendHash(hash, text.charCodeAt(index++))
    }
    hash = extendHash(hash, text.charCodeAt(index))
    index++
  }
  hashOfWord = hash
  return index
}

/** The end of a suffix such as "'s", "'t" or "’ll" at the apostrophe, which is not a word; `index` when it is none. */
const afterApostrophe = (text: string, index: number): number => {
  let end = index + 1
  while (end < index + 4 && end < text.length && isLatinLetter(text.charCodeAt(end))) end++
  const letters = end - index - 1
  if (letters === 0 || letters > 2 || (end < text.length && characterClass(text, end) === WORD)) return index
  return end
}

const isLatinLetter = (unit: number): boolean => (unit | 32) >= 97 && (unit | 32) <= 122

const LONGEST_COMPOUND = 100
const EXTENSION = /^(?:[a-z][a-z0-9]{0,4}|[A-Z][A-Z0-9]{0,4})$/

/**
 * Reports connected words as one: two to four with hyphens, or a file name by its extension, with hyphens in it also
 * without that. Nothing for other names with dots, for more than 100 characters or 8 words.
 */
const compound = (
  text: string,
  start: number,
  last: number,
  end: number,
  words: number,
  hyphens: number,
  dots: number,
  scanner: Scanner,
): void => {
  if (end - start > LONGEST_COMPOUND || words > 8) return
  if (dots === 0) {
    if (words <= 4) scanner.joined(joinedTerm(text.slice(start, end)), start, end)
    return
  }
  if (text.charCodeAt(last - 1) !== DOT || !EXTENSION.test(text.slice(last, end))) return
  scanner.joined(joinedTerm(text.slice(start, end)), start, end)
  // "session-log.ts" is also found by "session log".
  if (hyphens > 0) scanner.joined(joinedTerm(text.slice(start, last)), start, last - 1)
}

const joinedTerms = new Map<string, Term>()
const CACHED_JOINS = 10_000

/** The term of a joined word, without its signs; cached. */
const joinedTerm = (raw: string): Term => {
  const known = joinedTerms.get(raw)
  if (known !== undefined) return known
  const term = toTerm(foldText(raw.replace(/[-._]/g, '').replace(/['’].*$/, '')))
  if (joinedTerms.size >= CACHED_JOINS) joinedTerms.clear()
  joinedTerms.set(`${raw} `.slice(0, -1), term)
  return term
}

/** Reports a run of signs, each and each pair of neighbours; returns its end. */
const scanSigns = (text: string, from: number, scanner: Scanner): number => {
  let index = from
  let former = ''
  let formerAt = from
  while (index < text.length && characterClass(text, index) === SIGN) {
    const end = index + characterLength(text, index)
    const sign = text.slice(index, end)
    const alone = former === '' && (end >= text.length || characterClass(text, end) !== SIGN)
    scanner.sign(signTerm(sign), alone, index, end)
    if (former !== '') scanner.pair(signTerm(former + sign), formerAt, end)
    former = sign
    formerAt = index
    index = end
  }
  return index
}

const signTerms = new Map<string, Term>()
const CACHED_SIGNS = 50_000

/** The term of one or two signs. */
const signTerm = (signs: string): Term => {
  const known = signTerms.get(signs)
  if (known !== undefined) return known
  const text = foldText(signs)
  const term = { hash: hashText(text), form: 0, text }
  if (signTerms.size >= CACHED_SIGNS) signTerms.clear()
  signTerms.set(signs, term)
  return term
}
