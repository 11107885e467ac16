/**
 * The storage needed by importers. A batch is one transaction: source lines, entries, usage, search index and the
 * file's new position are written together or not at all. A killed import therefore resumes where it stopped, and of
 * two concurrent importers one wins each batch.
 */
import type { ImportSkip } from '../events.ts'
import type { JsonValue } from '../json.ts'
import type { MessageEntry } from '../session-log.ts'
import type { EntryWrite, SessionFacts } from './session-storage.ts'

/** The position up to which a file was read. */
export interface ImportCursor {
  /** Identifies the file on this machine (device and inode). */
  readonly identity: string
  /** Size and time of change when it was last read to the end. */
  readonly size: number
  readonly modifiedAt: number
  /** Bytes that were read and need not be read again (of the decompressed content, for compressed files). */
  readonly offset: number
  /** Lines before `offset`. */
  readonly line: number
  /** Digest of the bytes at the start and just before `offset`, to detect a rewritten file. */
  readonly fingerprint: string
  /** What the parser needs to continue from here. */
  readonly parserState: JsonValue
}

export interface ImportedFile {
  readonly path: string
  readonly agent: string
  readonly cursor: ImportCursor
  /** Counts commits; a commit names the version it is based on. */
  readonly version: number
}

/** Consecutive lines of a file that belong to one session. */
export interface SourceRun {
  readonly sessionId: string
  readonly firstLine: number
  /** Each without its line ending. Well-formed JSON lines are passed as text, others as bytes. */
  readonly lines: readonly (string | Uint8Array)[]
}

export interface SessionBatch {
  readonly session: SessionFacts
  readonly writes: readonly EntryWrite[]
}

export interface ImportBatch {
  readonly path: string
  readonly agent: string
  /** Version of the file on which the batch is based; 0 for a new file. */
  readonly baseVersion: number
  /** The file was rewritten: its earlier content stays, and known entries are not repeated. */
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
  /** All known files, so that unchanged ones can be skipped without a query each. */
  files(): Promise<readonly ImportedFile[]>
  /** What is known about an imported file; undefined for a path that was never imported. */
  file(path: string): Promise<ImportedFile | undefined>
  /**
   * Prepares the batch's content (hashing, compressing) immediately and outside any lock; the returned function writes
   * it. It resolves to undefined, with nothing written, if another importer has advanced the file since `baseVersion`.
   */
  prepare(batch: ImportBatch): { commit(): Promise<ImportCounts | undefined> }
  /** The session's messages with one of these external ids, by id. */
  messagesWith(sessionId: string, externalIds: readonly string[]): Promise<ReadonlyMap<string, MessageEntry>>
  /** What imports have skipped in each file so far, sorted by path. */
  skips(): Promise<readonly ImportSkip[]>
}
