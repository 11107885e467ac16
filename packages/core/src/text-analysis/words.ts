/** The terms of one word: its stem and, for an identifier, the stems of its parts. */
import { foldText } from './characters.ts'
import { formBit } from './forms.ts'
import { hashText } from './hash.ts'
import { baseForm } from './irregular.ts'
import { HASH_SEED, extendHash, WordCache } from './word-cache.ts'
import { stem } from './stem.ts'
import { wordTraits } from './traits.ts'

/** A term of the index. */
export interface Term {
  readonly hash: number
  /** A bit of `FORM_BITS`; 0 for terms without forms. */
  readonly form: number
  /** In lower case without accents, not stemmed. */
  readonly text: string
}

/** What the index needs of a word. */
export interface Word {
  /** The word itself is the first term, parts of an identifier follow. */
  readonly terms: readonly Term[]
  /** Hash of the first term as a signed number, which V8 stores without a heap object, and its form. */
  readonly hash: number
  readonly form: number
  /** Bits of `TRAITS`. */
  readonly traits: number
}

/** Longer words are names that programs made: they are neither stemmed nor split. */
const LONGEST_STEMMED = 24
const LONGEST_SPLIT = 128
/** Identifiers with more parts are digests or random tokens. */
const MOST_PARTS = 8

/**
 * The term of a word as `foldText` returns it. Words with other letters than a to z, and very long ones, are not
 * stemmed.
 */
export const toTerm = (text: string): Term => {
  if (text.length > LONGEST_STEMMED || !/^[a-z]+$/.test(text)) return { hash: hashText(text), form: 0, text }
  const stemmed = stemOf(text)
  return { hash: hashText(stemmed), form: formBit(text, stemmed), text }
}

/** The stem of a word in the letters a to z, of an irregular form that of its base. */
export const stemOf = (text: string): string => stem(baseForm(text))

const cache = new WordCache<Word>()
const LONGEST_CACHED = 48

/**
 * Analyses the word from `start` to before `end`, whose hash (see `extendHash`) is given; the text itself is not kept.
 * Cached, and so the same object for many calls.
 */
export const analyseWordAt = (text: string, start: number, end: number, hash: number): Word => {
  if (end - start > LONGEST_CACHED) return analyse(text.slice(start, end))
  const found = cache.find(text, start, end, hash)
  if (found !== undefined) return found
  // A copy: a slice would keep the whole text in memory.
  const word = analyse(`${text.slice(start, end)} `.slice(0, -1))
  cache.keep(text, start, end, hash, word)
  return word
}

/** The hashes of a word's terms, itself first; not cached, for callers that keep numbers alone. */
export const termHashesOf = (raw: string): readonly number[] => analyse(raw).terms.map(({ hash }) => hash)

/** Analyses a text that is one word; cached. The result must not be changed. */
export const analyseWord = (raw: string): Word => {
  let hash = HASH_SEED
  for (let index = 0; index < raw.length; index++) hash = extendHash(hash, raw.charCodeAt(index))
  return analyseWordAt(raw, 0, raw.length, hash)
}

/** Digits that git prints of a commit hash, at least; a longer hash is also indexed by so many. */
const SHORT_HASH = 7
const HASH = /^(?=.*[0-9])(?=.*[a-f])[0-9a-f]{7,64}$/i

/**
 * The terms of a word: itself; the two to eight parts of an identifier, but for single letters and digits; the first
 * seven digits of a commit's hash. A word of over 128 characters is not split.
 */
const analyse = (raw: string): Word => {
  const parts = HASH.test(raw)
    ? [raw, raw.slice(0, SHORT_HASH)]
    : raw.length > LONGEST_SPLIT
      ? []
      : splitIdentifier(raw)
  const whole = foldText(raw.includes('_') ? raw.replaceAll('_', '') || '_' : raw)
  const first = toTerm(whole)
  const traits = wordTraits(raw, whole)
  const { form } = first
  const hash = first.hash | 0
  if (parts.length < 2 || parts.length > MOST_PARTS) return { terms: [first], hash, form, traits }
  const terms = [first]
  for (const part of parts) {
    // A single letter or digit is too common to be a term.
    if (part.length < 2) continue
    const term = toTerm(foldText(part))
    if (!terms.some(({ hash }) => hash === term.hash)) terms.push(term)
  }
  return { terms, hash, form, traits }
}

/** "HTTPServer2_name" has HTTP, Server, 2, name; "IDs" is one. */
const PART =
  /\p{Lu}+s?(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}|\p{N}+/gu
const SIMPLE = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/

/** The parts of an identifier; the word itself when it has only one. */
const splitIdentifier = (raw: string): readonly string[] => (SIMPLE.test(raw) ? [raw] : (raw.match(PART) ?? []))
