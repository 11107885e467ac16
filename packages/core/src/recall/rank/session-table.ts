/** The input of the session ranker: counts of the query's terms by session, its best messages, and its files. */
import type { QueryTerm } from '../../text-analysis/query.ts'

/** All messages; those of the user; all but results of tools. */
export const SESSION_FIELDS = ['all', 'user', 'withoutResults'] as const
export type SessionField = (typeof SESSION_FIELDS)[number]

/** How many of the best messages of a session, and of the best edits of a file, are kept. */
export const BEST_OF_SESSION = 5
export const BEST_OF_FILE = 3

/** By session and term: counts; by session: tokens. `termSessions`: sessions whose field holds the term. */
export interface FieldCounts {
  readonly counts: Float32Array
  readonly tokens: Float64Array
  readonly termSessions: ArrayLike<number>
}

/** A file that the searched sessions touched. */
export interface FileFacts {
  readonly path: string
  /** Sessions (indices) that edited it, and that read, edited or named it by a tool. Ascending. */
  readonly editedBy: Int32Array
  readonly touchedBy: Int32Array
  /** BM25 scores of the edits of it that match best, descending, at most {@link BEST_OF_FILE}; empty when none matches. */
  readonly editScores: Float32Array
}

/** Rows are sessions. */
export interface SessionTable {
  readonly terms: readonly QueryTerm[]
  /** Number of sessions that pass the conditions, matching or not. */
  readonly sessions: number
  readonly branch: readonly (string | null)[]
  /** By session: the share of the query's words in its title, 0 to 1. Absent: titles are not known. */
  readonly titleShare?: Float64Array
  /** Time of the last message, ms; NaN when not known. */
  readonly at: Float64Array
  readonly fields: Readonly<Record<SessionField, FieldCounts>>
  /** By session: scores by rankMessages of its best messages, descending, then zeros. */
  readonly best: Float32Array
  /** Files that a message of these sessions touched by a tool. */
  readonly files: readonly FileFacts[]
}
