/** Samples of a store's health: added up, and read from what was stored. */
import { isJsonObject, objectOf, parseJson } from '../json.ts'
import type { JsonValue } from '../json.ts'
import type { CacheUse, HealthSample, LatencyCounts } from '../ports/health-storage.ts'
import { addUse, parseUse } from './cache-use.ts'
import { addLatencies } from './latency-histogram.ts'

const QUARTER_MS = 900_000

/** How many quarters are kept: a week. */
export const KEPT_QUARTERS = 672

/** The quarter of an hour that a time (ms) lies in, counted from the epoch (UTC). */
export const quarterOf = (at: number): number => Math.floor(at / QUARTER_MS)

/** When a quarter begins, in ms since the epoch. */
export const startOfQuarter = (bucket: number): number => bucket * QUARTER_MS

/** The sample of a quarter in which nothing was measured. */
export const emptySample = (bucket: number): HealthSample => ({
  bucket,
  writes: {},
  batches: {},
  failures: {},
  caches: {},
  cacheBytes: 0,
  budgetBytes: 0,
  heapShare: 0,
  heapBytes: 0,
})

/** Both samples of one quarter as one, with the first one's `bucket`: counts are added, sizes are the larger ones. */
export const addSamples = (first: HealthSample, second: HealthSample): HealthSample => {
  const caches: Record<string, CacheUse> = { ...first.caches }
  for (const [name, use] of Object.entries(second.caches)) caches[name] = addUse(caches[name], use)
  return {
    bucket: first.bucket,
    writes: addLatencies(first.writes, second.writes),
    batches: addLatencies(first.batches, second.batches),
    failures: addLatencies(first.failures, second.failures),
    caches,
    cacheBytes: Math.max(first.cacheBytes, second.cacheBytes),
    budgetBytes: Math.max(first.budgetBytes, second.budgetBytes),
    heapShare: Math.max(first.heapShare, second.heapShare),
    heapBytes: Math.max(first.heapBytes, second.heapBytes),
  }
}

/** A number from 0; 0 for anything else. */
const numberOf = (value: JsonValue | undefined): number => (typeof value === 'number' && value >= 0 ? value : 0)

/** Counts by bucket; 0 for what is no count, none for what is no object. */
const countsOf = (value: JsonValue | undefined): LatencyCounts =>
  Object.fromEntries(Object.entries(objectOf(value)).map(([name, count]) => [name, numberOf(count)]))

/**
 * A stored sample; what is missing or of another form counts as nothing measured: samples are no data of the user's.
 * Never throws.
 */
export const parseSample = (bucket: number, text: string): HealthSample => {
  const value = parseJson(text)?.value
  if (!isJsonObject(value)) return emptySample(bucket)
  return {
    bucket,
    writes: countsOf(value['writes']),
    batches: countsOf(value['batches']),
    failures: countsOf(value['failures']),
    caches: Object.fromEntries(
      Object.entries(objectOf(value['caches'])).map(([name, use]) => [name, parseUse(objectOf(use))]),
    ),
    cacheBytes: numberOf(value['cacheBytes']),
    budgetBytes: numberOf(value['budgetBytes']),
    heapShare: numberOf(value['heapShare']),
    heapBytes: numberOf(value['heapBytes']),
  }
}

/** The text that {@link parseSample} reads; the bucket is not in it. */
export const sampleText = ({ bucket: _, ...measured }: HealthSample): string => JSON.stringify(measured)
