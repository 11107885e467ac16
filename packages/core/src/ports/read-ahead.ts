/**
 * Files that other threads read, parse and prepare while this one writes. They only do what is plain: where a file, or what
 * its sessions are, asks for more, its batches end early, and whoever imports reads on from what was committed.
 */
import type { NanoUsd } from '../money.ts'
import type { FileFacts } from './file-system.ts'
import type { ImportBatch, ImportCounts, ImportCursor, ImportStorage, SessionBatch } from './import-storage.ts'
import type { SessionFacts } from './session-storage.ts'

/** A file that was never imported before, and that a thread may read. */
export interface FileAhead {
  readonly facts: FileFacts
  /** The agent whose importer reads it. */
  readonly agent: string
  /** Its number among all files of the import, in the order in which they are committed. */
  readonly position: number
}

/** What the importing side must know of a batch; plain data, as threads pass it on. */
export interface BatchFacts {
  /** Requests have no computed cost yet, and messages no content: that is prepared already. */
  readonly sessions: readonly SessionBatch[]
  readonly skips: readonly { readonly line?: number; readonly reason: string }[]
  readonly wrongCosts: readonly { readonly fault: string; readonly costNano: NanoUsd; readonly line: number }[]
  readonly cursor: ImportCursor
  /** The sessions that lines name, and those that they descend from: nothing is committed if one of them is hidden. */
  readonly named: readonly SessionFacts[]
  /** The same with the folders that they work in; without one where none is known. */
  readonly folders: readonly { readonly session: SessionFacts; readonly folder?: string | undefined }[]
}

/** What is told when a file was read to its end: what was left out, beside that of batches. */
export interface FileEnd {
  readonly skips: readonly { readonly line?: number; readonly reason: string; readonly count: number }[]
}

/** A batch that only has to be committed. */
export interface BatchAhead extends BatchFacts {
  /**
   * Commits it as `ImportStorage.prepare` does; `batch` has the facts, completed, and no source. Undefined when another
   * importer was faster, or the store has changed so that it must be prepared again.
   */
  commit(batch: ImportBatch): Promise<ImportCounts | undefined>
}

/** Reads files ahead. All of them must be passed by in the order of their positions. */
export interface ReadAhead {
  /**
   * The next batch of a file; the file's end when there is none; undefined where the file is to be read by whoever
   * imports, from what was committed of it. Rejects only when the store fails.
   */
  next(position: number): Promise<BatchAhead | FileEnd | undefined>
  /**
   * The rest of the file is read by whoever imports: what threads have read of it is dropped, and of later files what they
   * took for stored because of it.
   */
  leave(position: number): void
  /** The file at this position is imported, in whatever way. */
  pass(position: number): void
  /** Ends the threads. Never rejects. */
  close(): Promise<void>
}

/** An import storage that has threads. */
export interface ThreadedImportStorage extends ImportStorage {
  /** Begins to read files in other threads; undefined where that would not pay. Absent where there are none. */
  readAhead?(files: readonly FileAhead[]): ReadAhead | undefined
}
