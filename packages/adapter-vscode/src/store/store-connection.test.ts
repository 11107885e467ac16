import type { Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { NOW, record } from '../usage/recorded.fixture.ts'
import { createStoreConnection } from './store-connection.ts'

/** A connection to an address whose store can be changed by the test. */
const changingStore = () => {
  const state = { identity: undefined as string | undefined, opened: 0, closed: 0, stores: new Map<string, Store>() }
  const connection = createStoreConnection({
    identity: () => state.identity,
    lookEveryMs: 5,
    open: async () => {
      state.opened += 1
      state.identity ??= 'made'
      const store = state.stores.get(state.identity) ?? createInMemoryStore()
      state.stores.set(state.identity, store)
      return {
        ...store,
        close: async () => {
          state.closed += 1
        },
      }
    },
  })
  const nextChange = () =>
    new Promise<void>((resolve) => {
      const stop = connection.onChange(() => {
        stop()
        resolve()
      })
    })
  return { state, connection, nextChange }
}

describe('the connection to the store', () => {
  it('creates a store for writing only', async () => {
    const { state, connection } = changingStore()
    expect(await connection.store()).toBeUndefined()
    expect(state.opened).toBe(0)
    const store = await connection.storeForWriting()
    expect(await connection.store()).toBe(store)
    expect(state.opened).toBe(1)
    await connection.close()
    expect(state.closed).toBe(1)
  })

  it('opens it once for all who ask at the same time', async () => {
    const { state, connection } = changingStore()
    state.identity = 'one'
    await Promise.all([connection.store(), connection.store(), connection.storeForWriting()])
    expect(state.opened).toBe(1)
    await connection.close()
  })

  it('reports a new store, writes to it, its replacement and its removal', async () => {
    const { state, connection, nextChange } = changingStore()
    const appeared = nextChange()
    state.identity = 'one'
    await appeared
    const first = await connection.store()
    const written = nextChange()
    if (first !== undefined) await record(first, '/code/shop', NOW)
    await written

    const replaced = nextChange()
    state.identity = 'two'
    await replaced
    expect((await (await connection.store())?.sessions.list({}))?.total).toBe(0)
    expect(state.closed).toBe(1)

    const removed = nextChange()
    state.identity = undefined
    await removed
    expect(await connection.store()).toBeUndefined()
    expect(state.closed).toBe(2)
    await connection.close()
  })

  it('tries again after a failure', async () => {
    let isBroken = true
    const connection = createStoreConnection({
      identity: () => 'one',
      open: async () => {
        if (isBroken) throw new Error('The store is from a newer version.')
        return createInMemoryStore()
      },
    })
    await expect(connection.store()).rejects.toThrow('newer version')
    isBroken = false
    expect(await connection.store()).toBeDefined()
    await connection.close()
    await expect(connection.store()).rejects.toThrow('closing')
  })
})
