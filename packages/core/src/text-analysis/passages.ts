/** Cuts texts into passages of at most 80 words, at the end of a sentence or line where there is one, and counts their terms. */
import { scan, type Scanner } from './scan.ts'
import type { Term, Word } from './words.ts'

/** Up to 80 words of a message. */
export interface Passage {
  /** Tokens, at most 65,535. */
  readonly tokens: number
  /** Hashes of its terms, ascending, each once. */
  readonly hashes: Uint32Array
  /** By term: low four bits how often (at most 15), high four bits in which forms. */
  readonly counts: Uint8Array
}

const PASSAGE_WORDS = 80
const MOST_COUNTED = 15
const MOST_TOKENS = 0xffff

export interface TextFacts {
  /** At least one. */
  readonly passages: readonly Passage[]
  /** Traits of all words together. */
  readonly traits: number
  readonly words: number
  readonly asks: boolean
  readonly endsAsking: boolean
}

/** Facts of texts that follow each other; none of them shares a passage's sentence with the next. */
export const passagesOf = (texts: readonly string[]): TextFacts => {
  const builder = new PassageBuilder()
  for (const text of texts) scan(text, builder)
  return builder.finish()
}

/** Hashes and forms of the terms that were seen since the last cut, a number each: hash · 16 + form. */
let buffer = new Float64Array(1024)

class PassageBuilder implements Scanner {
  private readonly passages: Passage[] = []
  private traits = 0
  private words = 0
  private asks = false
  private lastQuestion = -1
  /** Of the passage that is being filled. */
  private passageWords = 0
  private terms = 0
  /** Where it may be cut: as many words and terms are before. */
  private wordsBefore = 0
  private termsBefore = 0

  word({ terms }: Word, traits: number): void {
    if (this.passageWords === PASSAGE_WORDS) this.cut()
    this.traits |= traits
    this.words++
    this.passageWords++
    for (const term of terms) this.add(term)
  }

  sign(term: Term): void {
    this.word({ terms: [term], traits: 0 }, 0)
  }

  joined(term: Term): void {
    this.add(term)
  }

  pair(term: Term): void {
    this.add(term)
  }

  end(): void {
    this.wordsBefore = this.passageWords
    this.termsBefore = this.terms
  }

  question(): void {
    this.asks = true
    this.lastQuestion = this.words
  }

  finish(): TextFacts {
    if (this.terms > 0 || this.passages.length === 0) this.flush(this.terms)
    return { passages: this.passages, traits: this.traits, words: this.words, asks: this.asks, endsAsking: this.asks && this.lastQuestion === this.words }
  }

  private add({ hash, form }: Term): void {
    if (this.terms === buffer.length) {
      const larger = new Float64Array(buffer.length * 2)
      larger.set(buffer)
      buffer = larger
    }
    buffer[this.terms++] = hash * 16 + form
  }

  /** What follows the last place to cut begins the next passage; without such a place everything so far is one. */
  private cut(): void {
    const words = this.wordsBefore === 0 ? this.passageWords : this.wordsBefore
    const terms = this.wordsBefore === 0 ? this.terms : this.termsBefore
    const rest = buffer.slice(terms, this.terms)
    this.flush(terms)
    buffer.set(rest)
    this.terms = rest.length
    this.passageWords -= words
    this.wordsBefore = 0
    this.termsBefore = 0
  }

  private flush(terms: number): void {
    const sorted = buffer.subarray(0, terms).sort()
    const hashes = new Uint32Array(terms)
    const counts = new Uint8Array(terms)
    let different = -1
    for (let index = 0; index < terms; index++) {
      const key = sorted[index] ?? 0
      const hash = Math.floor(key / 16)
      const form = key % 16
      if (different < 0 || hashes[different] !== hash) {
        hashes[++different] = hash
        counts[different] = (form << 4) | 1
      } else {
        const count = counts[different] ?? 0
        counts[different] = (((count >> 4) | form) << 4) | Math.min((count & 15) + 1, MOST_COUNTED)
      }
    }
    this.passages.push({ tokens: Math.min(terms, MOST_TOKENS), hashes: hashes.slice(0, different + 1), counts: counts.slice(0, different + 1) })
  }
}
