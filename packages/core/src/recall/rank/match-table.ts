/**
 * What a ranker sees of the messages that may answer a query: counts of the query's terms by passage, message and
 * session, and facts of each message. Made by the index from its postings; no text is needed.
 */
import type { QueryTerm } from '../../text-analysis/query.ts'

/** Sizes of what was searched, after workspace and time conditions. Terms are counted in the order of `MatchTable.terms`. */
export interface CorpusStatistics {
  readonly messages: number
  readonly passages: number
  readonly sessions: number
  /** Tokens of all passages. */
  readonly tokens: number
  /** Passages, and sessions, that hold the term. */
  readonly termPassages: ArrayLike<number>
  readonly termSessions: ArrayLike<number>
  /** Passages that hold the term in the very form that the query has. */
  readonly termForms: ArrayLike<number>
}

/**
 * Rows are messages: candidates and up to two neighbours on either side of each, ordered by session and place in it.
 * Arrays of counts are row by row (or passage by passage), a column a term.
 */
export interface MatchTable {
  readonly terms: readonly QueryTerm[]
  readonly corpus: CorpusStatistics
  readonly rows: number
  /** 1: a candidate by its words; 2: one that fits what the query names beside them; 0: only a neighbour. */
  readonly candidate: Uint8Array
  /** Index into `sessions…`. */
  readonly session: Int32Array
  /** 1: the row before is the message directly before it in its session. */
  readonly follows: Uint8Array
  /** When it was said, ms; NaN when not known. */
  readonly at: Float64Array
  /** As message-analysis made them. */
  readonly flags: Uint16Array
  /** Hash of the author's name; 0 when none is known. */
  readonly author: Uint32Array
  /** What its tools did to files that the query names: 0 nothing, 1 touched, 2 edited one. Absent: it names none. */
  readonly touched?: Uint8Array
  /** Passages of row r: firstPassage[r] … firstPassage[r + 1] − 1. */
  readonly firstPassage: Int32Array
  /** By passage: its tokens. */
  readonly passageTokens: Uint16Array
  /** By passage and term: how often it stands there (at most 15), and in which forms (see text-analysis/forms). */
  readonly counts: Uint8Array
  readonly forms: Uint8Array
  readonly sessions: number
  /** By session: tokens of all its messages. */
  readonly sessionTokens: Float64Array
  /** By session and term: how often it stands in all its messages. */
  readonly sessionCounts: Float64Array
}
