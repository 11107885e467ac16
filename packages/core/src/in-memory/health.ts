/** Health of the in-memory store: only what is put into it, as nothing of it can be slow. */
import { KEPT_QUARTERS, addSamples } from '../health/sample.ts'
import type { HealthStorage } from '../ports/health-storage.ts'
import type { StoreData } from './data.ts'

/**
 * Health samples over the in-memory store's data: samples of the same quarter of an hour are added up, and those that
 * are older than is kept go. There are no tables to measure. Quarters are in order.
 */
export const createInMemoryHealth = (data: StoreData): HealthStorage => ({
  add: async (sample) => {
    const known = data.health.get(sample.bucket)
    data.health.set(sample.bucket, known === undefined ? sample : addSamples(known, sample))
    for (const bucket of data.health.keys()) if (bucket <= sample.bucket - KEPT_QUARTERS) data.health.delete(bucket)
  },
  since: async (bucket) =>
    [...data.health.values()]
      .filter((sample) => sample.bucket >= bucket)
      .sort((left, right) => left.bucket - right.bucket),
  tableSizes: async () => [],
  replicaLag: async () => null,
})
