/** A store: all storage ports over one database, plus operations on the whole. */
import type { CheckpointStorage } from './checkpoint-storage.ts'
import type { CleanUpStorage } from './clean-up-storage.ts'
import type { HealthStorage } from './health-storage.ts'
import type { ImportStorage } from './import-storage.ts'
import type { MemoryStorage } from './memory-storage.ts'
import type { NoteStorage } from './note-storage.ts'
import type { PriceBook } from './price-book.ts'
import type { ProjectStorage } from './project-storage.ts'
import type { SearchIndex } from './search-index.ts'
import type { SessionStorage } from './session-storage.ts'
import type { StateStorage } from './state-storage.ts'
import type { UsageStorage } from './usage-storage.ts'

export interface StoreStatistics {
  /** A file's path, or a database's address without its password. */
  readonly location: string
  readonly sessions: number
  readonly entries: number
  readonly requests: number
  readonly importedFiles: number
  /** Number of secrets replaced in sessions before storage. */
  readonly redactions: number
  readonly sourceBytes: number
  readonly blocks: number
  /** Compressed content, bytes. */
  readonly packedBytes: number
  /** Total size of the store, bytes. */
  readonly totalBytes: number
}

/** A fault found by a check; `count` is the number of affected rows. */
export interface StoreFault {
  readonly check: string
  readonly detail: string
  readonly count: number
}

export interface Store {
  /** Exists only in this process: nothing is on disk, and closing discards it. */
  readonly isEphemeral?: boolean
  readonly sessions: SessionStorage
  readonly usage: UsageStorage
  readonly projects: ProjectStorage
  readonly imports: ImportStorage
  readonly search: SearchIndex
  readonly state: StateStorage
  readonly notes: NoteStorage
  readonly memory: MemoryStorage
  readonly checkpoints: CheckpointStorage
  readonly cleanUp: CleanUpStorage
  readonly health: HealthStorage
  /** Row counts and size of the store. */
  statistics(): Promise<StoreStatistics>
  /**
   * Compares derived data with the log, and runs the database's own check. Empty if everything is intact. Read-only.
   */
  verify(): Promise<readonly StoreFault[]>
  /**
   * Rebuilds rollups and search index from facts and log. Damaged data that is in no log (memory, notes, settings,
   * checkpoints) is set aside: it is no longer listed but stays in the store.
   */
  rebuild(): Promise<void>
  /**
   * Prices the requests without a price for which the book has one now, except those whose input is unknown; others
   * keep their cost. Returns how many were priced.
   */
  reprice(prices: PriceBook): Promise<number>
  /** Deletes everything irrecoverably and frees the file's space. The store stays usable. */
  purge(): Promise<void>
  /** Subscribes to changes by any process (may also call back without one). Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
  /**
   * Waits for pending writes, then closes the database. Closing again does nothing; all other calls then reject with
   * `storage-unavailable`.
   */
  close(): Promise<void>
}
