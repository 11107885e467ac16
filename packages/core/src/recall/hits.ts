/** Turns ranked messages into hits: loads the texts of those that are shown. */
import type { ScoreExplanation, SearchHit } from '../ports/search-index.ts'
import type { MessageEntry } from '../session-log.ts'
import { searchableText } from '../text-analysis/message-text.ts'
import { DistinctHits, roleOf } from './distinct-hits.ts'
import { takeBest, type Ranked } from './result-order.ts'
import type { MessagePosition, RecallSource } from './recall-source.ts'

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
  role: roleOf(entry),
  ...(entry.author === undefined ? {} : { author: entry.author }),
  score,
  text: searchableText(entry.content),
  explanation,
})

/**
 * The best `limit` messages with their texts, the best first; a message with the role and text of one above it is no hit
 * of its own, but named with that one. Messages that were deleted meanwhile are replaced by the next best; fewer where
 * there are no more. `alike`: messages that may have the same text as a chosen one, which are looked at for that alone.
 * Rejects as the source does.
 */
export const loadHits = async <T extends FoundMessage>(
  source: RecallSource,
  found: readonly T[],
  limit: number,
  alike: (chosen: readonly T[]) => readonly MessagePosition[] = () => [],
): Promise<readonly SearchHit[]> => {
  const hits = new DistinctHits()
  const taken: T[] = []
  let rest = found
  while (hits.size < limit && rest.length > 0) {
    const near = takeBest(rest, limit - hits.size, undefined)
    const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
    const chosen = takeBest(near, limit - hits.size, (session) => facts.get(session)?.id ?? '')
    const entries = await source.messages(chosen)
    chosen.forEach((message, index) => {
      const [entry, sessionId] = [entries[index], facts.get(message.session)?.id]
      if (entry === undefined || sessionId === undefined) return
      if (hits.add(toSearchHit(sessionId, entry, message.score, message.explanation()))) taken.push(message)
    })
    if (hits.size < limit) {
      const seen = new Set(chosen)
      rest = rest.filter((one) => !seen.has(one))
    }
  }
  await addRepeats(source, hits, alike(taken))
  return hits.list()
}

/** Names these messages with the hits whose text they have. Deleted ones are left out. */
const addRepeats = async (
  source: RecallSource,
  hits: DistinctHits,
  positions: readonly MessagePosition[],
): Promise<void> => {
  if (positions.length === 0) return
  const facts = await source.sessions([...new Set(positions.map(({ session }) => session))])
  const entries = await source.messages(positions)
  positions.forEach(({ session }, index) => {
    const [entry, sessionId] = [entries[index], facts.get(session)?.id]
    if (entry !== undefined && sessionId !== undefined) hits.addRepeat(sessionId, entry)
  })
}
