/** Turns ranked messages into hits: loads the texts of those that are shown. */
import type { ScoreExplanation, SearchHit } from '../ports/search-index.ts'
import type { MessageEntry } from '../session-log.ts'
import { messageOrigin } from '../user-words/user-words.ts'
import { searchableText } from '../text-analysis/message-text.ts'
import { takeBest, type Ranked } from './result-order.ts'
import type { RecallSource } from './recall-source.ts'

/** A ranked message before its text is read. */
export interface FoundMessage extends Ranked {
  readonly explanation: () => ScoreExplanation
}

/**
 * A hit of this message, with its text, which is empty where nothing in it is searched. Text that a program wrote under
 * the user's name has the role `system`.
 */
export const toSearchHit = (
  sessionId: string,
  entry: MessageEntry,
  score: number,
  explanation: ScoreExplanation,
): SearchHit => ({
  sessionId,
  seq: entry.seq,
  messageId: entry.id,
  externalId: entry.id,
  at: entry.at,
  role: entry.role === 'user' && messageOrigin(entry) === 'meta' ? 'system' : entry.role,
  ...(entry.author === undefined ? {} : { author: entry.author }),
  score,
  text: searchableText(entry.content),
  explanation,
})

/**
 * The best `limit` messages with their texts, the best first. Messages that were deleted meanwhile are replaced by the
 * next best; fewer where there are no more. Rejects as the source does.
 */
export const loadHits = async (
  source: RecallSource,
  found: readonly FoundMessage[],
  limit: number,
): Promise<readonly SearchHit[]> => {
  const hits: SearchHit[] = []
  let rest = found
  while (hits.length < limit && rest.length > 0) {
    const near = takeBest(rest, limit - hits.length, undefined)
    const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
    const chosen = takeBest(near, limit - hits.length, (session) => facts.get(session)?.id ?? '')
    const entries = await source.messages(chosen)
    chosen.forEach(({ session, score, explanation }, index) => {
      const [entry, sessionId] = [entries[index], facts.get(session)?.id]
      if (entry !== undefined && sessionId !== undefined) hits.push(toSearchHit(sessionId, entry, score, explanation()))
    })
    if (hits.length < limit) {
      const seen = new Set(chosen)
      rest = rest.filter((one) => !seen.has(one))
    }
  }
  return hits
}
