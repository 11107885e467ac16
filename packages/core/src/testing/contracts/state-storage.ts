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

    it('loses no key when many are set concurrently', async (store) => {
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => store.state.set(GLOBAL, new Map([[`key ${index}`, index]]))),
      )
      expect((await store.state.all(GLOBAL)).size).toBe(30)
    })
  })
}
