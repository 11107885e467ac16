/** The full-text index, by dialect: what is written with each message, and the queries' own syntax. */
import type { SqlReader, SqlTransaction, SqlValue } from '../sql/database.ts'

export interface SearchDocument {
  readonly entryId: number
  readonly text: string
}

/** An entry that matches; higher scores are better. */
export interface SearchMatch {
  readonly entry_id: number
  readonly score: number
}

/** Conditions on entries and sessions (aliases `entry`, `session`), with their parameters. */
export interface SearchFilter {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

export interface SearchWriter {
  add(transaction: SqlTransaction, documents: readonly SearchDocument[]): Promise<void>
  /** Forgets all entries of a session; before their rows are deleted. */
  removeSession(transaction: SqlTransaction, sessionId: number): Promise<void>
  /** Takes the words of removed entries out of the index's files, too. */
  scrub(transaction: SqlTransaction): Promise<void>
  clear(transaction: SqlTransaction): Promise<void>
  /** Entries that hold all words, or any of them. */
  match(reader: SqlReader, words: readonly string[], mode: 'all' | 'any', filter: SearchFilter, limit: number): Promise<readonly SearchMatch[]>
  /** Number of entries that the index knows. */
  count(reader: SqlReader): Promise<number>
}
