/** Full-text search: words from the query, filters, and the text of what was found. */
import { textOfBlock } from '@cairn/core'
import type { MessageEntry, SearchHit, SearchIndex, SearchQuery, SessionStorage } from '@cairn/core'
import type { SqlValue } from '../sql/database.ts'
import type { StoreContext } from './context.ts'
import { roleCode } from './entry-codec.ts'
import { storableText } from './labels.ts'
import type { SearchFilter, SearchMatch } from './search-writer.ts'

/** More words than this hardly change the answer and only take time. */
const LONGEST_QUERY = 32
const DEFAULT_LIMIT = 10

interface PlaceRow {
  readonly id: number
  readonly seq: number
  readonly key: string
}

/** The words of a query: runs of letters, digits and underscores. */
export const wordsOf = (text: string): readonly string[] => [...new Set(text.toWellFormed().toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, LONGEST_QUERY)

export class PrismaSearchIndex implements SearchIndex {
  readonly #context: StoreContext
  readonly #sessions: Pick<SessionStorage, 'read'>

  constructor(context: StoreContext, sessions: Pick<SessionStorage, 'read'>) {
    this.#context = context
    this.#sessions = sessions
  }

  async search(query: SearchQuery): Promise<readonly SearchHit[]> {
    const words = wordsOf(query.text)
    const limit = query.limit ?? DEFAULT_LIMIT
    if (words.length === 0 || limit <= 0) return []
    const { database, search } = this.#context
    const filter = filterOf(query)
    const matches = await search.match(database, words, 'all', filter, limit)
    // Only when no message has all of them.
    return this.#hits(matches.length === 0 && words.length > 1 ? await search.match(database, words, 'any', filter, limit) : matches)
  }

  async #hits(matches: readonly SearchMatch[]): Promise<readonly SearchHit[]> {
    if (matches.length === 0) return []
    const rows = await this.#context.database.all<PlaceRow>(
      `SELECT entry.id, entry.seq, session."key" FROM entry JOIN session ON session.id = entry.session_id WHERE entry.id IN (${matches.map(() => '?').join(', ')})`,
      matches.map((match) => match.entry_id),
    )
    const places = new Map(rows.map((row) => [row.id, row]))
    const hits = await Promise.all(
      matches.map(async ({ entry_id: id, score }) => {
        const place = places.get(id)
        if (place === undefined) return undefined
        const [entry] = await this.#sessions.read(place.key, { fromSeq: place.seq, limit: 1 })
        return entry?.kind === 'message' ? hitOf(place, entry, score) : undefined
      }),
    )
    return hits.filter((hit) => hit !== undefined)
  }
}

const hitOf = (place: PlaceRow, entry: MessageEntry, score: number): SearchHit => ({
  sessionId: place.key,
  seq: place.seq,
  messageId: entry.id,
  externalId: entry.id,
  at: entry.at,
  role: entry.role,
  score,
  text: entry.content.map(textOfBlock).filter((text) => text !== '').join('\n'),
})

const filterOf = (query: SearchQuery): SearchFilter => {
  const conditions: string[] = []
  const parameters: SqlValue[] = []
  const where = (sql: string, ...values: readonly SqlValue[]): void => {
    conditions.push(` AND ${sql}`)
    parameters.push(...values)
  }
  if (query.workspace !== undefined) {
    const text = storableText(query.workspace)
    where('session.workspace_id IN (SELECT id FROM workspace WHERE "path" = ? OR name = ?)', text, text)
  }
  if (query.sessionId !== undefined) where('session."key" = ?', storableText(query.sessionId))
  if (query.agent !== undefined) where('session.agent_id IN (SELECT id FROM label WHERE kind = 1 AND value = ?)', storableText(query.agent))
  if (query.branch !== undefined) where('session.branch_id IN (SELECT id FROM label WHERE kind = 5 AND value = ?)', storableText(query.branch))
  if (query.role !== undefined) where('entry.role = ?', roleCode(query.role))
  if (query.since !== undefined) where('entry."at" >= ?', query.since)
  if (query.until !== undefined) where('entry."at" < ?', query.until)
  return { sql: conditions.join(''), parameters }
}
