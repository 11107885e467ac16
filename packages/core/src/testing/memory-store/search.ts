/** Search of the in-memory store: every message is looked at, every time. */
import { textOfBlock } from '../../messages.ts'
import type { SearchHit, SearchIndex, SearchQuery } from '../../ports/search-index.ts'
import { isWorkspace, type StoreData, type StoredSession } from './data.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const isWanted = (query: SearchQuery, session: StoredSession): boolean =>
  (query.sessionId === undefined || session.facts.id === query.sessionId) &&
  (query.agent === undefined || session.facts.agent === query.agent) &&
  (query.branch === undefined || session.facts.branch === query.branch) &&
  (query.workspace === undefined || isWorkspace(session.facts.workspace, query.workspace))

const isInRange = (query: SearchQuery, hit: SearchHit): boolean =>
  (query.role === undefined || hit.role === query.role) &&
  (query.since === undefined || (hit.at !== null && hit.at >= query.since)) &&
  (query.until === undefined || (hit.at !== null && hit.at < query.until))

/** Score: how many of the query's words the message holds. */
const hitsIn = (session: StoredSession, words: ReadonlySet<string>): SearchHit[] =>
  session.entries.flatMap(({ entry, externalId }) => {
    if (entry.kind !== 'message') return []
    const text = entry.content
      .map(textOfBlock)
      .filter((part) => part !== '')
      .join('\n')
    const held = new Set(wordsOf(text))
    const score = [...words].filter((word) => held.has(word)).length
    const { seq, id: messageId, at, role } = entry
    return [
      {
        sessionId: session.facts.id,
        seq,
        messageId,
        externalId: externalId ?? messageId,
        at,
        role,
        score,
        text,
      },
    ]
  })

/** Most words first, then the newest, then the later in its session. */
const byScore = (left: SearchHit, right: SearchHit): number =>
  right.score - left.score || (right.at ?? -1) - (left.at ?? -1) || right.seq - left.seq

export const createMemorySearch = (data: StoreData): SearchIndex => ({
  search: async (query) => {
    const words = new Set(wordsOf(query.text))
    const found = [...data.sessions.values()]
      .filter((session) => isWanted(query, session))
      .flatMap((session) => hitsIn(session, words))
      .filter((hit) => hit.score > 0 && isInRange(query, hit))
    const complete = found.filter((hit) => hit.score === words.size)
    return (complete.length > 0 ? complete : found).sort(byScore).slice(0, query.limit ?? 20)
  },
})
