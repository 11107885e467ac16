/** Whether an answer holds any content word of the question: function words stand in every text. */
import { analyseQuery, isFunctionWord, findMarks } from '@cairn/core'
import type { ScoreExplanation } from '@cairn/core'

/** The halves of "don't", "it's" and the like, which the search index keeps as separate words. */
const HALVES = new Set(
  'don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn ain s t d m ll re ve'.split(' '),
)

/** Whether a word says something about the subject. */
const isContentWord = (word: string): boolean => !isFunctionWord(word) && !HALVES.has(word)

/** Whether a result has at least one content word of a query. */
export interface ContentWordMatcher {
  /** For a search hit: whether one of the terms found in it is a content word. */
  hit(explanation: Pick<ScoreExplanation, 'terms'>): boolean
  /** For any other text: whether a content word of the query is in it. */
  text(text: string): boolean
}

/**
 * Returns the matcher of a query: whether a hit, or a text, has one of its content words in any form. Everything
 * matches a query without content words.
 */
export const contentWordMatcher = (query: string): ContentWordMatcher => {
  const hashes = new Set(analyseQuery(query).flatMap(({ hash, text }) => (isContentWord(text) ? [hash] : [])))
  if (hashes.size === 0) return { hit: () => true, text: () => true }
  return {
    hit: ({ terms }) => terms.some(({ text, found }) => found && isContentWord(text)),
    text: (text) => findMarks(text, hashes).length > 0,
  }
}
