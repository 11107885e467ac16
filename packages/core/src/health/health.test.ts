import { describe, expect, it } from '@jest/globals'
import { MemoryBudget } from '../caching/memory-budget.ts'
import { SizedCache } from '../caching/sized-cache.ts'
import type { HealthSample } from '../ports/health-storage.ts'
import { addLatencies, latencyBucket, latencyCount, latencyQuantile } from './latency-histogram.ts'
import { createHealthRecorder } from './recorder.ts'
import { healthReport } from './report.ts'
import { addSamples, emptySample, parseSample, quarterOf, sampleText } from './sample.ts'

const MEGABYTE = 1024 * 1024
const latencies = (...values: number[]) =>
  values.reduce((counts, ms) => addLatencies(counts, { [latencyBucket(ms)]: 1 }), {})
/** All misses are of what was held before. */
const use = (hits: number, misses: number) => ({
  hits,
  misses,
  repeats: misses,
  shared: 0,
  promotions: 0,
  evictions: 0,
  refusals: 0,
  bytes: 0,
})
const sample = (bucket: number, more: Partial<HealthSample> = {}): HealthSample => ({ ...emptySample(bucket), ...more })

describe('a latency histogram', () => {
  it('gives quantiles to within a tenth, from microseconds to hours', () => {
    for (const scale of [0.03, 1, 47, 1_800_000]) {
      const counts = latencies(...Array.from({ length: 100 }, (_, index) => scale * (index + 1)))
      expect(latencyCount(counts)).toBe(100)
      for (const quantile of [0.5, 0.95, 1]) {
        const exact = scale * 100 * quantile
        expect(Math.abs((latencyQuantile(counts, quantile) ?? 0) / exact - 1)).toBeLessThan(0.1)
      }
    }
  })

  it('has none without a latency, and takes what is no time for the shortest', () => {
    expect(latencyQuantile({}, 0.5)).toBe(undefined)
    expect([0, -5, Number.NaN].map(latencyBucket)).toEqual([0, 0, 0])
    expect(latencyBucket(Infinity)).toBe(latencyBucket(1e30))
  })
})

describe('samples', () => {
  it('are added up as if one program had measured both', () => {
    const first = sample(7, {
      writes: latencies(1, 1, 30),
      caches: { packs: use(3, 1) },
      heapBytes: 5,
      failures: { busy: 1 },
    })
    const second = sample(7, {
      writes: latencies(1, 900),
      caches: { packs: use(1, 1), pages: use(0, 2) },
      heapBytes: 9,
      failures: { busy: 2, full: 1 },
    })
    const both = addSamples(first, second)
    expect(both).toMatchObject({
      writes: latencies(1, 1, 1, 30, 900),
      caches: { packs: use(4, 2), pages: use(0, 2) },
      heapBytes: 9,
      failures: { busy: 3, full: 1 },
    })
    expect(addSamples(second, first)).toEqual({ ...both, caches: { ...both.caches } })
  })

  it('are stored as text and read again; damaged ones count as nothing', () => {
    const stored = sample(7, {
      batches: latencies(4),
      caches: { packs: use(3, 1) },
      heapShare: 0.25,
      heapBytes: 4,
      cacheBytes: 3,
      budgetBytes: 8,
    })
    expect(parseSample(7, sampleText(stored))).toEqual(stored)
    for (const text of ['', '{', '[1]', '{"writes":7,"caches":[2],"heapShare":"much"}', '{"failures":{"a":-3}}'])
      expect(healthReport([parseSample(7, text)], 7).score).toBe(null)
  })
})

describe('a recorder', () => {
  it('gives what was measured since it was last asked, the caches by differences', () => {
    const budget = new MemoryBudget(100)
    const cache = new SizedCache<string, string>({
      name: 'packs',
      budget,
      mostBytes: 50,
      onceBytes: 20,
      sizeOf: ({ length }) => length,
    })
    cache.get('before')
    const recorder = createHealthRecorder(
      () => budget.figures,
      () => ({ usedBytes: 30, limitBytes: 120 }),
    )
    expect(recorder.hasWritten).toBe(false)
    cache.set('a', 'aaa')
    cache.get('a')
    recorder.wrote(5, true)
    recorder.wrote(700, false)
    recorder.failed('storage-busy')
    expect(recorder.hasWritten).toBe(true)
    const now = Date.UTC(2026, 1, 2, 9, 20)
    const taken = recorder.take(now)
    expect(taken).toEqual({
      bucket: quarterOf(Date.UTC(2026, 1, 2, 9, 15)),
      writes: latencies(5),
      batches: latencies(700),
      failures: { 'storage-busy': 1 },
      caches: { packs: { ...use(1, 0), promotions: 1, bytes: 3 } },
      cacheBytes: 3,
      budgetBytes: 100,
      heapShare: 0.25,
      heapBytes: 30,
    })
    cache.get('gone')
    expect(recorder.peek(now)).toMatchObject({
      writes: {},
      failures: {},
      caches: { packs: { ...use(0, 1), repeats: 0, bytes: 3 } },
    })
    expect(recorder.hasWritten).toBe(false)
  })
})

describe('the score', () => {
  it('is 100 for fast writes without a failure and caches that always hit, and says what it is made of', () => {
    const report = healthReport(
      [
        sample(8, {
          writes: latencies(3, 4, 20),
          caches: { packs: use(9, 0) },
          heapShare: 0.2,
          heapBytes: 40 * MEGABYTE,
        }),
      ],
      8,
    )
    expect(report.score).toBe(100)
    expect(report.parts.map(({ name, weight }) => [name, Math.round(weight * 100)])).toEqual([
      ['writes', 30],
      ['failures', 30],
      ['caches', 30],
      ['heap', 10],
    ])
    expect(report.writeMs?.p50).toBeCloseTo(4, 0)
  })

  it('falls with slow writes, with failures, with misses and with a full heap, each by its weight', () => {
    const good = { writes: latencies(10), caches: { packs: use(4, 0) }, heapShare: 0.5 }
    const scoreOf = (more: Partial<HealthSample>) => healthReport([sample(8, { ...good, ...more })], 8).score
    expect(scoreOf({ writes: latencies(1_200) })).toBe(70)
    // Half way between 50 ms and a second, by the logarithm.
    expect(scoreOf({ writes: latencies(224) })).toBeGreaterThan(82)
    expect(scoreOf({ writes: latencies(224) })).toBeLessThan(88)
    expect(scoreOf({ failures: { busy: 1 } })).toBe(70)
    expect(scoreOf({ caches: { packs: use(1, 3) } })).toBe(78)
    expect(scoreOf({ heapShare: 0.96 })).toBe(90)
  })

  it('is null where nothing was measured, and of what was measured where that is only a part', () => {
    expect(healthReport([], 8)).toMatchObject({ score: null, parts: [], writeMs: null, trend: [] })
    const onlyFirstReads = { packs: { ...use(0, 50), repeats: 0 } }
    expect(healthReport([sample(8, { caches: onlyFirstReads })], 8).score).toBe(null)
    expect(healthReport([sample(8, { caches: { packs: use(3, 1) } })], 8)).toMatchObject({
      score: 75,
      parts: [{ name: 'caches', weight: 1, value: 0.75 }],
    })
  })

  it('counts an hour for a half', () => {
    const at = (bucket: number, hits: number, misses: number) =>
      sample(bucket, { caches: { packs: use(hits, misses) } })
    expect(healthReport([at(4, 0, 10), at(8, 10, 0)], 8).score).toBe(67)
    expect(healthReport([at(8, 0, 10), at(12, 10, 0)], 12).score).toBe(67)
    expect(healthReport([at(4, 10, 10), at(8, 10, 10)], 8).caches).toEqual([{ name: 'packs', ...use(20, 20) }])
  })
})
