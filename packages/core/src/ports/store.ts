/** One store: every storage port over the same database, with the whole's own operations. */
import type { CheckpointStorage } from './checkpoint-storage.ts'
import type { CleanUpStorage } from './clean-up-storage.ts'
import type { HealthStorage } from './health-storage.ts'
import type { ThreadedImportStorage } from './read-ahead.ts'
import type { MemoryStorage } from './memory-storage.ts'
import type { NoteStorage } from './note-storage.ts'
import type { PriceBook } from './price-book.ts'
import type { ProjectStorage } from './project-storage.ts'
import type { SearchIndex } from './search-index.ts'
import type { SessionStorage } from './session-storage.ts'
import type { StateStorage } from './state-storage.ts'
import type { UsageStorage } from './usage-storage.ts'

export interface StoreStatistics {
  /** Where it is: a file's path, or a database's address without its password. */
  readonly location: string
  readonly sessions: number
  readonly entries: number
  readonly requests: number
  readonly importedFiles: number
  /** Secrets that were replaced in sessions before they were stored. */
  readonly redactions: number
  readonly sourceBytes: number
  readonly blocks: number
  /** Compressed content, bytes. */
  readonly packedBytes: number
  /** All of the store, bytes. */
  readonly totalBytes: number
}

/** A fault that a check found; `count` rows are concerned. */
export interface StoreFault {
  readonly check: string
  readonly detail: string
  readonly count: number
}

export interface Store {
  /** Lives in this process alone: nothing of it is on a disk, and closed it is gone. */
  readonly isEphemeral?: boolean
  readonly sessions: SessionStorage
  readonly usage: UsageStorage
  readonly projects: ProjectStorage
  readonly imports: ThreadedImportStorage
  readonly search: SearchIndex
  readonly state: StateStorage
  readonly notes: NoteStorage
  readonly memory: MemoryStorage
  readonly checkpoints: CheckpointStorage
  readonly cleanUp: CleanUpStorage
  readonly health: HealthStorage
  /** How much the store holds: counts of rows, and its size. */
  statistics(): Promise<StoreStatistics>
  /** Compares what is derived with the log, and has the database check itself. Empty when all is sound. Reads only. */
  verify(): Promise<readonly StoreFault[]>
  /**
   * Makes rollups and search index anew from facts and log. What is damaged and stands in no log (memory, notes, settings,
   * checkpoints) is set aside: in no list any more, and in the store as it is.
   */
  rebuild(): Promise<void>
  /** Prices the requests that had no price; the others keep their cost. Returns how many were priced. */
  reprice(prices: PriceBook): Promise<number>
  /**
   * Removes everything from the store, for real: nothing can be brought back, and the file gives its space back. The
   * store stays usable.
   */
  purge(): Promise<void>
  /** Calls back after changes by any process, and now and then without one. Returns the end of the subscription. */
  onChange(listener: () => void): () => void
  /** Waits for writes under way, then lets go of the database. Once more does nothing; everything else rejects with `storage-unavailable` then. */
  close(): Promise<void>
}
