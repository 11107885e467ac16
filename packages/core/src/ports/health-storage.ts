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
}
