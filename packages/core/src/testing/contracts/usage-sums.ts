/** Contract of UsageStorage, first part: sums, groups, order and filters. */
import type { PriceBook } from '../../ports/price-book.ts'
import type { Store } from '../../ports/store.ts'
import type { RequestFact, UsageGrouping, UsageTotals } from '../../ports/usage-storage.ts'
import { append, facts, importBatch, reply, request, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const GROUPINGS: readonly UsageGrouping[] = [
  'day',
  'week',
  'month',
  'session',
  'model',
  'mode',
  'workspace',
  'project',
  'branch',
  'agent',
  'person',
  'machine',
]
const DAY = 86_400_000
const NO_INPUT = { inputTokens: 0, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 }

/** Forty requests of two agents, three sessions, odd sizes, some without time, price, mode or branch. */
const REQUESTS = Array.from(
  { length: 40 },
  (_, index): { readonly session: string; readonly fact: RequestFact; readonly visible: number } => {
    const cost = index % 7 === 0 ? null : BigInt(index * 1_234_567 + 1)
    return {
      session: `s${index % 3}`,
      fact: request(`c${index}`, {
        at: index % 11 === 0 ? null : T0 + index * 7 * DAY + index * 1_777_777,
        model: `model-${index % 4}`,
        inputTokens: index * 13,
        cacheReadTokens: index * 1009,
        cacheWrite5mTokens: index % 5,
        cacheWrite1hTokens: index * 3,
        ...(index % 3 === 1 ? { cacheWrite30mTokens: index * 29 } : {}),
        ...(index % 4 === 3 ? { cacheWrite12hTokens: 1_000 - index } : {}),
        outputTokens: index * 17,
        ...(index % 2 === 0 ? { reasoningTokens: index } : {}),
        ...(index % 3 === 0 ? { mode: 'plan' } : index % 3 === 1 ? { mode: 'act' } : {}),
        ...(index % 4 === 0 ? {} : { branch: `b${index % 2}` }),
        ...(index % 5 === 0 ? {} : { workspace: `/work/w${index % 3}` }),
        costNano: cost,
        costState: cost === null ? 'unpriced' : index % 2 === 0 ? 'recorded' : 'computed',
        ...(index % 4 === 2
          ? { attempt: 1 + (index % 3), latency: { firstTokenMs: index * 7, totalMs: index * 311 } }
          : {}),
        ...(index % 5 === 2 ? {} : { outputRate: BigInt(index) * 1_234_567_891n }),
        ...(index % 6 === 1
          ? {
              costSplit: {
                cacheReadNano: 7n,
                cacheWriteNano: BigInt(index),
                outputNano: 3n,
                savedNano: BigInt(100 - index * 9),
              },
            }
          : {}),
      }),
      visible: index * 100,
    }
  },
)

/** Appends all of `REQUESTS`; session s2 is another agent's. */
const fill = async (store: Store): Promise<void> => {
  for (const { session, fact, visible } of REQUESTS) {
    const agent = session === 's2' ? 'other' : 'cairn'
    await append(store, facts(session, { agent }), reply(fact.callId, fact, visible))
  }
}

const FIELDS = [
  'requests',
  'inputTokens',
  'cacheReadTokens',
  'cacheWrite5mTokens',
  'cacheWrite1hTokens',
  'cacheWrite30mTokens',
  'cacheWrite12hTokens',
  'outputTokens',
  'reasoningTokens',
  'costNano',
  'recordedCostNano',
  'cacheReadCostNano',
  'cacheWriteCostNano',
  'outputCostNano',
  'savedNano',
  'unpricedRequests',
  'partialRequests',
  'missingOutputTokens',
  'missingOutputCostNano',
  'timedRequests',
  'firstTokenMs',
  'totalMs',
] as const satisfies readonly (keyof UsageTotals)[]

/** The sums by the fields' definitions, in a way that no implementation would choose. */
const sumOf = (requests: typeof REQUESTS): Record<string, number | bigint> => {
  const count = (value: (fact: RequestFact, visible: number) => number) =>
    requests.reduce((sum, { fact, visible }) => sum + value(fact, visible), 0)
  const money = (value: (fact: RequestFact) => bigint) => requests.reduce((sum, { fact }) => sum + value(fact), 0n)
  // 27 tenths of a character a token, in whole numbers.
  const isPartial = (fact: RequestFact, visible: number) => fact.outputTokens * 54 < visible * 10
  return {
    requests: requests.length,
    inputTokens: count((fact) => fact.inputTokens),
    cacheReadTokens: count((fact) => fact.cacheReadTokens),
    cacheWrite5mTokens: count((fact) => fact.cacheWrite5mTokens),
    cacheWrite1hTokens: count((fact) => fact.cacheWrite1hTokens),
    cacheWrite30mTokens: count((fact) => fact.cacheWrite30mTokens ?? 0),
    cacheWrite12hTokens: count((fact) => fact.cacheWrite12hTokens ?? 0),
    outputTokens: count((fact) => fact.outputTokens),
    reasoningTokens: count((fact) => fact.reasoningTokens ?? 0),
    costNano: money((fact) => fact.costNano ?? 0n),
    recordedCostNano: money((fact) => (fact.costState === 'recorded' ? (fact.costNano ?? 0n) : 0n)),
    cacheReadCostNano: money((fact) => fact.costSplit?.cacheReadNano ?? 0n),
    cacheWriteCostNano: money((fact) => fact.costSplit?.cacheWriteNano ?? 0n),
    outputCostNano: money((fact) => fact.costSplit?.outputNano ?? 0n),
    savedNano: money((fact) => fact.costSplit?.savedNano ?? 0n),
    unpricedRequests: count((fact) => (fact.costNano === null ? 1 : 0)),
    partialRequests: count((fact, visible) => (isPartial(fact, visible) ? 1 : 0)),
    missingOutputTokens: count((fact, visible) =>
      isPartial(fact, visible) ? Math.floor((visible * 10 + 26) / 27) - fact.outputTokens : 0,
    ),
    // Rounded for each request, so that no grouping adds up to anything else.
    missingOutputCostNano: requests.reduce((sum, { fact, visible }) => {
      if (!isPartial(fact, visible) || fact.costNano === null || fact.outputRate === undefined) return sum
      const tokens = BigInt(Math.floor((visible * 10 + 26) / 27) - fact.outputTokens)
      return sum + (tokens * fact.outputRate + 500_000n) / 1_000_000n
    }, 0n),
    timedRequests: count((fact) => (fact.latency === undefined ? 0 : 1)),
    firstTokenMs: count((fact) => fact.latency?.firstTokenMs ?? 0),
    totalMs: count((fact) => fact.latency?.totalMs ?? 0),
  }
}

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageSumsContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('sums', () => {
    it('are the same whatever they are grouped by', async (store) => {
      await fill(store)
      for (const by of GROUPINGS) {
        const { rows, total } = await store.usage.report({ by, timeZone: 'Asia/Kathmandu' })
        expect([by, total]).toEqual([by, sumOf(REQUESTS)])
        for (const field of FIELDS) {
          const values = rows.map((row) => row[field])
          const sum = values.reduce<number | bigint>(
            (all, value) => (typeof value === 'bigint' ? BigInt(all) + value : Number(all) + value),
            0,
          )
          expect([by, field, BigInt(sum)]).toEqual([by, field, BigInt(total[field])])
        }
        expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
      }
    })

    it('are of exactly the folders that are asked for, with any grouping and filter', async (store) => {
      await fill(store)
      const asked = (paths: readonly string[]) => REQUESTS.filter(({ fact }) => paths.includes(fact.workspace ?? ''))
      const totalOf = async (workspaces: readonly string[], by: UsageGrouping, filter = {}) =>
        (await store.usage.report({ by, workspaces, filter })).total
      for (const by of GROUPINGS)
        for (const workspaces of [['/work/w1'], ['/work/w2', '/nowhere', '/work/w0', '/work/w2'], ['w1'], []])
          expect([by, workspaces, await totalOf(workspaces, by)]).toEqual([by, workspaces, sumOf(asked(workspaces))])
      expect(await totalOf(['/work/w1', '/work/w2'], 'mode', { model: 'model-3' })).toEqual(
        sumOf(asked(['/work/w1', '/work/w2']).filter(({ fact }) => fact.model === 'model-3')),
      )
      expect(await totalOf(['/work/w1'], 'mode', { workspace: '/work/w2' })).toMatchObject({ requests: 0 })
    })

    it('are right for each value of each dimension', async (store) => {
      await fill(store)
      const expectRows = async (by: UsageGrouping, keyOf: (item: (typeof REQUESTS)[number]) => string) => {
        const { rows } = await store.usage.report({ by })
        const keys = new Set(REQUESTS.map(keyOf))
        const expected = [...keys].map((key) => ({
          key,
          ...sumOf(REQUESTS.filter((item) => keyOf(item) === key)),
        }))
        const byKey = (left: { key: string }, right: { key: string }) => (left.key < right.key ? -1 : 1)
        expect([...rows].sort(byKey)).toEqual(expected.sort(byKey))
      }
      await expectRows('model', ({ fact }) => fact.model)
      await expectRows('mode', ({ fact }) => fact.mode ?? 'unknown')
      await expectRows('branch', ({ fact }) => fact.branch ?? 'unknown')
      await expectRows('workspace', ({ fact }) => fact.workspace ?? 'unknown')
      await expectRows('project', ({ fact }) => fact.workspace ?? 'unknown')
      await expectRows('person', () => 'unknown')
      await expectRows('session', ({ session }) => (session === 's2' ? 'other:s2' : `cairn:${session}`))
      await expectRows('agent', ({ session }) => (session === 's2' ? 'other' : 'cairn'))
      await expectRows('day', ({ fact }) =>
        fact.at === null ? 'unknown' : new Date(fact.at).toISOString().slice(0, 10),
      )
      await expectRows('month', ({ fact }) =>
        fact.at === null ? 'unknown' : new Date(fact.at).toISOString().slice(0, 7),
      )
    })

    it('use a price that becomes known later, for requests without one', async (store) => {
      const unpriced = { costNano: null, costState: 'unpriced' } as const
      await append(
        store,
        facts('s'),
        reply('m1', request('c1', { ...unpriced, model: 'new', outputTokens: 7 }), 270),
        reply('m2', request('c2', { ...unpriced, model: 'other', outputTokens: 7 })),
        reply('m3', request('c3', { costNano: 5n, costState: 'recorded', model: 'new', outputTokens: 7 })),
        // Of its input nothing is known: its output's price would be no cost of it.
        reply('m4', request('c4', { ...unpriced, ...NO_INPUT, model: 'new', outputTokens: 7 })),
      )
      const prices: PriceBook = {
        cost: ({ model }, { outputTokens }) => (model === 'new' ? BigInt(outputTokens) * 3n : undefined),
        split: ({ model }, { outputTokens }) =>
          model === 'new'
            ? {
                inputNano: 0n,
                cacheReadNano: 0n,
                cacheWriteNano: 1n,
                outputNano: BigInt(outputTokens) * 3n - 1n,
                savedNano: 2n,
              }
            : undefined,
      }
      expect(await store.reprice(prices)).toBe(1)
      expect(await store.reprice(prices)).toBe(0)
      for (const by of GROUPINGS) {
        expect((await store.usage.report({ by })).total).toMatchObject({
          requests: 4,
          costNano: 26n,
          recordedCostNano: 5n,
          outputCostNano: 20n,
          // 93 tokens at 3 nano-USD.
          missingOutputTokens: 93,
          missingOutputCostNano: 279n,
          savedNano: 2n,
          unpricedRequests: 2,
        })
      }
      expect((await store.sessions.get('cairn:s'))?.costNano).toBe(26n)
      expect(await store.verify()).toEqual([])
    })

    it('of the most expensive rows come with the total of all', async (store) => {
      await fill(store)
      for (const by of GROUPINGS) {
        const all = await store.usage.report({ by })
        const few = await store.usage.report({ by, limit: 2 })
        const isPeriod = by === 'day' || by === 'week' || by === 'month'
        expect(few.rows).toEqual(isPeriod ? all.rows.slice(-2) : all.rows.slice(0, 2))
        expect(few.total).toEqual(all.total)
      }
    })

    it("attribute a request without a workspace to its session's", async (store) => {
      const { workspace: _workspace, branch: _branch, ...fact } = request('c1')
      await append(store, facts('s', { workspace: '/work/here', branch: 'topic' }), reply('m', fact))
      expect((await store.usage.report({ by: 'workspace' })).rows.map((row) => row.key)).toEqual(['/work/here'])
      expect((await store.usage.report({ by: 'branch' })).rows.map((row) => row.key)).toEqual(['topic'])
    })

    it('of no requests are zero', async (store) => {
      const { rows, total } = await store.usage.report({ by: 'day' })
      expect(rows).toEqual([])
      expect(total).toEqual(sumOf([]))
    })

    it('stay exact beyond the largest safe integer', async (store) => {
      const cost = 4_503_599_627_370_497n
      for (const id of ['a', 'b', 'c'])
        await append(store, facts(id), reply('m', request(id, { costNano: cost, costState: 'recorded' })))
      for (const by of ['model', 'day'] as const) {
        expect((await store.usage.report({ by })).total).toMatchObject({
          costNano: 3n * cost,
          recordedCostNano: 3n * cost,
        })
      }
    })

    it('never count an unpriced request as free', async (store) => {
      await append(
        store,
        facts('s'),
        reply('m1', request('c1', { costNano: null, costState: 'unpriced' })),
        reply('m2', request('c2', { costNano: 0n, costState: 'recorded' })),
      )
      expect((await store.usage.report({ by: 'model' })).total).toMatchObject({
        requests: 2,
        costNano: 0n,
        unpricedRequests: 1,
      })
      expect((await store.usage.requests('cairn:s')).map((fact) => [fact.costNano, fact.costState])).toEqual([
        [null, 'unpriced'],
        [0n, 'recorded'],
      ])
    })

    it('price unrecorded output at the rate of each request, apart from all costs', async (store) => {
      const partial = { outputTokens: 1, costNano: 5n } as const
      await append(
        store,
        facts('s'),
        reply('m1', request('c1', { ...partial, outputRate: 15_000_000_000n, model: 'large' }), 270),
        reply('m2', request('c2', { ...partial, outputRate: 37_500_000n, model: 'small', at: null }), 27),
        reply('m3', request('c3', { ...partial, costState: 'recorded', outputRate: 15_000_000_000n }), 27),
        reply('m4', request('c4', { ...partial, model: 'odd' }), 270),
        reply('m5', request('c5', { ...partial, costNano: null, costState: 'unpriced', outputRate: 1_000_000n }), 270),
        reply('m6', request('c6', { outputTokens: 100, costNano: 5n, outputRate: 15_000_000_000n }), 270),
      )
      const large = 99n * 15_000n
      // 9 tokens at 37.5 nano-USD: 337.5, rounded up.
      const small = 338n
      const recorded = 9n * 15_000n
      const total = { costNano: 25n, missingOutputTokens: 315, missingOutputCostNano: large + small + recorded }
      for (const by of GROUPINGS) expect([by, (await store.usage.report({ by })).total]).toMatchObject([by, total])
      const { rows } = await store.usage.report({ by: 'model' })
      expect(Object.fromEntries(rows.map((row) => [row.key, row.missingOutputCostNano]))).toEqual({
        large,
        small,
        odd: 0n,
        'claude-test': recorded,
      })
      expect((await store.usage.report({ by: 'day', since: T0 - 1, until: T0 + 1 })).total.missingOutputCostNano).toBe(
        large + recorded,
      )
      expect(await store.sessions.get('cairn:s')).toMatchObject({
        costNano: 25n,
        missingOutputCostNano: total.missingOutputCostNano,
      })
      expect((await store.sessions.list({})).sessions[0]?.missingOutputCostNano).toBe(total.missingOutputCostNano)
      expect(await store.verify()).toEqual([])
      await store.rebuild()
      expect((await store.usage.report({ by: 'agent' })).total).toMatchObject(total)
      expect((await store.sessions.get('cairn:s'))?.missingOutputCostNano).toBe(total.missingOutputCostNano)
    })

    it('mark replies whose recorded output is under half of their visible text', async (store) => {
      const at = (index: number) => T0 + index
      await append(
        store,
        facts('s'),
        reply('m1', request('c1', { outputTokens: 100, at: at(1) }), 540),
        reply('m2', request('c2', { outputTokens: 100, at: at(2) }), 541),
        reply('m3', request('c3', { outputTokens: 0, at: at(3) }), 0),
        reply('m4', request('c4', { outputTokens: 1, at: at(4) }), 27),
      )
      expect((await store.usage.requests('cairn:s')).map((fact) => fact.partial)).toEqual([false, true, false, true])
      // ceil(541 / 2.7) − 100 = 101, and 10 − 1 = 9.
      expect((await store.usage.report({ by: 'day' })).total).toMatchObject({
        outputTokens: 201,
        partialRequests: 2,
        missingOutputTokens: 110,
      })
    })
  })

  describe('rows', () => {
    it('of periods are in order of time, unknown times last', async (store) => {
      await fill(store)
      for (const by of ['day', 'week', 'month'] as const) {
        const keys = (await store.usage.report({ by })).rows.map((row) => row.key)
        expect(keys).toEqual([...keys.filter((key) => key !== 'unknown').sort(), 'unknown'])
      }
    })

    it('of dimensions are most expensive first, then by more requests, then by key', async (store) => {
      const priced = (id: string, model: string, cost: bigint | null) =>
        reply(id, request(id, { model, costNano: cost, costState: cost === null ? 'unpriced' : 'computed' }))
      await append(
        store,
        facts('s'),
        priced('1', 'cheap', 1n),
        priced('2', 'dear', 9n),
        priced('3', 'b-free', null),
        priced('4', 'a-free', null),
        priced('5', 'busy', null),
        priced('6', 'busy', null),
      )
      expect((await store.usage.report({ by: 'model' })).rows.map((row) => row.key)).toEqual([
        'dear',
        'cheap',
        'busy',
        'a-free',
        'b-free',
      ])
    })
  })

  describe('filters', () => {
    it('accept each dimension, a workspace by path or by name, and all together', async (store) => {
      await fill(store)
      const requests = async (filter: Record<string, string>) =>
        (await store.usage.report({ by: 'day', filter })).total.requests
      const count = (isWanted: (item: (typeof REQUESTS)[number]) => boolean) => REQUESTS.filter(isWanted).length
      expect(await requests({ session: 'cairn:s1' })).toBe(count((item) => item.session === 's1'))
      expect(await requests({ agent: 'other' })).toBe(count((item) => item.session === 's2'))
      expect(await requests({ model: 'model-2' })).toBe(count((item) => item.fact.model === 'model-2'))
      expect(await requests({ mode: 'plan' })).toBe(count((item) => item.fact.mode === 'plan'))
      expect(await requests({ branch: 'b1' })).toBe(count((item) => item.fact.branch === 'b1'))
      expect(await requests({ workspace: '/work/w1' })).toBe(count((item) => item.fact.workspace === '/work/w1'))
      expect(await requests({ workspace: 'w1' })).toBe(count((item) => item.fact.workspace === '/work/w1'))
      expect(await requests({ workspace: 'work' })).toBe(0)
      expect(await requests({ workspace: 'w1', mode: 'act', model: 'model-1' })).toBe(
        count(({ fact }) => fact.workspace === '/work/w1' && fact.mode === 'act' && fact.model === 'model-1'),
      )
      expect(await requests({ model: 'none' })).toBe(0)
    })

    it('find workspaces of the same name in any folder', async (store) => {
      const workspaces = ['/home/ann/shop', '/srv/shop', 'C:\\code\\shop', '/home/ann/shop-2', '/shop/x']
      for (const [index, workspace] of workspaces.entries())
        await append(store, facts(`s${index}`), reply('m', request(`c${index}`, { workspace })))
      const { rows } = await store.usage.report({ by: 'workspace', filter: { workspace: 'shop' } })
      expect(rows.map((row) => row.key).sort()).toEqual(workspaces.slice(0, 3).sort())
    })
  })

  describe('requests of a session', () => {
    it('are in order of time, unknown times last, with all fields', async (store) => {
      const full = request('c2', {
        at: T0,
        mode: 'plan',
        subagent: 'a1',
        reasoningTokens: 5,
        provider: 'openai',
        workspace: '/srv/shop',
        cacheWrite12hTokens: 7,
        costSplit: { cacheReadNano: 1n, cacheWriteNano: 20n, outputNano: 300n, savedNano: -4_000n },
        // Nano-USD 15,000 a token.
        outputRate: 15_000_000_000n,
        attempt: 2,
        latency: { firstTokenMs: 310, totalMs: 4_200 },
      })
      await importBatch(store, '/a', {
        sessions: [
          {
            session: facts('s'),
            writes: [
              reply('m1', request('c1', { at: T0 + 5 })),
              reply('m3', request('c3', { at: null })),
              reply('m2', full, 9999),
            ],
          },
          { session: facts('t'), writes: [reply('m4', request('c4'))] },
        ],
      })
      const found = await store.usage.requests('cairn:s')
      expect(found.map((fact) => fact.at)).toEqual([T0, T0 + 5, null])
      expect(found[0]).toEqual({
        at: T0,
        model: 'claude-test',
        provider: 'openai',
        mode: 'plan',
        subagent: 'a1',
        workspace: '/srv/shop',
        inputTokens: 10,
        cacheReadTokens: 200,
        cacheWrite5mTokens: 30,
        cacheWrite1hTokens: 4,
        cacheWrite30mTokens: 0,
        cacheWrite12hTokens: 7,
        outputTokens: 100,
        reasoningTokens: 5,
        costNano: 1_000_000n,
        costState: 'computed',
        costSplit: { cacheReadNano: 1n, cacheWriteNano: 20n, outputNano: 300n },
        partial: true,
        // 9,999 characters need 3,704 tokens.
        missingOutputCostNano: 3_604n * 15_000n,
        attempt: 2,
        latency: { firstTokenMs: 310, totalMs: 4_200 },
      })
      expect(found[1]?.latency).toBe(undefined)
      expect(found[1]).toMatchObject({ mode: null, subagent: null, workspace: null, partial: false })
      expect(await store.usage.requests('cairn:s', { last: 2 })).toEqual(found.slice(1))
      expect(await store.usage.requests('cairn:s', { last: 1 })).toEqual(found.slice(2))
      expect(await store.usage.requests('cairn:s', { last: 9 })).toEqual(found)
      expect(await store.usage.requests('cairn:none')).toEqual([])
    })
  })
}
