/** The contract that every StateStorage keeps. */
import type { JsonValue } from '../../json.ts'
import type { StateScope } from '../../ports/state-storage.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const GLOBAL: StateScope = { tier: 'global' }
const SCOPES: readonly StateScope[] = [
  GLOBAL,
  { tier: 'workspace', workspace: 'x' },
  { tier: 'workspace', workspace: '/work/x' },
  { tier: 'workspace', workspace: '' },
  { tier: 'session', sessionId: 'x' },
  { tier: 'session', sessionId: 'global' },
]
const KEYS = ['a', 'A', 'a.b', '', ' ', '__proto__', '../../escape', 'ключ 😀', `'; DROP TABLE state; --`]

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runStateStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('StateStorage', () => {
    it('returns any JSON value under any key', async (store) => {
      const values: readonly JsonValue[] = [
        null,
        false,
        0,
        -1.5e-9,
        '',
        'x'.repeat(200_000),
        [],
        {},
        [[null]],
        { a: { b: ['c', null] } },
        'a\u0000b\ud800',
      ]
      for (const [index, value] of values.entries()) await store.state.set(GLOBAL, new Map([[`value ${index}`, value]]))
      for (const [index, value] of values.entries())
        expect(await store.state.get(GLOBAL, `value ${index}`)).toEqual(value)
      await store.state.set(GLOBAL, new Map(KEYS.map((key, index) => [key, index])))
      for (const [index, key] of KEYS.entries()) expect([key, await store.state.get(GLOBAL, key)]).toEqual([key, index])
      expect((await store.state.all(GLOBAL)).size).toBe(KEYS.length + values.length)
    })

    it('keeps the scopes apart', async (store) => {
      for (const [index, scope] of SCOPES.entries()) await store.state.set(scope, new Map([['key', index]]))
      for (const [index, scope] of SCOPES.entries())
        expect([...(await store.state.all(scope))]).toEqual([['key', index]])
    })

    it('returns nothing for an unset key', async (store) => {
      expect(await store.state.get(GLOBAL, 'none')).toBe(undefined)
      expect((await store.state.all({ tier: 'session', sessionId: 'none' })).size).toBe(0)
    })

    it('overwrites, and removes with undefined', async (store) => {
      await store.state.set(
        GLOBAL,
        new Map<string, JsonValue>([
          ['a', 1],
          ['b', 2],
          ['c', 3],
        ]),
      )
      await store.state.set(
        GLOBAL,
        new Map<string, JsonValue | undefined>([
          ['a', 10],
          ['b', undefined],
          ['never', undefined],
          ['d', null],
        ]),
      )
      expect(new Map(await store.state.all(GLOBAL))).toEqual(
        new Map<string, JsonValue>([
          ['a', 10],
          ['c', 3],
          ['d', null],
        ]),
      )
    })

    it('sets several values atomically', async (store) => {
      await Promise.all(
        Array.from({ length: 16 }, (_, writer) =>
          store.state.set(GLOBAL, new Map(['a', 'b', 'c', 'd'].map((key) => [key, writer]))),
        ),
      )
      expect(new Set((await store.state.all(GLOBAL)).values()).size).toBe(1)
    })

    it('gives a value that is taken to one of several, and then to nobody', async (store) => {
      await store.state.set(
        GLOBAL,
        new Map<string, JsonValue>([
          ['a', { files: ['x'] }],
          ['b', null],
          ['c', 3],
        ]),
      )
      const taken = await Promise.all(Array.from({ length: 12 }, () => store.state.take(GLOBAL, 'a')))
      expect(taken.filter((value) => value !== undefined)).toEqual([{ files: ['x'] }])
      expect(await store.state.take(GLOBAL, 'b')).toBe(null)
      expect(await store.state.take(GLOBAL, 'never')).toBe(undefined)
      expect([...(await store.state.all(GLOBAL))]).toEqual([['c', 3]])
    })

    it('replaces only the value that was read, and of several that do one succeeds', async (store) => {
      const scope: StateScope = { tier: 'session', sessionId: 'x' }
      expect(await store.state.replace(scope, 'a', { owner: 7 }, { owner: 8 })).toBe(false)
      const first = await Promise.all(
        Array.from({ length: 12 }, (_, owner) =>
          store.state.replace(scope, 'a', undefined, { owner, at: [1.5, null] }),
        ),
      )
      expect(first.filter(Boolean).length).toBe(1)
      const held = await store.state.get(scope, 'a')
      expect(held).toEqual({ owner: first.indexOf(true), at: [1.5, null] })
      const next = await Promise.all(
        Array.from({ length: 9 }, (_, index) => store.state.replace(scope, 'a', held, `next ${index}`)),
      )
      expect([next.filter(Boolean).length, await store.state.get(scope, 'a')]).toEqual([
        1,
        `next ${next.indexOf(true)}`,
      ])
      expect(await store.state.replace(scope, 'a', held, undefined)).toBe(false)
      const { revision } = await store.state.changes(scope, 0)
      expect(await store.state.replace(scope, 'a', `next ${next.indexOf(true)}`, undefined)).toBe(true)
      expect((await store.state.changes(scope, revision)).values).toEqual(new Map([['a', undefined]]))
      expect(await store.state.replace(scope, 'a', undefined, null)).toBe(true)
      expect(await store.state.get(scope, 'a')).toBe(null)
    })

    it('loses no key when many are set concurrently', async (store) => {
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => store.state.set(GLOBAL, new Map([[`key ${index}`, index]]))),
      )
      expect((await store.state.all(GLOBAL)).size).toBe(30)
    })

    it('says what changed in a scope since a revision, removals included', async (store) => {
      const scope: StateScope = { tier: 'workspace', workspace: '/w' }
      expect(await store.state.changes(scope, 0)).toEqual({
        revision: 0,
        isWhole: true,
        values: new Map(),
        damaged: [],
      })
      await store.state.set(scope, new Map<string, JsonValue>(Object.entries({ a: 1, b: { c: [2] }, d: 3 })))
      const first = await store.state.changes(scope, 0)
      expect([first.isWhole, first.values]).toEqual([true, new Map(Object.entries({ a: 1, b: { c: [2] }, d: 3 }))])
      expect(await store.state.changes(scope, first.revision)).toEqual({
        revision: first.revision,
        isWhole: false,
        values: new Map(),
        damaged: [],
      })
      await store.state.set({ tier: 'workspace', workspace: '/other' }, new Map([['a', 9]]))
      await store.state.set(
        scope,
        new Map([
          ['b', undefined],
          ['never', undefined],
          ['e', null],
        ] as const),
      )
      await store.state.set(scope, new Map([['a', 10]]))
      const second = await store.state.changes(scope, first.revision)
      expect(second.revision).toBeGreaterThan(first.revision)
      expect(new Map(second.values)).toEqual(
        new Map<string, JsonValue | undefined>([
          ['a', 10],
          ['b', undefined],
          ['e', null],
        ]),
      )
      expect(second.isWhole).toBe(false)
      expect((await store.state.changes(scope, 0)).values).toEqual(new Map(Object.entries({ a: 10, d: 3, e: null })))
      // A key that is set again after its removal.
      await store.state.set(scope, new Map([['b', 4]]))
      expect((await store.state.changes(scope, second.revision)).values).toEqual(new Map([['b', 4]]))
    })

    it('leaves no change out while many are made at once', async (store) => {
      const [writers, rounds] = [6, 8]
      const mirror = new Map<string, JsonValue | undefined>()
      let revision = 0
      const catchUp = async (): Promise<void> => {
        const changes = await store.state.changes(GLOBAL, revision)
        if (changes.isWhole) mirror.clear()
        for (const [key, value] of changes.values) {
          if (value === undefined) mirror.delete(key)
          else mirror.set(key, value)
        }
        revision = changes.revision
      }
      const writing = { isOver: false }
      const all = Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          for (let round = 0; round < rounds; round += 1)
            await store.state.set(
              GLOBAL,
              new Map<string, JsonValue | undefined>([
                [`${writer}.${round}`, round],
                [`${writer}.${round - 2}`, undefined],
              ]),
            )
        }),
      ).finally(() => (writing.isOver = true))
      while (!writing.isOver) {
        await catchUp()
        // A store may read without waiting; the writers need their turn.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await all
      await catchUp()
      expect(mirror.size).toBe(writers * 2)
      expect(new Map([...mirror].toSorted())).toEqual(new Map([...(await store.state.all(GLOBAL))].toSorted()))
    })

    it('is read as a whole again after the store was emptied', async (store) => {
      await store.state.set(
        GLOBAL,
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
      )
      const { revision } = await store.state.changes(GLOBAL, 0)
      await store.purge()
      expect(await store.state.changes(GLOBAL, revision)).toMatchObject({ isWhole: true, values: new Map() })
      await store.state.set(GLOBAL, new Map([['b', 3]]))
      expect(await store.state.changes(GLOBAL, revision)).toMatchObject({ isWhole: true, values: new Map([['b', 3]]) })
    })

    it('tells those that follow the store', async (store) => {
      let calls = 0
      const heard = new Promise<void>((resolve) => {
        store.onChange(() => {
          calls += 1
          resolve()
        })
      })
      await store.state.set(GLOBAL, new Map([['a', 1]]))
      await heard
      expect(calls).toBeGreaterThan(0)
    })
  })
}
