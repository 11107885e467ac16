/** Contract of UsageStorage: a reply is partial by one rule, wherever it is decided. */
import type { Store } from '../../ports/store.ts'
import { isPartial, missingOutputTokens, partialReply } from '../../ports/usage-storage.ts'
import { facts, importBatch, reply, request, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

/** Recorded outputs, each with visible characters right below, at and above the borders of the rule and of its rounding. */
const REPLIES = [0, 1, 2, 9, 10, 99, 100, 1_000, 123_457, 100_000_000].flatMap((outputTokens) => {
  const { tenthsPerToken, timesOutput } = partialReply
  const border = Math.floor((outputTokens * timesOutput * tenthsPerToken) / 10)
  const around = [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 27, 28].map((step) => border + step)
  return [...new Set([0, ...around])].filter((visible) => visible >= 0).map((visible) => ({ outputTokens, visible }))
})

/** A session with all `REPLIES`, one a millisecond. */
const fill = (store: Store) =>
  importBatch(store, '/a', {
    sessions: [
      {
        session: facts('s'),
        writes: REPLIES.map(({ outputTokens, visible }, index) =>
          reply(`m${index}`, request(`c${index}`, { outputTokens, at: T0 + index }), visible),
        ),
      },
    ],
  })

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsagePartialContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('partial replies', () => {
    it('are the same in the list of requests, in sums of whole days and in ranges cut to the millisecond', async (store) => {
      await fill(store)
      const sumOf = (replies: typeof REPLIES) => ({
        partialRequests: replies.filter(({ outputTokens, visible }) => isPartial(outputTokens, visible)).length,
        missingOutputTokens: replies.reduce(
          (sum, { outputTokens, visible }) => sum + missingOutputTokens(outputTokens, visible),
          0,
        ),
      })
      const requests = await store.usage.requests('cairn:s')
      expect(requests.map(({ partial }) => partial)).toEqual(
        REPLIES.map(({ outputTokens, visible }) => isPartial(outputTokens, visible)),
      )
      expect((await store.usage.report({ by: 'model' })).total).toMatchObject(sumOf(REPLIES))
      // A range within a quarter of an hour is summed from the requests themselves.
      for (const [index, one] of REPLIES.entries()) {
        const { total } = await store.usage.report({ by: 'model', since: T0 + index, until: T0 + index + 1 })
        const { partialRequests, missingOutputTokens: missing } = total
        expect([one, { partialRequests, missingOutputTokens: missing }]).toEqual([one, sumOf([one])])
      }
    })
  })
}
