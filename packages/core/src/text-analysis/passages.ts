/** Splits texts into passages of at most 80 words, at sentence or line ends where possible, and counts their terms. */
import { stemHash, type Language } from './languages/language.ts'
import { scan, type Scanner } from './scan.ts'
import { TermCounts } from './term-counts.ts'
import type { Term, Word } from './words.ts'

/** Up to 80 words of a message, the unit that terms are counted in. */
export interface Passage {
  /** Tokens, at most 65,535. */
  readonly tokens: number
  /** Hashes of its terms, ascending, each once. */
  readonly hashes: Uint32Array
  /** By term: low four bits how often (at most 15), high four bits in which forms. */
  readonly counts: Uint8Array
}

const PASSAGE_WORDS = 80
const MOST_TOKENS = 0xffff

/** The passages of texts and the traits of all their words. */
export interface TextFacts {
  /** At least one. */
  readonly passages: readonly Passage[]
  /** Bits of `TRAITS` that any word has. */
  readonly traits: number
  readonly words: number
  /** They have a question mark; and no word follows the last one. */
  readonly asks: boolean
  readonly endsAsking: boolean
}

/**
 * Splits the texts of a message, one after the other, into passages with their terms and traits. A sentence ends with
 * its text. In a `language` other than English words also have its stems as terms, beside their own.
 */
export const splitIntoPassages = (texts: readonly string[], language?: Language): TextFacts => {
  const builder = new PassageBuilder(language)
  for (const text of texts) scan(text, builder)
  return builder.finish()
}

/** Terms of the passage that is being read, in order. Shared by all calls, which never overlap. */
let hashes = new Uint32Array(1024)
let forms = new Uint8Array(1024)

/** Doubles the buffers; what they hold stays. */
const growBuffers = (): void => {
  const [formerHashes, formerForms] = [hashes, forms]
  hashes = new Uint32Array(formerHashes.length * 2)
  forms = new Uint8Array(formerForms.length * 2)
  hashes.set(formerHashes)
  forms.set(formerForms)
}

const counting = new TermCounts()

class PassageBuilder implements Scanner {
  /** By passage: its tokens, and where its terms end in `counting`. */
  private readonly tokens: number[] = []
  private readonly ends: number[] = []
  private traits = 0
  private words = 0
  private asks = false
  private lastQuestion = -1
  /** Size of the passage that is being filled. */
  private passageWords = 0
  private terms = 0
  /** Words and terms before the last sentence end, where it may be cut. */
  private wordsBefore = 0
  private termsBefore = 0
  /** Of these terms, stems beside words: no tokens of the text. */
  private stems = 0
  private stemsBefore = 0

  private readonly language: Language | undefined

  constructor(language: Language | undefined) {
    this.language = language
  }

  /** Takes a word with the terms it may be split into; only a word of one term gets a stem. */
  word({ terms, hash, form }: Word, traits: number): void {
    this.begin(traits)
    this.push(hash, form)
    for (let index = 1; index < terms.length; index++) this.add(terms[index] as Term)
    if (this.language !== undefined && terms.length === 1) this.addStem(terms[0] as Term, this.language)
  }

  /** Counts a sign as a word of its own. */
  sign(term: Term): void {
    this.begin(0)
    this.add(term)
  }

  joined(term: Term): void {
    this.add(term)
  }

  pair(term: Term): void {
    this.add(term)
  }

  /** Notes the end of a sentence or line, where a passage that becomes too long may be cut. */
  end(): void {
    this.wordsBefore = this.passageWords
    this.termsBefore = this.terms
    this.stemsBefore = this.stems
  }

  /** Notes that the text asks, at the words so far. */
  question(): void {
    this.asks = true
    this.lastQuestion = this.words
  }

  /** Ends the text and returns its facts; a text without words has one empty passage. */
  finish(): TextFacts {
    if (this.terms > 0 || this.tokens.length === 0) this.flush(this.terms, this.stems)
    const all = counting.take()
    const passages = this.tokens.map((tokens, index): Passage => {
      const [start, end] = [this.ends[index - 1] ?? 0, this.ends[index] as number]
      return { tokens, hashes: all.hashes.subarray(start, end), counts: all.counts.subarray(start, end) }
    })
    return {
      passages,
      traits: this.traits,
      words: this.words,
      asks: this.asks,
      endsAsking: this.asks && this.lastQuestion === this.words,
    }
  }

  /** Counts a word; ends the passage first if it has `PASSAGE_WORDS`. */
  private begin(traits: number): void {
    if (this.passageWords === PASSAGE_WORDS) this.cut()
    this.traits |= traits
    this.words++
    this.passageWords++
  }

  private add({ hash, form }: Term): void {
    this.push(hash, form)
  }

  /** Adds a word's stem in a language, if it has one. */
  private addStem({ text }: Term, language: Language): void {
    const hash = stemHash(text, language)
    if (hash === undefined) return
    this.push(hash, 0)
    this.stems++
  }

  /** Adds a term to the passage that is open. */
  private push(hash: number, form: number): void {
    if (this.terms === hashes.length) growBuffers()
    hashes[this.terms] = hash
    forms[this.terms] = form
    this.terms++
  }

  /** Ends the passage at its last sentence end; without one, all words so far are the passage. */
  private cut(): void {
    const words = this.wordsBefore === 0 ? this.passageWords : this.wordsBefore
    const terms = this.wordsBefore === 0 ? this.terms : this.termsBefore
    const stems = this.wordsBefore === 0 ? this.stems : this.stemsBefore
    this.flush(terms, stems)
    this.stems -= stems
    this.stemsBefore = 0
    hashes.copyWithin(0, terms, this.terms)
    forms.copyWithin(0, terms, this.terms)
    this.terms -= terms
    this.passageWords -= words
    this.wordsBefore = 0
    this.termsBefore = 0
  }

  /** Ends a passage of the first `terms` terms; `stems` of them don't count as tokens. */
  private flush(terms: number, stems: number): void {
    this.ends.push(counting.add(hashes, forms, terms))
    this.tokens.push(Math.min(terms - stems, MOST_TOKENS))
  }
}
