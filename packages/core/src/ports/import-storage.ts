/**
 * What importers need to keep. A batch is one transaction: source lines, entries, usage, search index
 * and the file's new position are written together or not at all, so an import that was killed goes on
 * where it stopped, and of two importers at once one wins each batch.
 */
import type { ImportSkip } from '../events.ts'
import type { MessageEntry } from '../session-log.ts'
import type { ImportBatch, ImportCursor } from './import-batch.ts'
import type { FileToRead, ReadAhead } from './read-ahead.ts'

export type { ImportBatch, ImportCursor, SessionBatch, SourceRun } from './import-batch.ts'

export interface ImportedFile {
  readonly path: string
  readonly agent: string
  readonly cursor: ImportCursor
  /** Counts commits; a commit names the one that it builds on. */
  readonly version: number
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
  /**
   * Begins to read transcripts on threads of the storage's own, for an import that is going to take them in this order.
   * Undefined where that would not be faster; absent where the storage has no threads.
   */
  readAhead?(files: readonly FileToRead[]): ReadAhead | undefined
}
