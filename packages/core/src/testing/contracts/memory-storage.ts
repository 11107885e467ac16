/** The contract that every MemoryStorage keeps. */
import type { MemoryEntry } from '../../ports/memory-storage.ts'
import type { Store } from '../../ports/store.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const entry = (id: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  id,
  workspace: '/work/shop',
  kind: 'discovery',
  text: `text of ${id}`,
  confidence: 0.5,
  examples: [],
  sessionId: null,
  messageId: null,
  firstSeenAt: 100,
  lastConfirmedAt: 100,
  applications: 0,
  ...more,
})

export const runMemoryStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)
  const textOf = async (store: Store, id: string, asOf?: number) => (await store.memory.get(id, asOf))?.text

  describe('MemoryStorage', () => {
    it('gives back every field', async (store) => {
      const full = entry('m', {
        kind: 'failure',
        text: 'a\u0000b\ud800 😀',
        confidence: 0.123456789,
        examples: ['src/a.ts:12', '', 'x'.repeat(5000)],
        sessionId: 'cairn:s',
        messageId: 'm1',
        applications: 7,
      })
      await store.memory.put(full, 100)
      expect(await store.memory.get('m')).toEqual(full)
      expect(await store.memory.list('/work/shop')).toEqual([full])
    })

    it('knows nothing of what was never put', async (store) => {
      expect(await store.memory.get('none')).toBe(undefined)
      expect(await store.memory.list('/work/shop')).toEqual([])
    })

    it('keeps every version, as of any time', async (store) => {
      await store.memory.put(entry('m', { text: 'one' }), 100)
      await store.memory.put(entry('m', { text: 'two', confidence: 0.9 }), 200)
      await store.memory.put(entry('m', { text: 'three' }), 300)
      const texts = []
      for (const asOf of [99, 100, 199, 200, 299, 300, 10_000, undefined])
        texts.push(await textOf(store, 'm', asOf))
      expect(texts).toEqual([undefined, 'one', 'one', 'two', 'two', 'three', 'three', 'three'])
      expect((await store.memory.list('/work/shop', { asOf: 250 })).map((found) => found.text)).toEqual([
        'two',
      ])
      expect((await store.memory.list('/work/shop')).map((found) => found.text)).toEqual(['three'])
      expect(await store.memory.list('/work/shop', { asOf: 50 })).toEqual([])
    })

    it('takes the last of several versions of the same time', async (store) => {
      await store.memory.put(entry('m', { text: 'one' }), 100)
      await store.memory.put(entry('m', { text: 'two' }), 100)
      expect([await textOf(store, 'm'), await textOf(store, 'm', 100)]).toEqual(['two', 'two'])
    })

    it('forgets from a time on, and can learn again', async (store) => {
      await store.memory.put(entry('m', { text: 'one' }), 100)
      expect(await store.memory.forget('m', 200)).toBe(true)
      expect(await store.memory.forget('m', 250)).toBe(false)
      expect(await store.memory.forget('none', 250)).toBe(false)
      expect([
        await textOf(store, 'm'),
        await textOf(store, 'm', 199),
        await textOf(store, 'm', 200),
      ]).toEqual([undefined, 'one', undefined])
      expect(await store.memory.list('/work/shop')).toEqual([])
      expect((await store.memory.list('/work/shop', { asOf: 150 })).length).toBe(1)
      await store.memory.put(entry('m', { text: 'again' }), 300)
      expect([await textOf(store, 'm'), await textOf(store, 'm', 250)]).toEqual(['again', undefined])
    })

    it('lists a workspace and a kind, the last confirmed first', async (store) => {
      await store.memory.put(entry('a', { lastConfirmedAt: 100 }), 100)
      await store.memory.put(entry('b', { lastConfirmedAt: 300, kind: 'pattern' }), 100)
      await store.memory.put(entry('c', { lastConfirmedAt: 200 }), 100)
      await store.memory.put(entry('d', { workspace: '/work/other', lastConfirmedAt: 900 }), 100)
      await store.memory.put(entry('a', { lastConfirmedAt: 250 }), 400)
      const ids = async (...query: Parameters<Store['memory']['list']>) =>
        (await store.memory.list(...query)).map((found) => found.id)
      expect(await ids('/work/shop')).toEqual(['b', 'a', 'c'])
      expect(await ids('/work/shop', { asOf: 350 })).toEqual(['b', 'c', 'a'])
      expect(await ids('/work/shop', { kind: 'discovery' })).toEqual(['a', 'c'])
      expect(await ids('/work/other')).toEqual(['d'])
      expect(await ids('/work')).toEqual([])
    })

    it('takes many writers at once, on different entries and on the same', async (store) => {
      await Promise.all([
        ...Array.from({ length: 15 }, (_, index) => store.memory.put(entry(`m${index}`), 100)),
        ...Array.from({ length: 15 }, (_, index) =>
          store.memory.put(entry('same', { text: `${index}`, applications: index }), 100 + index),
        ),
      ])
      expect((await store.memory.list('/work/shop')).length).toBe(16)
      expect(await textOf(store, 'same')).toBe('14')
      expect(await textOf(store, 'same', 107)).toBe('7')
    })
  })
}
