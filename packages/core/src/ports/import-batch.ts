/** One batch of an import, as it goes from the reader of a file to the storage. */
import type { ImportSkip } from '../events.ts'
import type { JsonValue } from '../json.ts'
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
  /**
   * The content, where one of the storage's own threads has it: then messages come without their
   * blocks, and there are no source lines.
   */
  readonly draft?: ContentDraft
}

/** Content that a thread of the storage keeps until the batch is written; only that storage knows what is in it. */
export interface ContentDraft {
  readonly thread: number
}
