/** The terms of one word as it stands in a text: its stem, and for an identifier its parts too. */
import { folded } from './characters.ts'
import { formOf } from './forms.ts'
import { hashText } from './hash.ts'
import { baseOf } from './irregular.ts'
import { FIRST_HASH, hashWith, KnownPieces } from './known-pieces.ts'
import { stem } from './stem.ts'
import { traitsOf } from './traits.ts'

export interface Term {
  readonly hash: number
  /** See forms; 0 where forms are not told apart. */
  readonly form: number
  /** As folded, not stemmed: for people. */
  readonly text: string
}

export interface Word {
  /** The word itself is the first term, parts of an identifier follow. */
  readonly terms: readonly Term[]
  /** The first term's hash as a signed number, which V8 keeps within the object, and its form. */
  readonly hash: number
  readonly form: number
  /** Bits of traits. */
  readonly traits: number
}

/** Longer ones are names of something, made by machines: no stems, no parts. */
const LONGEST_STEMMED = 24
const LONGEST_SPLIT = 128
/** An identifier of people has fewer parts than a digest or a token of random letters. */
const MOST_PARTS = 8

/** The term of a word that has been folded. */
export const termOf = (text: string): Term => {
  if (text.length > LONGEST_STEMMED || !/^[a-z]+$/.test(text)) return { hash: hashText(text), form: 0, text }
  const stemmed = stem(baseOf(text))
  return { hash: hashText(stemmed), form: formOf(text, stemmed), text }
}

const known = new KnownPieces<Word>()
const LONGEST_KNOWN = 48

/** A run of letters, digits and `_`: text[start … end − 1], with its hash (see `hashWith`). */
export const wordAt = (text: string, start: number, end: number, hash: number): Word => {
  if (end - start > LONGEST_KNOWN) return analyse(text.slice(start, end))
  const found = known.find(text, start, end, hash)
  if (found !== undefined) return found
  // A copy: a slice would keep the whole text alive that it was cut from.
  const word = analyse(`${text.slice(start, end)} `.slice(0, -1))
  known.keep(text, start, end, hash, word)
  return word
}

/** The same of a text that is one. */
export const wordOf = (raw: string): Word => {
  let hash = FIRST_HASH
  for (let index = 0; index < raw.length; index++) hash = hashWith(hash, raw.charCodeAt(index))
  return wordAt(raw, 0, raw.length, hash)
}

/** What git prints of a commit, at least: its digits are found by their beginning, however many of them were written. */
const SHORT_HASH = 7
const HASH = /^(?=.*[0-9])(?=.*[a-f])[0-9a-f]{7,64}$/i

const analyse = (raw: string): Word => {
  const parts = HASH.test(raw) ? [raw, raw.slice(0, SHORT_HASH)] : raw.length > LONGEST_SPLIT ? [] : partsOf(raw)
  const whole = folded(raw.includes('_') ? raw.replaceAll('_', '') || '_' : raw)
  const first = termOf(whole)
  const traits = traitsOf(raw, whole)
  const { form } = first
  const hash = first.hash | 0
  if (parts.length < 2 || parts.length > MOST_PARTS) return { terms: [first], hash, form, traits }
  const terms = [first]
  for (const part of parts) {
    // A letter or digit alone says nothing, and would stand everywhere.
    if (part.length < 2) continue
    const term = termOf(folded(part))
    if (!terms.some(({ hash }) => hash === term.hash)) terms.push(term)
  }
  return { terms, hash, form, traits }
}

/** "HTTPServer2_name" has HTTP, Server, 2, name; "IDs" is one. */
const PART =
  /\p{Lu}+s?(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}|\p{N}+/gu
const SIMPLE = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/

const partsOf = (raw: string): readonly string[] => (SIMPLE.test(raw) ? [raw] : (raw.match(PART) ?? []))
