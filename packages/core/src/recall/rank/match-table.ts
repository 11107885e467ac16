/**
 * The input of the ranker: for the messages that may answer a query, counts of its terms by passage and session, and
 * what is known of each message. The index builds it from postings (index/build-table.ts); it has no texts.
 */
import type { QueryTerm } from '../../text-analysis/query.ts'

/** Sizes of what is searched, after the conditions on workspace and time. Arrays by term are in the order of `MatchTable.terms`. */
export interface CorpusStatistics {
  readonly messages: number
  readonly passages: number
  readonly sessions: number
  /** Tokens of all passages. */
  readonly tokens: number
  /** Passages, and sessions, that hold the term. */
  readonly termPassages: ArrayLike<number>
  readonly termSessions: ArrayLike<number>
  /** Passages that hold the term in the exact form of the query. */
  readonly termForms: ArrayLike<number>
}

/**
 * Rows are messages: candidates and up to two neighbours on either side of each, ordered by session and position in it.
 * Counts are stored row by row (or passage by passage), with a column for each term.
 */
export interface MatchTable {
  readonly terms: readonly QueryTerm[]
  readonly corpus: CorpusStatistics
  readonly rows: number
  /** 1: holds terms of the query; 2: holds none, but fits the author, date or file that the query names; 0: a neighbour only. */
  readonly candidate: Uint8Array
  /** Index into `sessionTokens` and `sessionCounts`. */
  readonly session: Int32Array
  /** 1: the row before is the message directly before it in its session. */
  readonly follows: Uint8Array
  /** Time of the message, ms; NaN when not known. */
  readonly at: Float64Array
  /** See `AnalysedMessage.flags`. */
  readonly flags: Uint16Array
  /** Hash of the author's name; 0 when none is known. */
  readonly author: Uint32Array
  /** What its tools did to files that the query names: 0 nothing, 1 read or mentioned, 2 edited. Absent: it names none. */
  readonly touched?: Uint8Array
  /** 1: its tools edited a file that the words of the query name, see `spokenFileNames`. Absent: none did. */
  readonly editedSpoken?: Uint8Array
  /** Passages of row r: firstPassage[r] … firstPassage[r + 1] − 1. */
  readonly firstPassage: Int32Array
  /** By passage: its tokens. */
  readonly passageTokens: Uint16Array
  /** By passage and term: how often it occurs (at most 15), and in which forms (bits of text-analysis/forms). */
  readonly counts: Uint8Array
  readonly forms: Uint8Array
  readonly sessions: number
  /** By session: tokens of all its messages. */
  readonly sessionTokens: Float64Array
  /** By session and term: how often it occurs in all its messages. */
  readonly sessionCounts: Float64Array
}
