import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EntryWrite, SessionFacts, Store } from '@cairn/core'
import { openStore } from '../open-store.ts'
import { startCountingProxy } from '../testing/counting-proxy.ts'
import type { CountingProxy } from '../testing/counting-proxy.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'

const session = (name: string): SessionFacts => ({
  id: `cairn:${name}`,
  agent: 'cairn',
  externalId: name,
  workspace: '/work/project',
  branch: 'main',
})

const message = (id: string, text = `said ${id}`): EntryWrite => ({
  entry: { kind: 'message', id, at: 1_700_000_000_000, role: 'assistant', content: [{ type: 'text', text }] },
  externalId: id,
  request: {
    callId: id,
    at: 1_700_000_000_000,
    model: 'a-model',
    inputTokens: 3,
    cacheReadTokens: 1_000,
    cacheWrite5mTokens: 20,
    cacheWrite1hTokens: 0,
    outputTokens: 7,
    costNano: 25_000n,
    costState: 'computed',
  },
  visibleCharacters: 10,
})
const LONG = 'a text that is long enough for a block of its own '.repeat(40)

let server: TemporaryPostgres
let proxy: CountingProxy
let store: Store

beforeAll(async () => {
  server = await startPostgres()
  proxy = await startCountingProxy(await server.database())
  store = await openStore(proxy.address)
  // Names of models, branches and so on are known from now on.
  for (const name of ['one', 'two']) await store.sessions.append(session(name), 0, [message(`first of ${name}`)])
})

afterAll(async () => {
  await store.close()
  await proxy.close()
  await server.stop()
})

/** The most round trips that one connection has made while the work was done; what runs beside it has another one. */
const roundTripsOf = async (work: () => Promise<unknown>): Promise<number> => {
  proxy.reset()
  await work()
  return proxy.most()
}

describe('an append on PostgreSQL', () => {
  it('takes three round trips with its request', async () => {
    expect(await roundTripsOf(() => store.sessions.append(session('one'), 'end', [message('short')]))).toBe(3)
  })

  it('takes four with a text that may be stored already', async () => {
    expect(await roundTripsOf(() => store.sessions.append(session('one'), 'end', [message('long', LONG)]))).toBe(4)
  })

  it('takes no more together with one to another session', async () => {
    const both = ['one', 'two'].map((name) => [session(name), message(`together ${name}`)] as const)
    const trips = await roundTripsOf(() =>
      Promise.all(both.map(([facts, write]) => store.sessions.append(facts, 'end', [write]))),
    )
    expect(trips).toBeLessThanOrEqual(5)
    expect((await store.sessions.get('cairn:two'))?.entries).toBe(2)
  })
})
