/** Contract: what the subagents of sessions used. */
import type { Store } from '../../ports/store.ts'
import { facts, importBatch, reply, request, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const HOUR = 3_600_000

/** Requests of three sessions: of the second all are a subagent's, of the third none is. */
const MADE = Array.from({ length: 42 }, (_, index) => ({
  id: `${index}`,
  session: ['both', 'only', 'none'][index % 3] ?? '',
  subagent: index % 3 === 2 || (index % 3 === 0 && index % 4 === 0) ? undefined : `explore ${(index * 5) % 4}`,
  at: index % 13 === 12 ? null : T0 + index * HOUR,
  model: `model-${index % 2}`,
  costNano: index % 8 === 7 ? null : 10n ** BigInt(index % 12) * BigInt(1 + (index % 7)),
}))
type Made = (typeof MADE)[number]

/** Three sessions with all requests of `MADE`. */
const fill = (store: Store) =>
  importBatch(store, '/subagents', {
    sessions: ['both', 'only', 'none'].map((id) => ({
      session: facts(id),
      writes: MADE.filter(({ session }) => session === id).map(({ id: call, subagent, at, model, costNano }) =>
        reply(
          call,
          request(call, {
            ...{ at, model, costNano, costState: costNano === null ? 'unpriced' : 'computed' },
            ...(subagent === undefined ? {} : { subagent }),
          }),
        ),
      ),
    })),
  })

/** The sums that a store should give, by the definition, sorted by session. */
const expected = (isWanted: (made: Made) => boolean) =>
  ['both', 'none', 'only'].flatMap((id) => {
    const made = MADE.filter((one) => one.session === id && one.subagent !== undefined && isWanted(one))
    if (made.length === 0) return []
    return [
      {
        sessionId: facts(id).id,
        subagents: new Set(made.map(({ subagent }) => subagent)).size,
        requests: made.length,
        costNano: made.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n),
        unpricedRequests: made.filter(({ costNano }) => costNano === null).length,
      },
    ]
  })

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageSubagentsContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('sums of subagents', () => {
    it('are none of an empty store', async (store) => {
      expect(await store.usage.subagentSums({})).toEqual([])
    })

    it('are of each session that had some, within times and filters, exactly', async (store) => {
      await fill(store)
      const sums = async (query: Parameters<typeof store.usage.subagentSums>[0]) =>
        (await store.usage.subagentSums(query)).toSorted((left, right) => (left.sessionId < right.sessionId ? -1 : 1))
      expect(await sums({})).toEqual(expected(() => true))
      const [since, until] = [T0 + 7 * HOUR, T0 + 30 * HOUR]
      expect(await sums({ since })).toEqual(expected(({ at }) => at !== null && at >= since))
      expect(await sums({ since, until })).toEqual(expected(({ at }) => at !== null && at >= since && at < until))
      expect(await sums({ filter: { session: facts('only').id } })).toEqual(
        expected(({ session }) => session === 'only'),
      )
      expect(await sums({ until, filter: { model: 'model-1' } })).toEqual(
        expected(({ at, model }) => at !== null && at < until && model === 'model-1'),
      )
      expect(await sums({ filter: { session: facts('none').id } })).toEqual([])
    })

    it('are part of what a report by session sums', async (store) => {
      await fill(store)
      const { rows } = await store.usage.report({ by: 'session' })
      for (const { sessionId, requests, costNano } of await store.usage.subagentSums({})) {
        const whole = rows.find(({ key }) => key === sessionId)
        expect((whole?.requests ?? 0) >= requests && (whole?.costNano ?? -1n) >= costNano).toBe(true)
        if (sessionId === facts('only').id) expect([whole?.requests, whole?.costNano]).toEqual([requests, costNano])
      }
    })
  })
}
