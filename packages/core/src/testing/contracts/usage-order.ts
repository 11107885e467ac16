/** Contract of UsageStorage: rows are sorted by numbers, and a report of few rows is the beginning of the whole one. */
import type { Store } from '../../ports/store.ts'
import type { UsageQuery, UsageRow, UsageTotals } from '../../ports/usage-storage.ts'
import { addTotals, emptyTotals } from '../../usage/totals.ts'
import { facts, importBatch, reply, request, T0 } from './fixtures.ts'
import { SLOW_TEST_MS, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const DIMENSIONS = ['session', 'model', 'mode', 'workspace', 'branch', 'agent'] as const
const PERIODS = ['day', 'week', 'month'] as const
const QUARTER = 900_000
const DAY = 86_400_000

/**
 * Costs of one to twenty digits, in no order and such that texts of them sort otherwise; some without a price. The last
 * four cost the same, two of them with a request more.
 */
const COSTS: readonly (bigint | null)[] = [
  9n,
  100n,
  20n,
  8_000_000_000n,
  null,
  335_390_000_000n,
  9_740_000_000n,
  1n,
  0n,
  142_000_000_001n,
  10_000_000_000n,
  99n,
  null,
  1_000_000_000_000_000n,
  3n,
  70_000n,
  5n,
  5n,
  5n,
  5n,
]

/** Each value of each dimension costs something else; what the costs are says nothing about which came first, or about names. */
const fill = (store: Store) =>
  importBatch(store, '/a', {
    sessions: COSTS.map((costNano, index) => {
      const name = String((index * 7) % COSTS.length)
      const agent = `agent-${name}`
      const fact = (call: string, cost: bigint | null) =>
        request(`${name}-${call}`, {
          at: T0 + index * 40 * DAY + index,
          model: `model-${name}`,
          mode: `mode-${name}`,
          branch: `branch-${name}`,
          workspace: `/work/${name}`,
          inputTokens: 10 ** (index % 7),
          cacheReadTokens: index * 11,
          outputTokens: index % 3 === 0 ? 9 : 10_000,
          costNano: cost,
          costState: cost === null ? 'unpriced' : 'recorded',
        })
      const more = index % 2 === 0 ? [reply('2', fact('2', costNano === null ? null : 0n))] : []
      return { session: facts(name, { agent }), writes: [reply('1', fact('1', costNano)), ...more] }
    }),
  })

/**
 * Whether two rows are in the order of a report: by cost, then requests, then key. By the definition, with nothing of
 * what stores use.
 */
const isInOrder = (left: UsageRow, right: UsageRow): boolean => {
  if (left.costNano !== right.costNano) return left.costNano > right.costNano
  return left.requests === right.requests ? left.key < right.key : left.requests > right.requests
}

/** From rollups, from the requests themselves, and filtered. */
const QUERIES: readonly Omit<UsageQuery, 'by'>[] = [
  {},
  { since: T0 - DAY, until: T0 + 10_000 * DAY },
  { since: T0 - QUARTER + 17, until: T0 + 500 * DAY + 23 },
  { since: T0 + 1, until: T0 + 700 * DAY + 12 },
  { filter: { model: 'model-7' } },
]

const sumOf = (rows: readonly UsageRow[]): UsageTotals =>
  rows.reduce<UsageTotals>((sum, { key: _key, ...totals }) => addTotals(sum, totals), emptyTotals)

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageOrderContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('order', () => {
    it(
      'of dimensions is numeric, and a limit keeps the most expensive',
      async (store) => {
        await fill(store)
        for (const query of QUERIES) {
          for (const by of DIMENSIONS) {
            const all = await store.usage.report({ ...query, by })
            expect([by, query, all.rows.length > 0]).toEqual([by, query, true])
            for (const [index, row] of all.rows.entries()) {
              const next = all.rows[index + 1]
              expect([by, row.key, next === undefined || isInOrder(row, next)]).toEqual([by, row.key, true])
            }
            expect([by, sumOf(all.rows)]).toEqual([by, all.total])
            for (let limit = 1; limit <= all.rows.length + 1; limit += 1) {
              const few = await store.usage.report({ ...query, by, limit })
              expect([by, limit, few.rows]).toEqual([by, limit, all.rows.slice(0, limit)])
              // What is left of the total is what a page shows as all others.
              expect([by, addTotals(sumOf(few.rows), sumOf(all.rows.slice(limit)))]).toEqual([by, few.total])
            }
          }
        }
      },
      SLOW_TEST_MS,
    )

    it('of periods is by time, and a limit keeps the latest', async (store) => {
      await fill(store)
      for (const query of QUERIES) {
        for (const by of PERIODS) {
          const all = await store.usage.report({ ...query, by })
          expect(all.rows.map((row) => row.key)).toEqual(all.rows.map((row) => row.key).sort())
          for (let limit = 1; limit <= all.rows.length + 1; limit += 1) {
            const few = await store.usage.report({ ...query, by, limit })
            expect([by, limit, few.rows]).toEqual([by, limit, all.rows.slice(-limit)])
            expect(few.total).toEqual(all.total)
          }
        }
      }
    })

    it('of sessions is numeric for each column in both directions, and pages are parts of the whole list', async (store) => {
      await fill(store)
      await importBatch(store, '/b', {
        sessions: [1, 2, 9, 10, 11, 100].map((messages) => ({
          session: facts(`long-${messages}`),
          writes: Array.from({ length: messages }, (_, index) =>
            reply(`${index}`, request(`${messages}-${index}`, { at: T0 - messages * DAY + index, costNano: 1n })),
          ),
        })),
      })
      for (const order of ['ascending', 'descending'] as const) {
        for (const [sort, valueOf] of [
          ['updated', 'updatedAt'],
          ['started', 'startedAt'],
          ['cost', 'costNano'],
          ['messages', 'messages'],
        ] as const) {
          const all = await store.sessions.list({ sort, order, limit: 1_000 })
          const values = all.sessions.map((session) => session[valueOf] ?? 0)
          const byNumber = [...values].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
          expect([sort, order, values]).toEqual([sort, order, order === 'ascending' ? byNumber : byNumber.reverse()])
          for (const limit of [1, 3, 7]) {
            const pages: string[] = []
            for (let offset = 0; offset < all.total; offset += limit) {
              const { sessions } = await store.sessions.list({ sort, order, limit, offset })
              pages.push(...sessions.map(({ id }) => id))
            }
            expect([sort, order, limit, pages]).toEqual([sort, order, limit, all.sessions.map(({ id }) => id)])
          }
        }
      }
    })
  })
}
