/** Failed requests: kept once each, counted apart from the requests that were answered. */
import type { RequestFailure } from '../../ports/usage-storage.ts'
import { T0, append, facts, reply, request } from './fixtures.ts'
import { rejectionOf, testsOn, type OpenStore, type TestApi } from './test-api.ts'

/** A failed request with something in every field that a test does not set. */
const failure = (id: string, more: Partial<RequestFailure> = {}): RequestFailure => ({
  id,
  at: T0,
  model: 'claude-test',
  provider: 'anthropic',
  code: 'rate-limit',
  attempt: 1,
  totalMs: 250,
  ...more,
})

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageFailuresContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('failed requests', () => {
    it('are summed by code and model, the most frequent first, and are in no sum of requests', async (store) => {
      await append(store, facts('s'), reply('m', request('c1')))
      await append(store, facts('t'), reply('m', request('c2')))
      const before = await store.usage.report({ by: 'model' })
      expect(await store.usage.failures()).toEqual([])
      await store.usage.addFailure('cairn:s', failure('1'))
      await store.usage.addFailure('cairn:s', failure('2', { at: T0 + 9_000, attempt: 2, totalMs: 90_000 }))
      await store.usage.addFailure('cairn:s', failure('2', { at: T0 + 99_000 }))
      await store.usage.addFailure('cairn:t', failure('1', { at: T0 + 500, code: 'overloaded' }))
      await store.usage.addFailure(
        'cairn:t',
        failure('3', { at: T0 + 1_500, code: 'overloaded', model: 'b', mode: 'plan' }),
      )
      const { provider: _, ...unnamed } = failure('4', { at: T0 + 10, code: 'auth', model: 'local' })
      await store.usage.addFailure('cairn:t', unnamed)
      const sums = [
        { code: 'rate-limit', model: 'claude-test', provider: 'anthropic', failures: 2, lastAt: T0 + 9_000 },
        { code: 'overloaded', model: 'b', provider: 'anthropic', failures: 1, lastAt: T0 + 1_500 },
        { code: 'overloaded', model: 'claude-test', provider: 'anthropic', failures: 1, lastAt: T0 + 500 },
        { code: 'auth', model: 'local', provider: null, failures: 1, lastAt: T0 + 10 },
      ]
      expect(await store.usage.failures()).toEqual(sums)
      expect(await store.usage.failures({ sessionId: 'cairn:t' })).toEqual(sums.slice(1))
      expect(await store.usage.failures({ since: T0 + 500, until: T0 + 9_000 })).toEqual(sums.slice(1, 3))
      expect(await store.usage.failures({ sessionId: 'cairn:none' })).toEqual([])
      expect(await store.usage.report({ by: 'model' })).toEqual(before)
    })

    it('leave with their session', async (store) => {
      await append(store, facts('s'), reply('m', request('c1')))
      await append(store, facts('t'), reply('m', request('c2')))
      for (const session of ['s', 't'])
        await store.usage.addFailure(`cairn:${session}`, failure('1', { model: session }))
      await store.sessions.delete('cairn:s')
      expect((await store.usage.failures()).map(({ model }) => model)).toEqual(['t'])
      expect(await store.verify()).toEqual([])
    })

    it('need a session', async (store) => {
      expect(await rejectionOf(store.usage.addFailure('cairn:none', failure('1')))).toMatchObject({ code: 'not-found' })
    })
  })
}
