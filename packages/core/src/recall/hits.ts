/** What was found, with the texts of the few that are shown. */
import type { ScoreExplanation, SearchHit } from '../ports/search-index.ts'
import type { MessageEntry } from '../session-log.ts'
import { messageOrigin } from '../user-words/user-words.ts'
import { searchedText } from '../text-analysis/message-text.ts'
import { firstOf, type Ranked } from './order.ts'
import type { RecallSource } from './recall-source.ts'

/** A ranked message before its text is read. */
export interface FoundMessage extends Ranked {
  readonly explanation: () => ScoreExplanation
}

export const hitOf = (
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
  text: searchedText(entry.content),
  explanation,
})

/** The first of what was found, with their texts. What has gone since makes room for what follows. */
export const hitsOf = async (
  source: RecallSource,
  found: readonly FoundMessage[],
  limit: number,
): Promise<readonly SearchHit[]> => {
  const hits: SearchHit[] = []
  let rest = found
  while (hits.length < limit && rest.length > 0) {
    const near = firstOf(rest, limit - hits.length, undefined)
    const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
    const chosen = firstOf(near, limit - hits.length, (session) => facts.get(session)?.id ?? '')
    const entries = await source.messages(chosen)
    chosen.forEach(({ session, score, explanation }, index) => {
      const [entry, sessionId] = [entries[index], facts.get(session)?.id]
      if (entry !== undefined && sessionId !== undefined) hits.push(hitOf(sessionId, entry, score, explanation()))
    })
    if (hits.length < limit) {
      const seen = new Set(chosen)
      rest = rest.filter((one) => !seen.has(one))
    }
  }
  return hits
}
