import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createInMemoryStore } from '../in-memory/index.ts'
import type { JsonValue } from '../json.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import { createTestTimer } from '../testing/fakes/timer.ts'
import { ASIDE, createState } from './create-state.ts'
import type { StateDeps } from './create-state.ts'
import type { StateEvent } from './state-event.ts'
import type { StateKey } from './state-key.ts'

const GLOBAL = { tier: 'global' } as const
const WORKSPACE = { tier: 'workspace', workspace: '/w' } as const
const SESSION = { tier: 'session', sessionId: 'pi:1' } as const

const MODEL: StateKey<string> = {
  name: 'model',
  tiers: ['global', 'workspace', 'session'],
  schema: z.string().min(1),
  fallback: 'none',
}
const LIMIT: StateKey<number> = { name: 'limit', tiers: ['global'], schema: z.number().positive(), fallback: 20 }
const RULES: StateKey<Readonly<Record<string, boolean>>, 'workspace'> = {
  name: 'rules',
  tiers: ['workspace'],
  schema: z.record(z.string(), z.boolean()),
  fallback: {},
}
const KEYS: readonly StateKey[] = [MODEL, LIMIT, RULES]

/** A batch whose writing waits until it is let go on or fails. */
interface HeldWrite {
  readonly values: ReadonlyMap<string, JsonValue | undefined>
  readonly finish: () => Promise<void>
  readonly fail: (error: Error) => void
}

/** A storage whose writes can be held. */
const holdable = (inner: StateStorage) => {
  const held: HeldWrite[] = []
  const batches: { readonly scope: StateScope; readonly keys: readonly string[] }[] = []
  const switches = { isHolding: false, failure: undefined as Error | undefined }
  const storage: StateStorage = {
    ...inner,
    set: (scope, values) => {
      batches.push({ scope, keys: [...values.keys()] })
      if (switches.failure !== undefined) return Promise.reject(switches.failure)
      if (!switches.isHolding) return inner.set(scope, values)
      return new Promise((resolve, reject) => {
        held.push({
          values,
          finish: async () => {
            await inner.set(scope, values)
            resolve()
          },
          fail: reject,
        })
      })
    },
  }
  return { storage, held, batches, switches }
}

const setUp = async (more: Partial<StateDeps> = {}) => {
  const store = createInMemoryStore()
  const timer = createTestTimer()
  const { storage, ...hold } = holdable(store.state)
  const events: StateEvent[] = []
  const state = createState({ storage, timer, now: () => 1_234, keys: KEYS, ...more })
  state.listen((event) => events.push(event))
  await state.open(GLOBAL, WORKSPACE, SESSION)
  return { store, timer, storage, state, events, ...hold }
}

/** Lets promises go on until something is the case; all of this is in memory. */
const until = async (isSo: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 1_000 && !isSo(); turn += 1) await Promise.resolve()
  expect(isSo()).toBe(true)
}

/**
 * The write-behind of the system that this one replaces, reduced to its pending set: it is cleared after what was awaited,
 * together with what came in between.
 */
const clearingAfterwards = (storage: Pick<StateStorage, 'set'>) => {
  const cache = new Map<string, JsonValue>()
  const pending = new Set<string>()
  return {
    set: (key: string, value: JsonValue) => {
      cache.set(key, value)
      pending.add(key)
    },
    flush: async () => {
      await storage.set(GLOBAL, new Map([...pending].map((key) => [key, cache.get(key)])))
      pending.clear()
    },
  }
}

describe('the tiers', () => {
  it("prefer the session's value to the workspace's and that to the one for all", async () => {
    const { state } = await setUp()
    const effective = () => state.effective(MODEL, { workspace: '/w', sessionId: 'pi:1' })
    expect(effective()).toEqual({ value: 'none', from: 'default' })
    state.set(MODEL, GLOBAL, 'opus')
    expect(effective()).toEqual({ value: 'opus', from: 'global' })
    state.set(MODEL, WORKSPACE, 'sonnet')
    state.set(MODEL, SESSION, 'haiku')
    expect(effective()).toEqual({ value: 'haiku', from: 'session' })
    expect(state.effective(MODEL, { workspace: '/w' })).toEqual({ value: 'sonnet', from: 'workspace' })
    expect(state.effective(MODEL, {})).toEqual({ value: 'opus', from: 'global' })
    state.unset(MODEL, SESSION)
    expect(effective()).toEqual({ value: 'sonnet', from: 'workspace' })
  })

  it('take a key only where it belongs, and need to be opened', async () => {
    const { state } = await setUp()
    // @ts-expect-error a workspace's key is not set for all
    expect(() => state.set(RULES, GLOBAL, {})).toThrow("rules can't be set for all projects; nothing was changed.")
    expect(() => state.get(MODEL, { tier: 'workspace', workspace: '/other' })).toThrow(/project \/other was not opened/)
  })

  it('refuse a value that the key does not take, and one that looks like a secret, wherever it stands', async () => {
    const { state, timer, batches } = await setUp({ isSecret: (text) => text.startsWith('sk-') })
    expect(() => state.set(LIMIT, GLOBAL, -1)).toThrow('That is no value of limit; it is as it was.')
    expect(() => state.set(MODEL, GLOBAL, 'sk-123')).toThrow(/cairn secret set <provider>/)
    expect(() => state.set(RULES, WORKSPACE, { 'sk-123': true })).toThrow(/looks like a key or a password/)
    timer.advance(10_000)
    expect([state.get(LIMIT, GLOBAL), state.get(MODEL, GLOBAL), batches]).toEqual([20, 'none', []])
  })
})

describe('writing behind', () => {
  it('is read at once, and written once 500 ms after the first value, a batch a scope', async () => {
    const { state, store, timer, batches } = await setUp()
    for (let round = 1; round <= 1_000; round += 1) state.set(LIMIT, GLOBAL, round)
    timer.advance(300)
    state.set(MODEL, WORKSPACE, 'opus')
    expect(state.get(LIMIT, GLOBAL)).toBe(1_000)
    timer.advance(199)
    expect(batches).toEqual([])
    timer.advance(1)
    await until(() => batches.length === 2)
    await state.flush()
    expect(batches).toEqual([
      { scope: GLOBAL, keys: ['limit'] },
      { scope: WORKSPACE, keys: ['model'] },
    ])
    expect(await store.state.get(GLOBAL, 'limit')).toBe(1_000)
    expect(timer.waiting).toBe(0)
  })

  it('writes nothing for a value that is the same', async () => {
    const { state, events, timer } = await setUp()
    state.set(RULES, WORKSPACE, { 'a.md': true })
    await state.flush()
    state.set(RULES, WORKSPACE, { 'a.md': true })
    expect([events.length, timer.waiting]).toEqual([1, 0])
  })

  it('keeps a key that is set while a batch is written, where clearing the pending keys afterwards loses it', async () => {
    for (const isOurs of [false, true]) {
      const { state, store, storage, held, switches, timer } = await setUp()
      const theirs = clearingAfterwards(storage)
      const set = (name: 'model' | 'limit', value: string | number): void => {
        if (!isOurs) theirs.set(name, value)
        else if (typeof value === 'string') state.set(MODEL, GLOBAL, value)
        else state.set(LIMIT, GLOBAL, value)
      }
      const flush = (): Promise<void> => (isOurs ? state.flush() : theirs.flush())
      set('model', 'opus')
      switches.isHolding = true
      const flushing = flush()
      await until(() => held.length === 1)
      // One key again, and one that was in no batch yet.
      set('model', 'haiku')
      set('limit', 7)
      switches.isHolding = false
      await held[0]?.finish()
      await flushing
      if (isOurs) timer.advance(500)
      await flush()
      const stored = new Map(await store.state.all(GLOBAL))
      expect([isOurs, stored]).toEqual([
        isOurs,
        new Map<string, JsonValue>(
          isOurs
            ? [
                ['model', 'haiku'],
                ['limit', 7],
              ]
            : [['model', 'opus']],
        ),
      ])
    }
  })

  it('puts a failed batch back, waits longer each time, and lets newer values win', async () => {
    const { state, store, events, timer, switches, batches } = await setUp()
    switches.failure = new Error('disk full')
    state.set(MODEL, GLOBAL, 'opus')
    state.set(LIMIT, GLOBAL, 5)
    const failures = () => events.filter((event) => event.type === 'write-failed')
    for (const [round, wait] of [500, 500, 1_000, 2_000].entries()) {
      timer.advance(wait - 1)
      expect(batches.length).toBe(round)
      timer.advance(1)
      await until(() => failures().length === round + 1)
    }
    expect(failures()).toEqual(
      [500, 1_000, 2_000, 4_000].map((retryInMs, index) => ({
        type: 'write-failed',
        error: switches.failure,
        waiting: 2,
        attempt: index + 1,
        retryInMs,
      })),
    )
    await expect(state.flush()).rejects.toThrow('disk full')
    state.set(MODEL, GLOBAL, 'haiku')
    switches.failure = undefined
    timer.advance(8_000)
    await until(() => timer.waiting === 0)
    await state.flush()
    expect(new Map(await store.state.all(GLOBAL))).toEqual(
      new Map<string, JsonValue>([
        ['model', 'haiku'],
        ['limit', 5],
      ]),
    )
  })

  it('fails for one scope without taking the others with it', async () => {
    const { state, store, held, switches } = await setUp()
    state.set(MODEL, GLOBAL, 'opus')
    state.set(MODEL, WORKSPACE, 'haiku')
    switches.isHolding = true
    const flushing = state.flush()
    flushing.catch(() => undefined)
    await until(() => held.length === 1)
    switches.isHolding = false
    held[0]?.fail(new Error('busy'))
    await expect(flushing).rejects.toThrow('busy')
    expect(await store.state.get(WORKSPACE, 'model')).toBe('haiku')
    await state.flush()
    expect(await store.state.get(GLOBAL, 'model')).toBe('opus')
  })

  it('writes what is left when it is closed, and says how much could not be', async () => {
    const first = await setUp()
    first.state.set(LIMIT, GLOBAL, 3)
    await first.state.close()
    expect(await first.store.state.get(GLOBAL, 'limit')).toBe(3)
    expect(() => first.state.set(LIMIT, GLOBAL, 4)).toThrow('The state has been closed.')
    const second = await setUp()
    second.switches.failure = new Error('disk full')
    second.state.set(LIMIT, GLOBAL, 3)
    second.state.set(MODEL, SESSION, 'opus')
    await expect(second.state.close()).rejects.toThrow('2 settings could not be stored and are lost')
    expect(second.timer.waiting).toBe(0)
  })
})

describe('what others write', () => {
  it('is seen, key by key, and does not undo what was set here', async () => {
    const { state, store, events } = await setUp()
    state.set(LIMIT, GLOBAL, 3)
    await store.state.set(
      GLOBAL,
      new Map<string, JsonValue>([
        ['limit', 99],
        ['model', 'theirs'],
        ['other', 1],
      ]),
    )
    await state.refresh()
    expect([state.get(LIMIT, GLOBAL), state.get(MODEL, GLOBAL)]).toEqual([3, 'theirs'])
    await state.flush()
    await state.refresh()
    expect(await store.state.get(GLOBAL, 'limit')).toBe(3)
    await store.state.set(GLOBAL, new Map([['model', undefined]]))
    await state.refresh()
    expect(events).toEqual([
      { type: 'changed', scope: GLOBAL, key: 'limit', value: 3, by: 'here' },
      { type: 'changed', scope: GLOBAL, key: 'model', value: 'theirs', by: 'elsewhere' },
      { type: 'changed', scope: GLOBAL, key: 'other', value: 1, by: 'elsewhere' },
      { type: 'changed', scope: GLOBAL, key: 'model', value: undefined, by: 'elsewhere' },
    ])
  })

  it('reaches another state over the same store by itself, a store that was emptied included', async () => {
    const store = createInMemoryStore()
    const make = () => {
      const follow = (onChange: () => void) => store.onChange(onChange)
      return createState({ storage: store.state, timer: createTestTimer(), now: () => 0, keys: KEYS, follow })
    }
    const [left, right] = [make(), make()]
    await Promise.all([left.open(GLOBAL), right.open(GLOBAL)])
    left.set(MODEL, GLOBAL, 'opus')
    await left.flush()
    await until(() => right.get(MODEL, GLOBAL) === 'opus')
    await store.purge()
    await until(() => right.get(MODEL, GLOBAL) === 'none')
    await Promise.all([left.close(), right.close()])
  })

  it('is all read again by reload, which keeps what is not stored yet', async () => {
    const { state, store } = await setUp()
    state.set(LIMIT, GLOBAL, 3)
    await store.state.set(GLOBAL, new Map([['model', 'theirs']]))
    await state.reload()
    expect([state.get(LIMIT, GLOBAL), state.get(MODEL, GLOBAL)]).toEqual([3, 'theirs'])
  })

  it('is told as an event where it can not be read, and read at the next notice', async () => {
    const store = createInMemoryStore()
    const failing = { isSo: false }
    const storage: StateStorage = {
      ...store.state,
      changes: (scope, since) => (failing.isSo ? Promise.reject(new Error('gone')) : store.state.changes(scope, since)),
    }
    const follow = (onChange: () => void) => store.onChange(onChange)
    const state = createState({ storage, timer: createTestTimer(), now: () => 0, keys: KEYS, follow })
    const events: StateEvent[] = []
    state.listen((event) => events.push(event))
    await state.open(GLOBAL)
    failing.isSo = true
    await store.state.set(GLOBAL, new Map([['limit', 4]]))
    await until(() => events.length === 1)
    expect([events[0]?.type, state.get(LIMIT, GLOBAL)]).toEqual(['read-failed', 20])
    failing.isSo = false
    await store.state.set(GLOBAL, new Map([['model', 'm']]))
    await until(() => state.get(MODEL, GLOBAL) === 'm')
    expect(state.get(LIMIT, GLOBAL)).toBe(4)
  })
})

describe('a stored value that can not be used', () => {
  it('is reported, stands aside when the key is set, and disturbs no other', async () => {
    const store = createInMemoryStore()
    await store.state.set(
      GLOBAL,
      new Map<string, JsonValue>([
        ['limit', { newer: [1] }],
        ['model', 'opus'],
        ['unknown', 1],
      ]),
    )
    const state = createState({ storage: store.state, timer: createTestTimer(), now: () => 77, keys: KEYS })
    const events: StateEvent[] = []
    state.listen((event) => events.push(event))
    await state.open(GLOBAL)
    expect(events).toEqual([{ type: 'refused', scope: GLOBAL, key: 'limit', reason: 'invalid' }])
    expect([state.get(LIMIT, GLOBAL), state.get(MODEL, GLOBAL)]).toEqual([20, 'opus'])
    expect(await store.state.get(GLOBAL, 'limit')).toEqual({ newer: [1] })
    state.set(LIMIT, GLOBAL, 8)
    await state.close()
    expect(new Map(await store.state.all(GLOBAL))).toEqual(
      new Map<string, JsonValue>([
        ['limit', 8],
        ['model', 'opus'],
        ['unknown', 1],
        [`${ASIDE}limit/77`, { newer: [1] }],
      ]),
    )
  })

  it('is reported when its row is not what was written', async () => {
    const store = createInMemoryStore()
    await store.state.set(
      GLOBAL,
      new Map<string, JsonValue>([
        ['limit', 5],
        ['model', 'opus'],
      ]),
    )
    const storage: StateStorage = {
      ...store.state,
      changes: async (scope, since) => {
        const { values, ...changes } = await store.state.changes(scope, since)
        return { ...changes, values: new Map([...values].filter(([key]) => key !== 'limit')), damaged: ['limit'] }
      },
    }
    const state = createState({ storage, timer: createTestTimer(), now: () => 0, keys: KEYS })
    const events: StateEvent[] = []
    state.listen((event) => events.push(event))
    await state.open(GLOBAL)
    expect(events).toEqual([{ type: 'refused', scope: GLOBAL, key: 'limit', reason: 'damaged' }])
    expect([state.get(LIMIT, GLOBAL), state.get(MODEL, GLOBAL)]).toEqual([20, 'opus'])
  })
})
