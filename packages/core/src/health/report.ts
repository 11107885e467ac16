/**
 * How a store fares, as one score from 0 to 100 with its parts. What was measured long ago counts less: half after an hour
 * (an exponentially weighted moving average over quarters of an hour).
 */
import type { CacheUse, HealthSample, LatencyCounts } from '../ports/health-storage.ts'
import { addUse } from './cache-use.ts'
import { addLatencies, latencyCount, latencyQuantile } from './latency-histogram.ts'
import { startOfQuarter } from './sample.ts'

type HealthPartName = 'writes' | 'failures' | 'caches' | 'heap'

export interface HealthPart {
  readonly name: HealthPartName
  /** 0 to 1. */
  readonly score: number
  /** Its share of the whole score; those of all parts add up to 1. */
  readonly weight: number
  /** What was measured: ms that 95 % of writes stay within, the share of writes that failed, of what was needed again and in memory, of the heap that is used. */
  readonly value: number
}

export interface HealthTrendPoint {
  /** ms */
  readonly at: number
  /** Writes of both kinds, and those that failed. */
  readonly writes: number
  readonly failures: number
  /** Of acknowledged writes, ms; null without any. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /** Of what was needed again: the share that was in memory. Null where nothing was. */
  readonly hitRate: number | null
  readonly heapBytes: number
  readonly cacheBytes: number
}

interface CacheReport extends CacheUse {
  readonly name: string
}

export interface HealthReport {
  /** 0 to 100; null when nothing was measured. */
  readonly score: number | null
  /** Those of which something was measured. */
  readonly parts: readonly HealthPart[]
  /** Acknowledged writes and import batches, as weighted: ms that half of them, and 95 %, stay within. */
  readonly writeMs: { readonly p50: number; readonly p95: number } | null
  readonly batchMs: { readonly p50: number; readonly p95: number } | null
  /** By the error's code, in all of the time. */
  readonly failures: Readonly<Record<string, number>>
  /** In all of the time. */
  readonly caches: readonly CacheReport[]
  readonly budgetBytes: number
  /** A quarter of an hour each in which something was measured, oldest first. */
  readonly trend: readonly HealthTrendPoint[]
}

const HALF_LIFE_QUARTERS = 4
const WEIGHTS: Readonly<Record<HealthPartName, number>> = { writes: 0.3, failures: 0.3, caches: 0.3, heap: 0.1 }
/** Up to here (ms, 95 % of writes) an agent notices nothing; from there on each message waits. */
const GOOD_WRITE_MS = 50
const BAD_WRITE_MS = 1_000
/** A twentieth of all writes. */
const BAD_FAILURE_SHARE = 0.05
/** Shares of the heap's limit: from the second on the process is near its end. */
const GOOD_HEAP_SHARE = 0.7
const BAD_HEAP_SHARE = 0.95

/** Where a value lies between bad (0) and good (1), never beyond; good may be the smaller one. */
const between = (value: number, bad: number, good: number): number =>
  Math.min(1, Math.max(0, (value - bad) / (good - bad)))

const total = (counts: Readonly<Record<string, number>>): number => latencyCount(counts)
/** Hits and repeated misses of all caches of a sample. */
const usesOf = ({ caches }: HealthSample) => {
  const uses = Object.values(caches)
  return {
    hits: uses.reduce((sum, { hits }) => sum + hits, 0),
    repeats: uses.reduce((sum, { repeats }) => sum + repeats, 0),
  }
}

/** Sums over samples in which each counts by its age. */
interface Weighted {
  readonly writes: LatencyCounts
  readonly batches: LatencyCounts
  readonly failures: number
  readonly hits: number
  readonly lookups: number
  readonly heapShare: number
  readonly weight: number
}

const NOTHING: Weighted = { writes: {}, batches: {}, failures: 0, hits: 0, lookups: 0, heapShare: 0, weight: 0 }

/**
 * The samples added up, each half as heavy for every half-life that it is older than the newest. Half-lives are
 * `HALF_LIFE_QUARTERS` long. Sizes are left out.
 */
const weigh = (samples: readonly HealthSample[], newest: number): Weighted =>
  samples.reduce((sum, sample) => {
    const weight = 2 ** ((sample.bucket - newest) / HALF_LIFE_QUARTERS)
    const { hits, repeats } = usesOf(sample)
    return {
      writes: addLatencies(sum.writes, sample.writes, weight),
      batches: addLatencies(sum.batches, sample.batches, weight),
      failures: sum.failures + weight * total(sample.failures),
      hits: sum.hits + weight * hits,
      lookups: sum.lookups + weight * (hits + repeats),
      heapShare: sum.heapShare + weight * sample.heapShare,
      weight: sum.weight + weight,
    }
  }, NOTHING)

/**
 * The parts that were measured, each with a score of 0 to 1 (1 is good): `writes` by the ms that 95 % stay within,
 * `failures` by their share of all writes, `caches` by the share of what was needed again and found, `heap` by the used
 * share. Those of which nothing is known are left out, and the weights of the others add up to 1.
 */
const partsOf = ({ writes, batches, failures, hits, lookups, heapShare, weight }: Weighted): readonly HealthPart[] => {
  const measured: { readonly name: HealthPartName; readonly score: number; readonly value: number }[] = []
  const p95 = latencyQuantile(writes, 0.95)
  // By its logarithm: twice as slow is as much worse at 60 ms as at 600.
  if (p95 !== undefined)
    measured.push({
      name: 'writes',
      value: p95,
      score: between(Math.log(p95), Math.log(BAD_WRITE_MS), Math.log(GOOD_WRITE_MS)),
    })
  const tried = total(writes) + total(batches) + failures
  if (tried > 0) {
    const value = failures / tried
    measured.push({ name: 'failures', value, score: between(value, BAD_FAILURE_SHARE, 0) })
  }
  if (lookups > 0) measured.push({ name: 'caches', value: hits / lookups, score: hits / lookups })
  if (weight > 0 && heapShare > 0) {
    const value = heapShare / weight
    measured.push({ name: 'heap', value, score: between(value, BAD_HEAP_SHARE, GOOD_HEAP_SHARE) })
  }
  const whole = measured.reduce((sum, { name }) => sum + WEIGHTS[name], 0)
  return measured.map((part) => ({ ...part, weight: WEIGHTS[part.name] / whole }))
}

/** Median and 95th percentile, ms; null where nothing was counted. */
const quantilesOf = (counts: LatencyCounts): HealthReport['writeMs'] => {
  const [p50, p95] = [latencyQuantile(counts, 0.5), latencyQuantile(counts, 0.95)]
  return p50 === undefined || p95 === undefined ? null : { p50, p95 }
}

/**
 * A sample as a point of the trend; null for what was not measured in it. Its latencies are those of acknowledged
 * writes, in ms.
 */
const pointOf = (sample: HealthSample): HealthTrendPoint => {
  const { hits, repeats } = usesOf(sample)
  return {
    at: startOfQuarter(sample.bucket),
    writes: total(sample.writes) + total(sample.batches),
    failures: total(sample.failures),
    p50Ms: latencyQuantile(sample.writes, 0.5) ?? null,
    p95Ms: latencyQuantile(sample.writes, 0.95) ?? null,
    hitRate: hits + repeats === 0 ? null : hits / (hits + repeats),
    heapBytes: sample.heapBytes,
    cacheBytes: sample.cacheBytes,
  }
}

/** The use of each cache in all samples as one (bytes: the most), in the order of first occurrence. */
const cachesOf = (samples: readonly HealthSample[]): readonly CacheReport[] => {
  const byName = new Map<string, CacheUse>()
  for (const { caches } of samples)
    for (const [name, use] of Object.entries(caches)) byName.set(name, addUse(byName.get(name), use))
  return [...byName].map(([name, use]) => ({ name, ...use }))
}

/**
 * The report of a period; newer samples weigh more in its score (0 to 100, null where nothing was measured), parts and
 * latencies (ms), while `failures`, `caches` and `trend` count all alike; `budgetBytes` is the largest.
 * @param samples in order of their quarters, each once; `newest`: the quarter of now
 */
export const healthReport = (samples: readonly HealthSample[], newest: number): HealthReport => {
  const weighted = weigh(samples, newest)
  const parts = partsOf(weighted)
  const failures: Record<string, number> = {}
  for (const sample of samples)
    for (const [code, count] of Object.entries(sample.failures)) failures[code] = (failures[code] ?? 0) + count
  return {
    score: parts.length === 0 ? null : Math.round(100 * parts.reduce((sum, part) => sum + part.weight * part.score, 0)),
    parts,
    writeMs: quantilesOf(weighted.writes),
    batchMs: quantilesOf(weighted.batches),
    failures,
    caches: cachesOf(samples),
    budgetBytes: samples.reduce((most, { budgetBytes }) => Math.max(most, budgetBytes), 0),
    trend: samples.map(pointOf),
  }
}
