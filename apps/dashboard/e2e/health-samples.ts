/** What programs measured of a store in the last day: busy and idle quarters, failures, caches; and a clean-up. */
import { quarterOf } from '@cairn/core'
import type { HealthSample, Store } from '@cairn/core'
import { random } from './synthetic-usage.ts'

/**
 * Adds samples, and the report of a clean-up.
 * @param now ms
 */
export const addHealth = async (store: Store, now: number): Promise<void> => {
  const next = random(17)
  const last = quarterOf(now)
  for (let age = 90; age > 0; age -= 1) {
    // Nobody works at night.
    if (age % 96 > 40 && age % 96 < 70) continue
    const writes = Math.floor(next() * 900)
    const use = (most: number) => ({
      hits: Math.floor(next() * most),
      misses: Math.floor(next() * most * 0.1),
      repeats: Math.floor(next() * most * 0.02),
      shared: Math.floor(next() * most * 0.01),
      promotions: Math.floor(next() * most * 0.07),
      evictions: Math.floor(next() * most * 0.05),
      refusals: Math.floor(next() * 3),
      bytes: Math.floor(next() * most * 3_000),
    })
    const sample: HealthSample = {
      bucket: last - age,
      writes: { 42: writes, 58: Math.floor(writes / 9), 71: Math.floor(writes / 60) },
      batches: {},
      failures: age % 17 === 0 ? { 'storage-busy': 1 + Math.floor(next() * 4), 'storage-full': 1 } : {},
      caches: { packs: use(40_000), 'search pages': use(2_000), 'search segments': use(90), 'search views': use(7) },
      cacheBytes: Math.floor(next() * 2e8),
      budgetBytes: 268_435_456,
      heapShare: next() * 0.6,
      heapBytes: Math.floor(next() * 9e8),
    }
    await store.health.add(sample)
  }
  const rows = [
    { kind: 'name', found: 12, removed: 12, bytes: 4_096, reason: 'nothing names it', source: 'store' },
    {
      kind: 'temporary-file',
      found: 3,
      removed: 3,
      bytes: 1_048_576,
      reason: 'its process is gone',
      source: 'backups',
    },
  ]
  await store.cleanUp.record({
    at: now - 7_200_000,
    report: JSON.stringify({ at: now - 7_200_000, dryRun: false, ms: 41, rows, problems: [] }),
  })
}
