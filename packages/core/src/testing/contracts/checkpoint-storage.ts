/** The contract that every CheckpointStorage keeps. */
import type { CheckpointRecord } from '../../ports/checkpoint-storage.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

/** A checkpoint with something in every field that a test does not set. */
const record = (id: string, more: Partial<CheckpointRecord> = {}): CheckpointRecord => ({
  id,
  workspace: '/work/shop',
  sessionId: null,
  at: 100,
  commit: 'c0ffee',
  files: 3,
  bytes: 4096,
  kind: 'manual',
  label: null,
  leftOut: null,
  ...more,
})

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runCheckpointStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('CheckpointStorage', () => {
    it('returns every field', async (store) => {
      const full = record('c1', {
        sessionId: 'cairn:s',
        at: Date.UTC(2026, 1, 2),
        bytes: 5_000_000_000,
        kind: 'agent',
        label: 'vor dem Umbau: "größer" \u2192 \u{1f9f1}',
        leftOut: {
          count: 3,
          named: [
            { path: '.env', isFolder: false, reason: 'secret' },
            { path: 'a\tb/big.bin', isFolder: false, reason: 'too-large', size: 12_000_000 },
            { path: 'node_modules', isFolder: true, reason: 'ignored' },
          ],
        },
      })
      await store.checkpoints.add(full)
      expect(await store.checkpoints.get('c1')).toEqual(full)
      expect(await store.checkpoints.get('none')).toBe(undefined)
      for (const [id, more] of [
        ['c2', { kind: null, label: null, leftOut: null }],
        ['c3', { kind: 'before-restore', label: '', leftOut: { count: 0, named: [] } }],
      ] as const) {
        await store.checkpoints.add(record(id, more))
        expect(await store.checkpoints.get(id)).toEqual(record(id, more))
      }
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

    it('gives parts that are the whole list, of a workspace, of a session, and of both', async (store) => {
      const all = Array.from({ length: 23 }, (_, index) =>
        record(`c${(index * 7) % 23}`, {
          at: Math.floor(index / 2) * 1_000_000_007,
          workspace: ['/work/shop', '/work/other', '/work/shop/inner'][index % 3] ?? '',
          sessionId: [null, 'cairn:s', 'cairn:s', 'codex:t'][index % 4] ?? null,
        }),
      )
      for (const each of all) await store.checkpoints.add(each)
      const newestFirst = all.toSorted((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1))
      for (const query of [
        {},
        { workspace: '/work/shop' },
        { sessionId: 'cairn:s' },
        { workspace: '/work/other', sessionId: 'codex:t' },
        { workspace: '/work' },
      ]) {
        const wanted = newestFirst.filter(
          (each) =>
            (query.workspace === undefined || each.workspace === query.workspace) &&
            (query.sessionId === undefined || each.sessionId === query.sessionId),
        )
        expect(await store.checkpoints.page(query)).toEqual({ checkpoints: wanted, total: wanted.length })
        for (const limit of [1, 4, 100]) {
          const parts: CheckpointRecord[] = []
          for (let offset = 0; offset <= wanted.length; offset += limit) {
            const part = await store.checkpoints.page({ ...query, limit, offset })
            expect(part.total).toBe(wanted.length)
            parts.push(...part.checkpoints)
          }
          expect(parts).toEqual(wanted)
        }
      }
      expect(await store.checkpoints.workspaces()).toEqual([
        { workspace: '/work/other', checkpoints: 8 },
        { workspace: '/work/shop', checkpoints: 8 },
        { workspace: '/work/shop/inner', checkpoints: 7 },
      ])
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
