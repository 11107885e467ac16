/** Full-text index on PostgreSQL: tsvector with GIN. */
import type { SearchWriter } from '../repository/search-writer.ts'
import type { Table } from '../sql/schema.ts'

/** A tsvector holds at most a megabyte, and fewer positions still: long texts take several rows. */
const PART_CHARACTERS = 100_000

const document = { name: 'search_document', columns: { entry_id: 'int', part: 'int', text: 'text' } } as const satisfies Table

export const postgresSearch: SearchWriter = {
  async add(transaction, documents) {
    const ids: number[] = []
    const parts: number[] = []
    const texts: string[] = []
    for (const { entryId, text } of documents) {
      for (let part = 0; part === 0 || part * PART_CHARACTERS < text.length; part += 1) {
        ids.push(entryId)
        parts.push(part)
        texts.push(text.slice(part * PART_CHARACTERS, (part + 1) * PART_CHARACTERS).replaceAll('\0', ' ').toWellFormed())
      }
    }
    // The text itself is not stored: only what the index needs of it.
    for (const [index, id] of ids.entries()) {
      await transaction.run(`INSERT INTO ${document.name} (entry_id, part, words) VALUES (?, ?, to_tsvector('english', ?))`, [id, parts[index] ?? 0, texts[index] ?? ''])
    }
  },

  async removeSession(transaction, sessionId) {
    await transaction.run(`DELETE FROM ${document.name} WHERE entry_id IN (SELECT id FROM entry WHERE session_id = ?)`, [sessionId])
  },

  scrub() {
    return Promise.resolve()
  },

  async clear(transaction) {
    await transaction.run(`DELETE FROM ${document.name}`)
  },

  match(reader, words, mode, filter, limit) {
    const query = words.map(() => "plainto_tsquery('english', ?)").join(mode === 'all' ? ' && ' : ' || ')
    return reader.all(
      `SELECT matched.entry_id, max(ts_rank_cd(matched.words, query.q, 1)) AS score
       FROM (SELECT ${query} AS q) AS query
       JOIN ${document.name} AS matched ON matched.words @@ query.q
       JOIN entry ON entry.id = matched.entry_id JOIN session ON session.id = entry.session_id
       WHERE TRUE ${filter.sql}
       GROUP BY matched.entry_id, entry."at" ORDER BY score DESC, entry."at" DESC NULLS LAST, matched.entry_id DESC LIMIT ?`,
      [...words, ...filter.parameters, limit],
    )
  },

  async count(reader) {
    return (await reader.all<{ count: number }>(`SELECT count(DISTINCT entry_id) AS count FROM ${document.name}`))[0]?.count ?? 0
  },
}
