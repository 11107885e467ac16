/** Collects what a program measures until it is stored: some counters, whatever is measured. */
import type { BudgetFigures } from '../caching/memory-budget.ts'
import type { CacheUse, HealthSample } from '../ports/health-storage.ts'
import { useOfFigures, useSince } from './cache-use.ts'
import { latencyBucket } from './latency-histogram.ts'
import { emptySample, quarterOf } from './sample.ts'

export interface HeapFigures {
  readonly usedBytes: number
  readonly limitBytes: number
}

export interface HealthRecorder {
  /** A write that succeeded after so long; `isSynced`: it was on disk then. */
  wrote(ms: number, isSynced: boolean): void
  /** A write that failed, with the error's code. */
  failed(code: string): void
  /** Whether there was a write or a failure since the last {@link take}. */
  readonly hasWritten: boolean
  /** What was measured since the last call, for the quarter that `now` (ms) lies in. */
  take(now: number): HealthSample
  /** The same without forgetting it. */
  peek(now: number): HealthSample
}

/**
 * Counts in memory what a program wrote. `take` gives the sample since the last `take` and starts again, `peek` changes
 * nothing; of both the quarter is that of `now` (ms). @param caches figures of the budget, from the program's start on;
 * `heap`: as it is now
 */
export const createHealthRecorder = (caches: () => BudgetFigures, heap: () => HeapFigures): HealthRecorder => {
  let writes: Record<string, number> = {}
  let batches: Record<string, number> = {}
  let failures: Record<string, number> = {}
  let taken = usesOf(caches())
  /**
   * What was counted since the last `take`, with the caches' use since then and the memory as it is now; the quarter is
   * that of `now` (ms). Resets nothing.
   */
  const sampleAt = (now: number, figures: BudgetFigures): HealthSample => {
    const { usedBytes, limitBytes } = heap()
    return {
      ...emptySample(quarterOf(now)),
      writes,
      batches,
      failures,
      caches: difference(taken, usesOf(figures)),
      cacheBytes: figures.usedBytes,
      budgetBytes: figures.totalBytes,
      heapShare: limitBytes > 0 ? usedBytes / limitBytes : 0,
      heapBytes: usedBytes,
    }
  }
  return {
    wrote: (ms, isSynced) => {
      const counts = isSynced ? writes : batches
      const bucket = latencyBucket(ms)
      counts[bucket] = (counts[bucket] ?? 0) + 1
    },
    failed: (code) => {
      failures[code] = (failures[code] ?? 0) + 1
    },
    get hasWritten() {
      return [writes, batches, failures].some((counts) => Object.keys(counts).length > 0)
    },
    take: (now) => {
      const figures = caches()
      const sample = sampleAt(now, figures)
      taken = usesOf(figures)
      writes = {}
      batches = {}
      failures = {}
      return sample
    },
    peek: (now) => sampleAt(now, caches()),
  }
}

type Uses = Readonly<Record<string, CacheUse>>

/** How each cache was used so far, by its name. */
const usesOf = ({ caches }: BudgetFigures): Uses =>
  Object.fromEntries(caches.map((figures) => [figures.name, useOfFigures(figures)]))

/** What each cache was used between two moments; caches that are new count from 0. */
const difference = (before: Uses, after: Uses): Uses =>
  Object.fromEntries(Object.entries(after).map(([name, use]) => [name, useSince(before[name], use)]))
