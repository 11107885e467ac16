/**
 * Terms of a view that are a typing error or two away from a word. The index has hashes and no texts, so what errors make
 * of the word is hashed and looked up. A few of the hashes found belong to other words (one in four thousand, for a
 * million terms): whoever asks compares the texts.
 */
import { editedWords, eachTwiceEditedHash } from '../../text-analysis/edits.ts'
import { toTerm } from '../../text-analysis/words.ts'
import { findTerm } from './segment.ts'
import type { Matches } from './term-matches.ts'
import { segmentOfPassage, type View } from './view.ts'

/** Bits of the filter for each term of the view, and the most bits that it may have. */
const BITS_PER_TERM = 32
const MOST_BITS = 1 << 25
const FEWEST_BITS = 1 << 10

/** How many passages of the view hold a term. 0 if none does; the same passage counts once. */
export const passagesHolding = ({ segments }: Pick<View, 'segments'>, hash: number): number => {
  let passages = 0
  for (const { segment } of segments) {
    const number = findTerm(segment, hash)
    if (number !== -1) passages += segment.termPassages[number] as number
  }
  return passages
}

/** The hashes of terms that the view holds and that one error makes of a word (a to z), in any of their forms. */
export const termsOneErrorAway = (view: View, word: string): readonly number[] => {
  const own = toTerm(word).hash
  const hashes = new Set<number>()
  for (const edited of editedWords(word)) hashes.add(toTerm(edited).hash)
  return [...hashes].filter((hash) => hash !== own && passagesHolding(view, hash) > 0)
}

/**
 * The hashes of terms that the view holds and that two errors make of a word, in words that begin with the same letter;
 * a few belong to other words. `stem`: of the word; errors in a suffix that the stem has not are not found.
 */
export const termsTwoErrorsAway = (view: View, stem: string): readonly number[] => {
  const mayHold = termFilter(view)
  const hashes = new Set<number>()
  eachTwiceEditedHash(stem, (hash) => {
    if (mayHold(hash)) hashes.add(hash)
  })
  return [...hashes].filter((hash) => passagesHolding(view, hash) > 0)
}

type TermFilter = (hash: number) => boolean

/** Every word of a query that is looked up asks the same view. */
const filterByView = new WeakMap<View, TermFilter>()

/** A test that a hash which is a term of the view always passes, and of others about one in thirty. */
const termFilter = (view: View): TermFilter => {
  const known = filterByView.get(view) ?? makeTermFilter(view)
  filterByView.set(view, known)
  return known
}

/** A filter that tells whether a term's hash may be in the index: false is certain, true may be wrong. */
const makeTermFilter = ({ segments }: Pick<View, 'segments'>): TermFilter => {
  const terms = segments.reduce((sum, { segment }) => sum + segment.termHash.length, 0)
  const bits = Math.min(MOST_BITS, Math.max(FEWEST_BITS, 1 << Math.ceil(Math.log2(terms * BITS_PER_TERM + 1))))
  const words = new Uint32Array(bits / 32)
  const mask = bits - 1
  for (const {
    segment: { termHash },
  } of segments) {
    for (let term = 0; term < termHash.length; term += 1) {
      const bit = (termHash[term] as number) & mask
      words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31))
    }
  }
  return (hash) => {
    const bit = hash & mask
    return ((words[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
  }
}

/**
 * Up to `most` messages (numbers in storage order) that hold a term: the first, the last and those between; of a term that
 * is so frequent that it is `dense` the first ones.
 */
export const messagesHolding = (
  view: View,
  { postings }: Matches,
  { start, end, dense }: Matches['terms'][number],
  most: number,
): readonly number[] => {
  const passages = dense === undefined ? postings.passage.subarray(start, end) : passagesIn(dense, most)
  const count = Math.min(most, passages.length)
  return Array.from({ length: count }, (_, index) => {
    const passage = passages[count === 1 ? 0 : Math.floor((index * (passages.length - 1)) / (count - 1))] as number
    const { segment, messageBase, passageBase } = segmentOfPassage(view, passage)
    let [low, high] = [0, segment.messages - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (passageBase + (segment.firstPassage[middle] as number) <= passage) low = middle
      else high = middle - 1
    }
    return messageBase + low
  })
}

/** The first `most` passages of a byte for every passage. */
const passagesIn = (dense: Uint8Array, most: number): readonly number[] => {
  const found: number[] = []
  for (let passage = 0; passage < dense.length && found.length < most; passage += 1)
    if (dense[passage] !== 0) found.push(passage)
  return found
}
