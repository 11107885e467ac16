/** The terms of one word as it stands in a text: its stem, and for an identifier its parts too. */
import { folded } from './characters.ts'
import { formOf } from './forms.ts'
import { hashText } from './hash.ts'
import { baseOf } from './irregular.ts'
import { stem } from './stem.ts'
import { traitsOf } from './traits.ts'

export interface Term {
  readonly hash: number
  /** See forms; 0 where forms are not told apart. */
  readonly form: number
  /** As folded, not stemmed: for people. */
  readonly text: string
}

/** The word itself is the first term, parts of an identifier follow. */
export interface Word {
  readonly terms: readonly Term[]
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

const cache = new Map<string, Word>()
const CACHED_WORDS = 50_000
const LONGEST_CACHED = 48

/** A run of letters, digits and `_`. */
export const wordOf = (raw: string): Word => {
  const known = cache.get(raw)
  if (known !== undefined) return known
  const word = analyse(raw)
  if (raw.length <= LONGEST_CACHED) {
    if (cache.size >= CACHED_WORDS) cache.clear()
    // A copy: a slice would keep the whole text alive that it was cut from.
    cache.set(`${raw} `.slice(0, -1), word)
  }
  return word
}

const analyse = (raw: string): Word => {
  const parts = raw.length > LONGEST_SPLIT ? [] : partsOf(raw)
  const whole = folded(raw.includes('_') ? raw.replaceAll('_', '') || '_' : raw)
  const first = termOf(whole)
  const traits = traitsOf(raw, whole)
  if (parts.length < 2 || parts.length > MOST_PARTS) return { terms: [first], traits }
  const terms = [first]
  for (const part of parts) {
    // A letter or digit alone says nothing, and would stand everywhere.
    if (part.length < 2) continue
    const term = termOf(folded(part))
    if (!terms.some(({ hash }) => hash === term.hash)) terms.push(term)
  }
  return { terms, traits }
}

/** "HTTPServer2_name" has HTTP, Server, 2, name; "IDs" is one. */
const PART = /\p{Lu}+s?(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}|\p{N}+/gu
const SIMPLE = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/

const partsOf = (raw: string): readonly string[] => (SIMPLE.test(raw) ? [raw] : (raw.match(PART) ?? []))
