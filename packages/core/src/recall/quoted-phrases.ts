/** Quoted words of a query, which stand in the results just so, if any message has them. */
import type { SearchHit } from '../ports/search-index.ts'
import { isQuestion } from '../text-analysis/query.ts'
import { looksLikeError } from './rank/error-query.ts'

/** Words between quotation marks. */
export interface QuotedPhrase {
  readonly text: string
  /** Where it stands in the query with its marks, in code units; `end` is not included. */
  readonly start: number
  readonly end: number
}

/** A mark opens before a word and closes behind one: not the inches of a 5" disk. */
const QUOTED = /(?<=^|[\s(])["“„](?=\S)([^"“”„\n]{1,200})(?<=\S)["”“](?=$|[\s).,;:!?])/gu
/** With more of them a query is pasted code or data. */
const MOST_PHRASES = 4
const HAS_WORD = /[\p{L}\p{N}]/u

/** Longer queries are prompts. */
const LONGEST_QUERY = 400

/**
 * The quoted phrases of a query, in order. None in a question, where they are titles ("When did she read “Emma”?") that
 * an answer need not repeat; in a prompt; in pasted data; and in a pasted error message. What stands outside of the
 * marks tells. None if there are more than `MOST_PHRASES`, too.
 */
export const quotedPhrases = (query: string): readonly QuotedPhrase[] => {
  const phrases = [...query.matchAll(QUOTED)].flatMap(({ 0: whole, 1: text = '', index: start }) =>
    HAS_WORD.test(text) ? [{ text, start, end: start + whole.length }] : [],
  )
  if (phrases.length === 0 || phrases.length > MOST_PHRASES || query.length > LONGEST_QUERY) return []
  const outside = query.replace(QUOTED, ' ')
  return isQuestion(outside) || looksLikeError(outside, false) ? [] : phrases
}

const WORD = '[\\p{L}\\p{N}_]'

/** A text as quoted words are compared: without accents, and with one kind of apostrophe. */
export const comparable = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[‘’ʼ]/g, "'")

/**
 * A pattern for words that follow each other in a {@link comparable} text, in any case and with any white space; whole
 * words at both ends. Other signs are taken as they are.
 */
export const wordsPattern = (text: string): RegExp => {
  const words = comparable(text)
    .split(/\s+/)
    .filter((word) => word !== '')
  const start = new RegExp(`^${WORD}`, 'u').test(words[0] ?? '') ? `(?<!${WORD})` : ''
  const end = new RegExp(`${WORD}$`, 'u').test(words.at(-1) ?? '') ? `(?!${WORD})` : ''
  return new RegExp(
    `${start}${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+')}${end}`,
    'iu',
  )
}

/**
 * The quoted phrases of a query where no hit has all of them word for word, so that what was found only comes near them;
 * empty where one does, where nothing was found, and where the query quotes nothing.
 */
export const phrasesNotFound = (query: string, hits: readonly Pick<SearchHit, 'text'>[]): readonly string[] => {
  const phrases = quotedPhrases(query).map(({ text }) => text)
  const patterns = phrases.map(wordsPattern)
  const isFound = hits.some(({ text }) => patterns.every((pattern) => pattern.test(comparable(text))))
  return hits.length === 0 || isFound ? [] : phrases
}
