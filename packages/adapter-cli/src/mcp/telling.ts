/** Whether an answer has anything of what was asked for: a question's small words stand in every text. */
import { analyseQuery, isFunctionWord, findMarks } from '@cairn/core'
import type { ScoreExplanation } from '@cairn/core'

/** What is left of "don't", "it's" and the like, whose halves are words of their own for the search. */
const HALVES = new Set(
  'don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn ain s t d m ll re ve'.split(' '),
)

const tells = (word: string): boolean => !isFunctionWord(word) && !HALVES.has(word)

export interface Telling {
  /** Of a hit, by the words that it holds. */
  hit(explanation: Pick<ScoreExplanation, 'terms'>): boolean
  text(text: string): boolean
}

/** Any text will do as a query; where it has none but small words, these will have to do. */
export const tellingOf = (query: string): Telling => {
  const hashes = new Set(analyseQuery(query).flatMap(({ hash, text }) => (tells(text) ? [hash] : [])))
  if (hashes.size === 0) return { hit: () => true, text: () => true }
  return {
    hit: ({ terms }) => terms.some(({ text, found }) => found && tells(text)),
    text: (text) => findMarks(text, hashes).length > 0,
  }
}
