/** Contract of HealthStorage: samples of one quarter are added up, those of a week ago are gone. */
import { KEPT_QUARTERS, emptySample } from '../../health/sample.ts'
import type { HealthSample } from '../../ports/health-storage.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const NOW = 1_980_000
const sample = (bucket: number, more: Partial<HealthSample> = {}): HealthSample => ({ ...emptySample(bucket), ...more })
/** The use of a cache in a quarter of an hour; other counts are the same each time. */
const use = (hits: number, misses: number, bytes = 7) => ({
  hits,
  misses,
  repeats: 1,
  shared: 3,
  promotions: 2,
  evictions: 1,
  refusals: 0,
  bytes,
})

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runHealthStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('HealthStorage', () => {
    it('adds up what was measured in the same quarter, and gives quarters in order', async (store) => {
      await store.health.add(sample(NOW, { batches: { '9': 2 }, caches: { pages: use(1, 0) }, heapShare: 0.5 }))
      await store.health.add(sample(NOW - 3, { failures: { 'storage-busy': 1 } }))
      await store.health.add(
        sample(NOW, {
          batches: { '9': 1, '70': 4 },
          caches: { pages: use(2, 5, 4), packs: use(0, 1) },
          heapShare: 0.2,
        }),
      )
      const samples = (await store.health.since(NOW - 3)).filter(({ bucket }) => bucket <= NOW)
      expect(samples.map(({ bucket }) => bucket)).toEqual([NOW - 3, NOW])
      expect(samples[0]?.failures).toEqual({ 'storage-busy': 1 })
      expect(samples[1]).toMatchObject({ batches: { '9': 3, '70': 4 }, heapShare: 0.5 })
      expect(samples[1]?.caches).toMatchObject({
        packs: use(0, 1),
        pages: { hits: 3, misses: 5, repeats: 2, shared: 6, promotions: 4, evictions: 2, refusals: 0, bytes: 7 },
      })
      expect((await store.health.since(NOW - 2)).map(({ bucket }) => bucket).includes(NOW - 3)).toBe(false)
    })

    it('loses nothing of what many add at once', async (store) => {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.health.add(sample(NOW, { batches: { [index % 3]: 1 } }))),
      )
      const [first] = await store.health.since(NOW)
      expect(first?.batches).toEqual({ '0': 7, '1': 7, '2': 6 })
    })

    it('keeps a week', async (store) => {
      for (const bucket of [NOW - KEPT_QUARTERS - 1, NOW - KEPT_QUARTERS, NOW - KEPT_QUARTERS + 1, NOW])
        await store.health.add(sample(bucket, { cacheBytes: 5 }))
      const kept = (await store.health.since(0)).filter(({ bucket }) => bucket <= NOW)
      expect(kept.map(({ bucket }) => bucket)).toEqual([NOW - KEPT_QUARTERS + 1, NOW])
    })
  })
}
