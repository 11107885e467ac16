/**
 * Latencies counted in buckets, each 19 % wider than the one before: quantiles are right to within 10 %, sums of several
 * programs are exact, and an hour takes as little space as a second.
 */
import type { LatencyCounts } from '../ports/health-storage.ts'

const BUCKETS_PER_DOUBLING = 4
/** Upper end of the first bucket, ms. */
const LEAST_MS = 0.01
/** Upper end of the last one: more than three days. */
const LAST_BUCKET = 140

/**
 * The bucket of a latency (ms): 0 for what is no longer than `LEAST_MS` and for NaN, `LAST_BUCKET` for all that is too
 * long for another.
 */
export const latencyBucket = (ms: number): number => {
  if (!(ms > LEAST_MS)) return 0
  return Math.min(LAST_BUCKET, Math.ceil(BUCKETS_PER_DOUBLING * Math.log2(ms / LEAST_MS)))
}

/** The middle of a bucket, ms. */
const middleOf = (bucket: number): number => LEAST_MS * 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING)

/** How many latencies were counted; 0 for none. */
export const latencyCount = (counts: LatencyCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/**
 * The latency (ms, the middle of its bucket) that the share `quantile` (0 to 1) of them did not exceed; undefined when
 * there are none.
 */
export const latencyQuantile = (counts: LatencyCounts, quantile: number): number | undefined => {
  const inOrder = Object.entries(counts)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .filter(([, count]) => count > 0)
    .sort(([left], [right]) => left - right)
  const wanted = latencyCount(counts) * quantile
  let seen = 0
  for (const [bucket, count] of inOrder) {
    seen += count
    if (seen >= wanted) return middleOf(bucket)
  }
  return undefined
}

/** The counts of both as a new object, those of the second times `weight` (a fraction may come out). */
export const addLatencies = (first: LatencyCounts, second: LatencyCounts, weight = 1): LatencyCounts => {
  const sum: Record<string, number> = { ...first }
  for (const [bucket, count] of Object.entries(second)) sum[bucket] = (sum[bucket] ?? 0) + count * weight
  return sum
}
