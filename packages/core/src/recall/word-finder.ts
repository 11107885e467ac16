/** Where one text holds what a query asks for, as a search for all words means it. */
import { findMarks } from '../text-analysis/marks.ts'
import { queryWords } from '../text-analysis/query.ts'
import { quotedPhrases, wordsPattern } from './quoted-phrases.ts'
import { withoutAccents } from './snippet.ts'

/** A range of code units; `end` is not included. */
interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Returns what finds the words of a query in a text: each word in all its forms, a name as a whole, and quoted words only
 * where they stand just so. The ranges are in order and do not overlap; none for a query without words. Time grows with
 * the length of the text.
 */
export const createWordFinder = (query: string): ((text: string) => readonly Range[]) => {
  const phrases = quotedPhrases(query)
  const patterns = phrases.map(({ text }) => new RegExp(wordsPattern(text).source, 'giu'))
  const unquoted = phrases.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, query)
  const words = queryWords(unquoted)
  const hashes = new Set(words.map(({ hash }) => hash))
  const stems = new Map(words.flatMap(({ hash, stems: own = [] }) => own.map((stem) => [stem, hash] as const)))
  return (text) => {
    const plain = patterns.length === 0 ? '' : withoutAccents(text)
    const quoted = patterns.flatMap((pattern) =>
      [...plain.matchAll(pattern)].map(({ 0: found, index: start }) => ({ start, end: start + found.length })),
    )
    const single = hashes.size === 0 ? [] : findMarks(text, hashes, stems)
    return apart([...quoted, ...single.map(({ start, end }) => ({ start, end }))])
  }
}

/** The ranges in order, without those that begin within one before; of two with the same start the longer. */
const apart = (ranges: readonly Range[]): readonly Range[] => {
  const found: Range[] = []
  for (const range of ranges.toSorted((left, right) => left.start - right.start || right.end - left.end))
    if (range.start >= (found.at(-1)?.end ?? 0)) found.push(range)
  return found
}
