/**
 * Transcripts that other threads read ahead of an import: they split, redact and parse. What depends on the store, on
 * settings or on prices is left to the import, which takes the batches in the order in which it would have read them.
 */
import type { NanoUsd } from '../money.ts'
import type { FileFacts } from './file-system.ts'
import type { ContentDraft, ImportCursor, SessionBatch, SourceRun } from './import-batch.ts'
import type { SessionFacts } from './session-storage.ts'

/** A transcript that the store does not know yet. */
export interface FileToRead {
  readonly facts: FileFacts
  readonly agent: string
}

/** What was left out of a file. */
export interface ReadNotice {
  readonly reason: string
  /** 1-based. */
  readonly line?: number
  readonly count?: number
}

/** A session with a folder that it works in; undefined: none is known. */
export interface SessionInFolder {
  readonly session: SessionFacts
  readonly folder: string | undefined
}

/** What a batch of a file holds; requests have no computed cost yet. */
export interface ReadRows {
  readonly sessions: readonly SessionBatch[]
  /** Empty where there is a draft. */
  readonly source: readonly SourceRun[]
  readonly skips: readonly ReadNotice[]
  /** Recorded costs that don't count, with their lines. */
  readonly wrongCosts: readonly { readonly fault: string; readonly costNano: NanoUsd; readonly line: number }[]
  readonly cursor: ImportCursor
  /** Of a session in it no folder is known yet, and the file goes on. */
  readonly awaitsFolder: boolean
  /** Whoever keeps the batch has to make sure that none of these sessions is incognito, nor any of these folders makes one so. */
  readonly sessionsToCheck: readonly SessionFacts[]
  readonly foldersToCheck: readonly SessionInFolder[]
  readonly draft?: ContentDraft
}

/** The next of a file: rows, and what was left out before them. */
export interface ReadBatch {
  readonly notices: readonly ReadNotice[]
  /** Absent behind the last rows. */
  readonly rows?: ReadRows
}

/** A file that is read by a thread. */
export interface FileReadAhead {
  /** Its batches in order; rejects as the reading of the file does, and when the thread ends. To be asked for once. */
  batches(): AsyncIterable<ReadBatch>
  /**
   * Undefined while the thread can go on. What to tell of its end is given once, to the first file of that thread which
   * asks.
   */
  failure(): { readonly notice?: string } | undefined
  /** Nothing more of it is wanted. */
  drop(): void
}

export interface ReadAhead {
  /** The file's reading; undefined where it has to be read here. Files are taken in the order in which they were given. */
  take(path: string): FileReadAhead | undefined
  /** Ends the threads. Never rejects. */
  close(): Promise<void>
}
