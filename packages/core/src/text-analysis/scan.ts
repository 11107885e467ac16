/** Goes through a text once and hands over its terms in order, with the places where it may be cut. */
import { characterClass, characterLength, folded, knownClass, SEPARATOR, SIGN, WORD } from './characters.ts'
import { hashText } from './hash.ts'
import { FIRST_HASH, hashWith } from './known-pieces.ts'
import { termOf, wordAt, type Term, type Word } from './words.ts'
import { TRAITS } from './traits.ts'

export interface Scanner {
  /** A word that stands at [start, end); its first term is the word itself. */
  word(word: Word, traits: number, start: number, end: number): void
  /** What several words give together: a file's name, a word with hyphens. */
  joined(term: Term, start: number, end: number): void
  /** A character that is a word by itself; `alone`: none stands beside it. */
  sign(term: Term, alone: boolean, start: number, end: number): void
  /** Two such characters side by side. */
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

export const scan = (text: string, scanner: Scanner): void => {
  const length = text.length
  let index = 0
  /** Nothing of the sentence was seen yet: a capital is no name there. */
  let fresh = true
  while (index < length) {
    const unit = text.charCodeAt(index)
    const kind = knownClass(unit) || characterClass(text, index)
    if (kind === SEPARATOR) {
      index++
      if (unit === NEWLINE) {
        scanner.end(true)
        fresh = true
      } else if (unit > 32 && isSentenceEnd(unit)) {
        if (unit === QUESTION || unit === 0xff1f) scanner.question()
        if (unit > 127 || text.charCodeAt(index) <= 32) {
          scanner.end(false)
          fresh = true
        }
      }
    } else if (kind === SIGN) {
      index = signs(text, index, scanner)
      fresh = false
    } else {
      index = held(text, index, fresh, scanner)
      fresh = false
    }
  }
  scanner.end(true)
}

/** Words held together by single hyphens or dots, from `start` on; returns where they end. */
const held = (text: string, start: number, fresh: boolean, scanner: Scanner): number => {
  const length = text.length
  let index = endOfWord(text, start)
  const first = wordAt(text, start, index, hashOfWord)
  scanner.word(first, fresh ? first.traits & ~TRAITS.name : first.traits, start, index)
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
    const word = wordAt(text, last, index, hashOfWord)
    scanner.word(word, word.traits, last, index)
    words++
  }
  if (words > 1) compound(text, start, last, index, words, hyphens, dots, scanner)
  return index
}

/** `. ! ?` and their likes in Chinese and Japanese. */
const isSentenceEnd = (unit: number): boolean =>
  unit === DOT || unit === QUESTION || unit === 33 || unit === 0x3002 || unit === 0xff01 || unit === 0xff1f

/** Of the word whose end was looked for last. */
let hashOfWord = 0

const endOfWord = (text: string, from: number): number => {
  const length = text.length
  let index = from
  let hash = FIRST_HASH
  while (index < length) {
    const unit = text.charCodeAt(index)
    const kind = knownClass(unit)
    if (kind !== WORD) {
      if (kind !== 0 || characterClass(text, index) !== WORD) break
      // The first half of a pair.
      if (unit >= 0xd800 && unit <= 0xdbff) hash = hashWith(hash, text.charCodeAt(index++))
    }
    hash = hashWith(hash, text.charCodeAt(index))
    index++
  }
  hashOfWord = hash
  return index
}

/** "Ann's", "don't", "we’ll": what hangs on at an apostrophe is no word. */
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
    if (words <= 4) scanner.joined(joinedOf(text.slice(start, end)), start, end)
    return
  }
  if (text.charCodeAt(last - 1) !== DOT || !EXTENSION.test(text.slice(last, end))) return
  scanner.joined(joinedOf(text.slice(start, end)), start, end)
  // "session-log.ts" is also looked for as "session log".
  if (hyphens > 0) scanner.joined(joinedOf(text.slice(start, last)), start, last - 1)
}

const joinedTerms = new Map<string, Term>()
const CACHED_JOINS = 10_000

const joinedOf = (raw: string): Term => {
  const known = joinedTerms.get(raw)
  if (known !== undefined) return known
  const term = termOf(folded(raw.replace(/[-._]/g, '').replace(/['’].*$/, '')))
  if (joinedTerms.size >= CACHED_JOINS) joinedTerms.clear()
  joinedTerms.set(`${raw} `.slice(0, -1), term)
  return term
}

/** A run of signs: each alone, and each with the next. */
const signs = (text: string, from: number, scanner: Scanner): number => {
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

/** `signs`: one or two, as they stand. */
const signTerm = (signs: string): Term => {
  const known = signTerms.get(signs)
  if (known !== undefined) return known
  const text = folded(signs)
  const term = { hash: hashText(text), form: 0, text }
  if (signTerms.size >= CACHED_SIGNS) signTerms.clear()
  signTerms.set(signs, term)
  return term
}
