/**
 * What importers need to keep. A batch is one transaction: source lines, entries, usage, search index
 * and the file's new position are written together or not at all, so an import that was killed goes on
 * where it stopped, and of two importers at once one wins each batch.
 */
import type { ImportSkip } from '../events.ts'
import type { JsonValue } from '../json.ts'
import type { MessageEntry } from '../session-log.ts'
import type { EntryWrite, SessionFacts } from './session-storage.ts'

/** How far a file was read. */
export interface ImportCursor {
  /** Same file on this machine (device and inode). */
  readonly identity: string
  /** Size and time of change when it was last read to its end. */
  readonly size: number
  readonly modifiedAt: number
  /** Bytes that were read and need not be read again (of the unpacked content, for compressed files). */
  readonly offset: number
  /** Lines before `offset`. */
  readonly line: number
  /** Digest of the bytes at the start and just before `offset`: a rewritten file shows. */
  readonly fingerprint: string
  /** What the parser must remember to go on from here. */
  readonly parserState: JsonValue
}

export interface ImportedFile {
  readonly path: string
  readonly agent: string
  readonly cursor: ImportCursor
  /** Counts commits; a commit names the one that it builds on. */
  readonly version: number
}

/** Consecutive lines of a file that belong to one session. */
export interface SourceRun {
  readonly sessionId: string
  readonly firstLine: number
  /** Each without its line end. Well-formed JSON lines are passed as text, others as bytes. */
  readonly lines: readonly (string | Uint8Array)[]
}

export interface SessionBatch {
  readonly session: SessionFacts
  readonly writes: readonly EntryWrite[]
}

export interface ImportBatch {
  readonly path: string
  readonly agent: string
  /** Version of the file that the batch builds on; 0 for a file not seen before. */
  readonly baseVersion: number
  /** The file was rewritten: what it held before stays, entries already known are not repeated. */
  readonly restarted: boolean
  readonly sessions: readonly SessionBatch[]
  readonly source: readonly SourceRun[]
  readonly skips: readonly ImportSkip[]
  readonly cursor: ImportCursor
}

export interface ImportCounts {
  readonly newSessions: number
  readonly newMessages: number
  readonly newRequests: number
}

export interface ImportStorage {
  /** All files known, for skipping those that have not changed without a query each. */
  files(): Promise<readonly ImportedFile[]>
  /** What is known of a file that was imported; undefined for a path never imported. */
  file(path: string): Promise<ImportedFile | undefined>
  /**
   * Prepares the batch's content (hashing, compressing) at once and outside any lock; the returned
   * function writes it. It resolves to undefined, with nothing written, when another importer has
   * moved the file on since `baseVersion`.
   */
  prepare(batch: ImportBatch): { commit(): Promise<ImportCounts | undefined> }
  /** The session's messages that have one of these external ids, by id. */
  messagesWith(sessionId: string, externalIds: readonly string[]): Promise<ReadonlyMap<string, MessageEntry>>
  /** What imports have left out of each file so far, sorted by the file's path. */
  skips(): Promise<readonly ImportSkip[]>
}
