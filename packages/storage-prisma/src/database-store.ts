/** What a store in a database can do beside what every store can. */
import type { Store } from '@cairn/core'
import type { SyncSource, SyncTarget } from '@cairn/core/sync'
import type { Erasure } from './erasure/erasure.ts'

/** A store in a database that others can also write, migrate and damage. */
export interface DatabaseStore extends Store {
  /**
   * Rejects with a `StorageError` when the store is no longer the one that was opened: removed or replaced, emptied or
   * overwritten, without one of its tables, or migrated by a newer version. For long-lived processes; cheap enough to
   * call every second.
   */
  check(): Promise<void>
  /** Tells the store from every other one; of its copies and replicas it is the same. */
  identity(): Promise<string>
  /**
   * By identity of each of its databases, which line of commits it has: another one since a replica took the server's place,
   * or a backup was given back by the server's own log. Always the same for SQLite; rejects on a replica.
   */
  timelines(): Promise<ReadonlyMap<string, string>>
  /** The two ends of a sync with a team's store; this one may be either. */
  readonly sync: { readonly source: SyncSource; readonly target: SyncTarget }
  /** Removes what a policy, or a person, asks for. */
  readonly erasure: Erasure
}
