/**
 * Puts messages first that have the whole query word for word. The index has no word positions, so the texts of the best
 * messages that have all words are read.
 */
import { searchableText } from '../text-analysis/message-text.ts'
import type { FoundMessage } from './hits.ts'
import { takeBest } from './result-order.ts'
import { comparable, wordsPattern } from './quoted-phrases.ts'
import type { RecallSource } from './recall-source.ts'

/** Fewer words occur together by chance. */
const FEWEST_WORDS = 3
/** Longer queries are prompts, not quotations. */
const LONGEST_QUERY = 400
/** How many of the best messages are checked. */
export const VERBATIM_CANDIDATES = 40

/**
 * A pattern for the query word for word, ignoring case and white space, that begins and ends at a word's; undefined for
 * queries of very few words and long ones.
 */
export const verbatimPattern = (query: string): RegExp | undefined =>
  query.trim().split(/\s+/).length < FEWEST_WORDS || query.length > LONGEST_QUERY ? undefined : wordsPattern(query)

/**
 * The messages, in the order given; those that have the query word for word get the highest score added to their own.
 * `holdsAll`: the message has all words; only those among the 40 best are read. As given for a query of fewer than
 * three words or more than 400 characters. Rejects as the source does.
 */
export const boostVerbatimMatches = async <T extends FoundMessage>(
  source: RecallSource,
  query: string,
  found: readonly T[],
  holdsAll: (message: T) => boolean,
): Promise<readonly T[]> => {
  const pattern = verbatimPattern(query)
  if (pattern === undefined) return found
  const near = takeBest(found, VERBATIM_CANDIDATES, undefined)
  const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
  const best = takeBest(near, VERBATIM_CANDIDATES, (session) => facts.get(session)?.id ?? '')
  const likely = best.filter(holdsAll)
  if (likely.length === 0) return found
  const entries = await source.messages(likely)
  const quoting = new Set(
    likely.filter((_, index) => pattern.test(comparable(searchableText(entries[index]?.content ?? [])))),
  )
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

/** How many messages that hold all words of the quoted phrases are read. */
const MOST_QUOTED = 200

/**
 * Of the messages those in whose text all these patterns match, best first. `holdsAll`: the message has all words of
 * the phrases; only the best 200 of these are looked at. Rejects as the source does.
 */
export const messagesWithPhrases = async <T extends FoundMessage>(
  source: RecallSource,
  patterns: readonly RegExp[],
  found: readonly T[],
  holdsAll: (message: T) => boolean,
): Promise<readonly T[]> => {
  const likely = takeBest(found.filter(holdsAll), MOST_QUOTED, undefined).slice(0, MOST_QUOTED)
  if (likely.length === 0) return []
  const entries = await source.messages(likely)
  return likely.filter((_, index) => {
    const text = comparable(searchableText(entries[index]?.content ?? []))
    return patterns.every((pattern) => pattern.test(text))
  })
}
