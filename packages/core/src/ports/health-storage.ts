/** What all programs measured of a store lately, in quarters of an hour. */

/** How often each bucket of a latency histogram was met; see `health/latency-histogram`. Keys are bucket numbers. */
export type LatencyCounts = Readonly<Record<string, number>>

/** What a cache was asked in a time; see `CacheFigures`. */
export interface CacheUse {
  readonly hits: number
  readonly misses: number
  /** Misses of what was held before and had to go. */
  readonly repeats: number
  /** Asked for while it was loaded for somebody else. */
  readonly shared: number
  /** Entries that were used again, and are held longer for it. */
  readonly promotions: number
  /** Entries that made way: demoted to what the store has on disk. */
  readonly evictions: number
  readonly refusals: number
  /** The most that a program held at the end of a time that was measured. */
  readonly bytes: number
}

export interface HealthSample {
  /** Quarters of an hour since the epoch. */
  readonly bucket: number
  /** Writes that were on disk when they were acknowledged: how long they took, with waiting. */
  readonly writes: LatencyCounts
  /** Writes that need not be on disk at once, such as batches of an import. */
  readonly batches: LatencyCounts
  /** Writes that failed, by the error's code. */
  readonly failures: Readonly<Record<string, number>>
  readonly caches: Readonly<Record<string, CacheUse>>
  /** The most that was seen, bytes. */
  readonly cacheBytes: number
  readonly budgetBytes: number
  /** Of JavaScript's heap: the largest share of its limit that was in use, from 0 to 1, and those bytes. */
  readonly heapShare: number
  readonly heapBytes: number
}

export interface TableSize {
  readonly name: string
  readonly bytes: number
}

export interface HealthStorage {
  /** Adds what was measured to what others measured in the same quarter; removes what is a week old. */
  add(sample: HealthSample): Promise<void>
  /** Samples from this quarter on, in order; with what this program has not stored yet. */
  since(bucket: number): Promise<readonly HealthSample[]>
  /** What each table takes on disk with its indexes, the largest first; reads all of a SQLite file. Empty for a store in memory. */
  tableSizes(): Promise<readonly TableSize[]>
}
