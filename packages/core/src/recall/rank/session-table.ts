/** What the ranking of sessions sees: counts of the query's terms by session, its best messages, and its files. */
import type { QueryTerm } from '../../text-analysis/query.ts'

/** Everything; what users said; everything but tools' results. */
export const SESSION_FIELDS = ['all', 'user', 'said'] as const
export type SessionField = (typeof SESSION_FIELDS)[number]

/** Best messages of a session, and of a file's edits, that are kept. */
export const BEST_OF_SESSION = 5
export const BEST_OF_FILE = 3

/** By session and term: counts; by session: tokens. `termSessions`: sessions whose field holds the term. */
export interface FieldCounts {
  readonly counts: Float32Array
  readonly tokens: Float64Array
  readonly termSessions: ArrayLike<number>
}

export interface FileFacts {
  readonly path: string
  /** Sessions (indices) that edited it, and that read, edited or named it by a tool. Ascending. */
  readonly editedBy: Int32Array
  readonly touchedBy: Int32Array
  /** Scores (BM25 over passages, a message its best passage) of the edits of it that match best, descending, at most {@link BEST_OF_FILE}. Empty: no edit of it matches. */
  readonly editScores: Float32Array
}

export interface SessionTable {
  readonly terms: readonly QueryTerm[]
  /** Sessions that the conditions let through, matching or not. */
  readonly sessions: number
  readonly branch: readonly (string | null)[]
  /** By session: how much of the query's words stands in its title, 0 … 1. Absent: titles are not known. */
  readonly titleShare?: Float64Array
  /** Last time of each, ms; NaN when not known. */
  readonly at: Float64Array
  readonly fields: Readonly<Record<SessionField, FieldCounts>>
  /** By session: scores by rankMessages of its best messages, descending, then zeros. */
  readonly best: Float32Array
  /** Files that a message of these sessions touched by a tool. */
  readonly files: readonly FileFacts[]
}
