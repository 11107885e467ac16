/** Full-text index on SQLite: FTS5 without a copy of the text. */
import type { SqlReader, SqlTransaction } from '../sql/database.ts'
import type { SearchDocument, SearchFilter, SearchMatch, SearchWriter } from '../repository/search-writer.ts'

const phrase = (word: string): string => `"${word.replaceAll('"', '""')}"`

export const sqliteSearch: SearchWriter = {
  async add(transaction: SqlTransaction, documents: readonly SearchDocument[]) {
    for (const { entryId, text } of documents) await transaction.run('INSERT INTO search_text (rowid, text) VALUES (?, ?)', [entryId, text])
  },

  async removeSession(transaction, sessionId) {
    await transaction.run('DELETE FROM search_text WHERE rowid IN (SELECT id FROM entry WHERE session_id = ? AND kind = 1)', [sessionId])
  },

  async scrub(transaction) {
    // Removed entries are only marked until segments are merged.
    await transaction.run("INSERT INTO search_text (search_text) VALUES ('optimize')")
  },

  async clear(transaction) {
    await transaction.run("INSERT INTO search_text (search_text) VALUES ('delete-all')")
  },

  match(reader: SqlReader, words: readonly string[], mode: 'all' | 'any', filter: SearchFilter, limit: number): Promise<readonly SearchMatch[]> {
    const expression = words.map(phrase).join(mode === 'all' ? ' ' : ' OR ')
    return reader.all<SearchMatch>(
      `SELECT search_text.rowid AS entry_id, -bm25(search_text) AS score
       FROM search_text JOIN entry ON entry.id = search_text.rowid JOIN session ON session.id = entry.session_id
       WHERE search_text MATCH ? ${filter.sql}
       ORDER BY bm25(search_text), entry."at" IS NULL, entry."at" DESC, search_text.rowid DESC LIMIT ?`,
      [expression, ...filter.parameters, limit],
    )
  },

  async count(reader) {
    return (await reader.all<{ count: number }>('SELECT count(*) AS count FROM search_text'))[0]?.count ?? 0
  },
}
