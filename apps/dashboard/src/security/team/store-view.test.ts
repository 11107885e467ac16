import { createInMemoryStore, recordedReply } from '@cairn/core/testing'
import type { Store, UsageQuery } from '@cairn/core'
import { viewOf } from './store-view.ts'

const filled = async (): Promise<Store> => {
  const store = createInMemoryStore()
  await store.sessions.append({ id: 'x:1', agent: 'x', externalId: '1', workspace: '/work', title: 'a title' }, 0, [
    recordedReply('1', 1_000, 7_000n),
  ])
  return store
}

/** Every method of the store and its ports, by its name. */
const methodsOf = (store: Store): readonly string[] =>
  Object.entries(store).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') return [name]
    if (typeof value !== 'object' || value === null) return []
    const own = Object.getOwnPropertyNames(
      Object.getPrototypeOf(value) === Object.prototype ? value : Object.getPrototypeOf(value),
    )
    return own.filter((method) => method !== 'constructor').map((method) => `${name}.${method}`)
  })

const called = async (store: Store, path: string): Promise<unknown> => {
  const [first = '', second] = path.split('.')
  const port: unknown = Reflect.get(store, first)
  const method: unknown = second === undefined ? port : Reflect.get(Object(port), second)
  if (typeof method !== 'function') throw new TypeError(`${path} is no method`)
  return Reflect.apply(method, port, [{}, {}])
}

const ALLOWED = [
  'sessions.get',
  'sessions.list',
  'usage.report',
  'usage.sessionMovers',
  'usage.requests',
  'usage.providerSums',
  'usage.subagentSums',
  'usage.failures',
  'projects.workspaces',
  'onChange',
]

describe('the store as a role sees it', () => {
  it.each(['viewer', 'lead'] as const)('has for a %s no method but those that are named', async (role) => {
    const store = await filled()
    const view = viewOf(store, { role, person: 'Ada' })
    const others = methodsOf(store).filter((path) => !ALLOWED.includes(path))
    expect(others).toEqual(
      expect.arrayContaining(['sessions.read', 'search.search', 'notes.list', 'memory.get', 'state.set', 'purge']),
    )
    for (const path of others) await expect(called(view, path)).rejects.toThrow('Your role does not show this.')
  })

  it('has for a lead all sessions without titles, and finds none by them', async () => {
    const view = viewOf(await filled(), { role: 'lead' })
    expect(await view.sessions.get('x:1')).toMatchObject({ id: 'x:1', title: null, costNano: 7_000n })
    expect((await view.sessions.list({})).sessions).toMatchObject([{ id: 'x:1', title: null }])
    await expect(view.sessions.list({ text: 'title' })).rejects.toThrow(/titles/)
  })

  it('has for a viewer sums of all, and of sessions and people only their own', async () => {
    const store = await filled()
    const asked: UsageQuery[] = []
    const watched: Store = {
      ...store,
      usage: {
        ...store.usage,
        report: (query) => {
          asked.push(query)
          return store.usage.report({ ...query, filter: {} })
        },
        requests: store.usage.requests.bind(store.usage),
        sessionMovers: store.usage.sessionMovers.bind(store.usage),
        providerSums: store.usage.providerSums.bind(store.usage),
        subagentSums: store.usage.subagentSums.bind(store.usage),
      },
    }
    const view = viewOf(watched, { role: 'viewer', person: 'Ada' })
    await view.usage.report({ by: 'model' })
    await view.usage.report({ by: 'day', filter: { project: 'shop' } })
    for (const by of ['session', 'person', 'machine'] as const) await view.usage.report({ by })
    await view.usage.report({ by: 'day', filter: { person: 'Bo' } })
    await view.usage.report({ by: 'day', filter: { session: 'x:1', machine: 'm' } })
    expect(asked.map(({ filter }) => filter)).toEqual([
      undefined,
      { project: 'shop' },
      { person: 'Ada' },
      { person: 'Ada' },
      { person: 'Ada' },
      { person: 'Ada' },
      { session: 'x:1', machine: 'm', person: 'Ada' },
    ])
    const { movers, others } = await view.usage.sessionMovers({
      now: { since: 0 },
      before: { since: -10, until: 0 },
      limit: 5,
    })
    expect([movers, others]).toEqual([[], { count: 1, changeNano: 7_000n }])
  })

  it('has for a viewer whom nobody knows sums alone', async () => {
    const view = viewOf(await filled(), { role: 'viewer' })
    expect((await view.usage.report({ by: 'model' })).total.costNano).toBe(7_000n)
    expect(await view.sessions.get('x:1')).toBeUndefined()
    expect(await view.sessions.list({})).toEqual({ sessions: [], total: 0 })
    expect(await view.usage.requests('x:1')).toEqual([])
    await expect(view.usage.report({ by: 'session' })).rejects.toThrow(/nobody in this store is known to be you/)
  })

  it('is the store itself for an admin, and the same view for the same person', async () => {
    const store = await filled()
    expect(viewOf(store, { role: 'admin' })).toBe(store)
    expect(viewOf(store, { role: 'viewer', person: 'a' })).toBe(viewOf(store, { role: 'viewer', person: 'a' }))
    expect(viewOf(store, { role: 'viewer', person: 'a' })).not.toBe(viewOf(store, { role: 'viewer', person: 'b' }))
  })
})
