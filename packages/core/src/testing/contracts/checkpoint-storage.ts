/** The contract that every CheckpointStorage keeps. */
import type { CheckpointRecord } from '../../ports/checkpoint-storage.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const record = (id: string, more: Partial<CheckpointRecord> = {}): CheckpointRecord => ({
  id,
  workspace: '/work/shop',
  sessionId: null,
  at: 100,
  commit: 'c0ffee',
  files: 3,
  bytes: 4096,
  ...more,
})

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runCheckpointStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('CheckpointStorage', () => {
    it('returns every field', async (store) => {
      const full = record('c1', { sessionId: 'cairn:s', at: Date.UTC(2026, 1, 2), bytes: 5_000_000_000 })
      await store.checkpoints.add(full)
      expect(await store.checkpoints.get('c1')).toEqual(full)
      expect(await store.checkpoints.get('none')).toBe(undefined)
    })

    it('lists a workspace, newest first', async (store) => {
      for (const item of [
        record('a', { at: 200 }),
        record('b', { at: 300 }),
        record('c', { at: 100 }),
        record('d', { workspace: '/work/other' }),
      ])
        await store.checkpoints.add(item)
      expect((await store.checkpoints.list('/work/shop')).map((item) => item.id)).toEqual(['b', 'a', 'c'])
      expect((await store.checkpoints.list('/work/other')).map((item) => item.id)).toEqual(['d'])
      expect(await store.checkpoints.list('/work')).toEqual([])
    })

    it('deletes, and reports whether there was something', async (store) => {
      await store.checkpoints.add(record('a'))
      expect([await store.checkpoints.delete('a'), await store.checkpoints.delete('a')]).toEqual([true, false])
      expect(await store.checkpoints.list('/work/shop')).toEqual([])
    })

    it('accepts many concurrent writers', async (store) => {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.checkpoints.add(record(`c${index}`, { at: index }))),
      )
      expect((await store.checkpoints.list('/work/shop')).length).toBe(20)
    })
  })
}
