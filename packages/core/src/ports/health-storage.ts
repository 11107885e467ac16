/** Recent measurements of a store by all programs, per quarter of an hour. */

/** Number of hits per bucket of a latency histogram; see `health/latency-histogram`. Keys are bucket numbers. */
export type LatencyCounts = Readonly<Record<string, number>>

/** Use of a cache during an interval; see `CacheFigures`. */
export interface CacheUse {
  readonly hits: number
  readonly misses: number
  /** Misses for entries that had been cached and were evicted. */
  readonly repeats: number
  /** Requests made while the entry was being loaded for another caller. */
  readonly shared: number
  /** Entries that were used again and are therefore kept longer. */
  readonly promotions: number
  /** Entries that were evicted: demoted to the copy on disk. */
  readonly evictions: number
  /** Entries that were not kept at all, being too large. */
  readonly refusals: number
  /** The largest size in a program at the end of a measured interval. */
  readonly bytes: number
}

export interface HealthSample {
  /** Quarters of an hour since the epoch. */
  readonly bucket: number
  /** Durations, including waiting, of writes that were on disk when acknowledged. */
  readonly writes: LatencyCounts
  /** Writes that need not be on disk immediately, such as batches of an import. */
  readonly batches: LatencyCounts
  /** Failed writes, by error code. */
  readonly failures: Readonly<Record<string, number>>
  readonly caches: Readonly<Record<string, CacheUse>>
  /** The largest size seen, bytes. */
  readonly cacheBytes: number
  readonly budgetBytes: number
  /** For JavaScript's heap: the largest used share of its limit, from 0 to 1, and those bytes. */
  readonly heapShare: number
  readonly heapBytes: number
}

export interface TableSize {
  readonly name: string
  readonly bytes: number
}

/** How far a replica is behind the server that it follows, where the store is opened from one. */
export interface ReplicaLag {
  /**
   * Seconds since the last commit that it has applied was made; 0 while it has applied all that it received and is
   * connected to its server. Null where it has applied none since it started.
   */
  readonly seconds: number | null
  /** Bytes of the server's log that it received and has not applied; null where it received none since it started. */
  readonly bytes: number | null
  /** Whether somebody has told it to apply nothing for the time being. */
  readonly isPaused: boolean
  /** Whether it is connected to the server that it follows; where it is not, nobody knows what it lacks. */
  readonly isConnected: boolean
}

export interface HealthStorage {
  /** Adds measurements to those of other programs in the same quarter; removes data older than a week. */
  add(sample: HealthSample): Promise<void>
  /** Samples from this quarter on, in order, including those that this program has not stored yet. */
  since(bucket: number): Promise<readonly HealthSample[]>
  /**
   * The size of each table on disk with its indexes, largest first; reads all of a SQLite file. Empty for an in-memory
   * store.
   */
  tableSizes(): Promise<readonly TableSize[]>
  /** How far the store's database is behind the one that it copies; null where it is no replica. */
  replicaLag(): Promise<ReplicaLag | null>
}
