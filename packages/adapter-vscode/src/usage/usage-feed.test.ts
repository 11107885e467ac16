import type { Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { createStoreConnection } from '../store/store-connection.ts'
import { NOW, record } from './recorded.fixture.ts'
import { createUsageFeed } from './usage-feed.ts'
import type { UsageFeedDeps, UsageState } from './usage-feed.ts'

const started = (open: () => Promise<Store | undefined>, more: Partial<UsageFeedDeps> = {}) => {
  const states: UsageState[] = []
  const waiting: (() => void)[] = []
  const connection = { store: open, onChange: () => () => undefined }
  const feed = createUsageFeed({
    connection,
    location: '/cairn.db',
    folders: async () => ['/code/shop'],
    budgets: async () => [],
    timeZone: 'UTC',
    now: () => NOW,
    onState: (state) => {
      states.push(state)
      for (const wake of waiting.splice(0)) wake()
    },
    ...more,
  })
  return { feed, states, next: () => new Promise<void>((resolve) => waiting.push(resolve)) }
}

const requestsIn = (state: UsageState | undefined): number | undefined =>
  state?.kind === 'ready' ? state.usage.today.project?.requests : undefined

describe('the usage feed', () => {
  it('shows a change by another writer without being asked', async () => {
    const store = createInMemoryStore()
    const connection = createStoreConnection({ open: async () => store, identity: () => 'one' })
    const { feed, states, next } = started(async () => store, { connection })
    await feed.refresh()
    expect(requestsIn(states.at(-1))).toBe(0)
    const changed = next()
    await record(store, '/code/shop', NOW)
    await changed
    expect(requestsIn(states.at(-1))).toBe(1)
    await feed.close()
    await connection.close()
  })

  it('checks again for a store that did not exist', async () => {
    const stores: Store[] = []
    const { feed, states } = started(async () => stores[0])
    await feed.refresh()
    expect(states.at(-1)).toEqual({ kind: 'no-store', location: '/cairn.db' })
    stores.push(createInMemoryStore())
    await feed.refresh()
    expect(states.at(-1)?.kind).toBe('ready')
    await feed.close()
  })

  it('reports a failure with its message, and recovers from it', async () => {
    let isBroken = true
    const { feed, states } = started(async () => {
      if (isBroken) throw new Error('The store is from a newer version.')
      return createInMemoryStore()
    })
    await feed.refresh()
    expect(states.at(-1)).toEqual({ kind: 'failed', sentence: 'The store is from a newer version.' })
    isBroken = false
    await feed.refresh()
    expect(states.at(-1)?.kind).toBe('ready')
    await feed.close()
  })

  it('reads once at a time, and answers calls meanwhile with a read that began later', async () => {
    const store = createInMemoryStore()
    let under = 0
    let most = 0
    const { feed, states } = started(async () => store, {
      folders: async () => {
        under += 1
        most = Math.max(most, under)
        await Promise.resolve()
        under -= 1
        return ['/code/shop']
      },
    })
    const first = feed.refresh()
    await record(store, '/code/shop', NOW)
    await Promise.all([first, feed.refresh(), feed.refresh()])
    expect(most).toBe(1)
    expect(requestsIn(states.at(-1))).toBe(1)
    await feed.close()
  })

  it('reports nothing after it was closed', async () => {
    const store = createInMemoryStore()
    const { feed, states } = started(async () => store)
    await feed.refresh()
    await feed.close()
    const { length } = states
    await record(store, '/code/shop', NOW)
    await feed.refresh()
    expect(states.length).toBe(length)
  })
})
