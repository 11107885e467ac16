/** Contract of UsageStorage: the sessions that moved the cost are those that two whole reports by session show. */
import type { MoversQuery } from '../../ports/usage-storage.ts'
import type { Store } from '../../ports/store.ts'
import { moversOf } from '../../usage/movers.ts'
import { facts, importBatch, reply, request, T0 } from './fixtures.ts'
import { SLOW_TEST_MS, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SESSIONS = 40

/** Costs of one to sixteen digits; every fifth session costs the same, every seventh has no price. */
const costOf = (session: number, call: number): bigint | null =>
  session % 7 === 6
    ? null
    : session % 5 === 0
      ? 1_000n
      : 10n ** BigInt((session * 3 + call * 5) % 15) * BigInt(1 + (session % 9))

/** Sessions of one to four requests, up to nine hours apart, over ten days and across their borders. */
const fill = (store: Store) =>
  importBatch(store, '/movers', {
    sessions: Array.from({ length: SESSIONS }, (_, session) => ({
      session: facts(`session-${(session * 17) % SESSIONS}`),
      writes: Array.from({ length: 1 + (session % 4) }, (_unused, call) => {
        const costNano = costOf(session, call)
        return reply(
          `${session}-${call}`,
          request(`${session}-${call}`, {
            at: session === 3 ? null : T0 + ((session * 5) % 240) * HOUR + call * 9 * HOUR + session,
            model: `model-${(session + call) % 3}`,
            workspace: `/work/${session % 4}`,
            branch: `branch-${session % 6}`,
            inputTokens: 10 + session,
            outputTokens: 10_000,
            costNano,
            costState: costNano === null ? 'unpriced' : 'recorded',
          }),
        )
      }),
    })),
  })

const SPANS: readonly Pick<MoversQuery, 'now' | 'before'>[] = [
  { now: { since: T0 + 5 * DAY }, before: { since: T0, until: T0 + 5 * DAY } },
  {
    now: { since: T0 + 3 * DAY + 17, until: T0 + 6 * DAY + 5 * HOUR + 11 },
    before: { since: T0 + 7 * HOUR, until: T0 + 3 * DAY + 17 },
  },
  { now: { since: T0 + 400 * DAY }, before: { since: T0 + 300 * DAY, until: T0 + 400 * DAY } },
  { now: { since: T0 - DAY }, before: { since: T0 - 9 * DAY, until: T0 - DAY } },
]
const FILTERS: readonly NonNullable<MoversQuery['filter']>[] = [
  {},
  { model: 'model-1' },
  { workspace: '/work/2' },
  { branch: 'branch-5', model: 'model-2' },
  { branch: 'no such branch' },
]

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageMoversContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('sessions that moved the cost', () => {
    it(
      'are those of two whole reports, with what is left of the others',
      async (store) => {
        await fill(store)
        const whole = async (span: MoversQuery['now'], filter: NonNullable<MoversQuery['filter']>) =>
          (await store.usage.report({ by: 'session', ...span, filter })).rows
        let moved = 0
        for (const { now, before } of SPANS)
          for (const filter of FILTERS)
            for (const limit of [1, 3, 5, 100]) {
              const found = await store.usage.sessionMovers({ now, before, filter, limit })
              expect(found).toEqual(moversOf(await whole(before, filter), await whole(now, filter), limit))
              moved += found.movers.length
            }
        expect(moved).toBeGreaterThan(200)
      },
      SLOW_TEST_MS,
    )
  })
}
