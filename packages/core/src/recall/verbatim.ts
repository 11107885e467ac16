/**
 * Whoever types a few words in a row may remember them as they were said: messages that hold the whole query, word for
 * word, come first. The index has no places of words, so the texts of the few that hold all of them are looked into.
 */
import { searchedText } from '../text-analysis/message-text.ts'
import type { FoundMessage } from './hits.ts'
import { firstOf } from './order.ts'
import type { RecallSource } from './recall-source.ts'

/** Fewer words stand together by chance. */
const FEWEST_WORDS = 3
/** Longer ones are prompts, not something remembered. */
const LONGEST_QUERY = 400
/** So many of the best are looked at. */
export const LOOKED_AT = 40

const WORD = '[\\p{L}\\p{N}_]'

/** Finds the query word for word, whatever the case and the white space; undefined where that says nothing. */
export const verbatimPattern = (query: string): RegExp | undefined => {
  const words = query
    .normalize('NFKC')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length < FEWEST_WORDS || query.length > LONGEST_QUERY) return undefined
  const start = new RegExp(`^${WORD}`, 'u').test(words[0] ?? '') ? `(?<!${WORD})` : ''
  const end = new RegExp(`${WORD}$`, 'u').test(words.at(-1) ?? '') ? `(?!${WORD})` : ''
  return new RegExp(
    `${start}${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+')}${end}`,
    'iu',
  )
}

/** What was found, with what holds the query word for word above the rest. `holdsAll`: the index says that all words are there. */
export const quotesFirst = async <T extends FoundMessage>(
  source: RecallSource,
  query: string,
  found: readonly T[],
  holdsAll: (message: T) => boolean,
): Promise<readonly T[]> => {
  const pattern = verbatimPattern(query)
  if (pattern === undefined) return found
  const near = firstOf(found, LOOKED_AT, undefined)
  const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
  const best = firstOf(near, LOOKED_AT, (session) => facts.get(session)?.id ?? '')
  const likely = best.filter(holdsAll)
  if (likely.length === 0) return found
  const entries = await source.messages(likely)
  const quoting = new Set(likely.filter((_, index) => pattern.test(searchedText(entries[index]?.content ?? []))))
  const above = best[0]?.score ?? 0
  return found.map((message) => {
    if (!quoting.has(message)) return message
    const { explanation } = message
    return {
      ...message,
      score: message.score + above,
      explanation: () => ({
        ...explanation(),
        parts: [...explanation().parts, { name: 'word for word', value: above }],
      }),
    }
  })
}
