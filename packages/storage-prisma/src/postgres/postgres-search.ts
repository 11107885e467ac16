/** Full-text index on PostgreSQL: tsvector with GIN. */
import type { SearchWriter } from '../repository/search-writer.ts'

/** A tsvector holds at most a megabyte, and fewer positions still: long texts take several rows. */
const PART_CHARACTERS = 100_000

const TABLE = 'search_document'

export const postgresSearch: SearchWriter = {
  async add(transaction, documents) {
    const rows = documents.flatMap(({ entryId, text }) => {
      const storable = text.replaceAll('\0', ' ')
      const parts = Math.max(1, Math.ceil(storable.length / PART_CHARACTERS))
      return Array.from({ length: parts }, (_, part) => ({ i: entryId, p: part, t: storable.slice(part * PART_CHARACTERS, (part + 1) * PART_CHARACTERS).toWellFormed() }))
    })
    if (rows.length === 0) return
    // One statement; the text itself is not stored, only what the index needs of it.
    await transaction.run(
      `INSERT INTO ${TABLE} (entry_id, part, words) SELECT i, p, to_tsvector('english', t) FROM json_to_recordset(?::json) AS rows(i int, p int, t text)`,
      [JSON.stringify(rows)],
    )
  },

  async removeSession(transaction, sessionId) {
    await transaction.run(`DELETE FROM ${TABLE} WHERE entry_id IN (SELECT id FROM entry WHERE session_id = ?)`, [sessionId])
  },

  scrub() {
    return Promise.resolve()
  },

  async clear(transaction) {
    await transaction.run(`DELETE FROM ${TABLE}`)
  },

  match(reader, words, mode, filter, limit) {
    const query = words.map(() => "plainto_tsquery('english', ?)").join(mode === 'all' ? ' && ' : ' || ')
    return reader.all(
      `SELECT matched.entry_id, max(ts_rank_cd(matched.words, query.q, 1)) AS score
       FROM (SELECT ${query} AS q) AS query
       JOIN ${TABLE} AS matched ON matched.words @@ query.q
       JOIN entry ON entry.id = matched.entry_id JOIN session ON session.id = entry.session_id
       WHERE TRUE ${filter.sql}
       GROUP BY matched.entry_id, entry."at" ORDER BY score DESC, entry."at" DESC NULLS LAST, matched.entry_id DESC LIMIT ?`,
      [...words, ...filter.parameters, limit],
    )
  },

  async count(reader) {
    return (await reader.all<{ count: number }>(`SELECT count(DISTINCT entry_id) AS count FROM ${TABLE}`))[0]?.count ?? 0
  },
}
