/** Contract of UsageStorage, third part: a request that is reported several times is one request. */
import fc from 'fast-check'
import type { Store } from '../../ports/store.ts'
import type { EntryWrite, SessionFacts } from '../../ports/session-storage.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { append, facts, importBatch, importedMessage, reply, request, T0 } from './fixtures.ts'
import { SLOW_TEST_MS, testsOn, type OpenStore, type TestApi } from './test-api.ts'

/** A report of one of a few calls, in one of a few sessions. */
interface Report {
  readonly session: number
  readonly call: number
  readonly at: number | null
  readonly outputTokens: number
  readonly visible: number
  readonly id: number
}

const report: fc.Arbitrary<Report> = fc.record({
  session: fc.integer({ min: 0, max: 2 }),
  call: fc.integer({ min: 0, max: 4 }),
  at: fc.option(fc.integer({ min: 0, max: 3 }).map((step) => T0 + step * 700_000_000)),
  outputTokens: fc.integer({ min: 0, max: 5 }).map((step) => step * 40),
  visible: fc.integer({ min: 0, max: 600 }),
  id: fc.integer({ min: 0, max: 30 }),
})

/** Tokens and cost follow from call and output, attribution from session and time: as in real reports. */
const factOf = (from: Report): RequestFact => ({
  callId: `call ${from.call}`,
  at: from.at,
  model: `model-${from.call % 2}`,
  inputTokens: from.call + from.outputTokens,
  cacheReadTokens: from.outputTokens * 3,
  cacheWrite5mTokens: from.outputTokens % 7,
  cacheWrite1hTokens: from.call,
  outputTokens: from.outputTokens,
  branch: `branch-${from.session}-${from.at}`,
  workspace: `/work/${from.session}-${from.at}`,
  mode: from.at === null ? 'plan' : 'act',
  ...(from.call === 3
    ? { costNano: null, costState: 'unpriced' }
    : { costNano: BigInt(from.outputTokens * 1001), costState: 'computed' }),
})

/** A report as an entry with its request. */
const writeOf = (from: Report): EntryWrite => ({
  ...importedMessage(`m${from.session}-${from.id}`, 'x', { role: 'assistant', at: from.at }),
  request: factOf(from),
  visibleCharacters: from.visible,
})

/** Imports reports, split into batches after the given places, each batch into one of a few files. */
const importReports = async (
  store: Store,
  agent: string,
  reports: readonly Report[],
  cuts: readonly number[],
): Promise<void> => {
  const starts = [
    0,
    ...[...new Set(cuts)].filter((cut) => cut > 0 && cut < reports.length).sort((left, right) => left - right),
  ]
  for (const [index, start] of starts.entries()) {
    const part = reports.slice(start, starts[index + 1])
    const sessions = [0, 1, 2].map((session) => ({
      session: facts(`${session}`, { agent }),
      writes: part.filter((item) => item.session === session).map(writeOf),
    }))
    await importBatch(store, `/${agent}/${index % 3}`, {
      agent,
      sessions: sessions.filter(({ writes }) => writes.length > 0),
    })
  }
}

/** Everything that usage can say of an agent's requests, without the agent's name. */
const usageOf = async (store: Store, agent: string) => {
  const reports = []
  for (const by of ['session', 'day', 'model', 'mode', 'workspace', 'branch'] as const) {
    const { rows, total } = await store.usage.report({ by, filter: { agent } })
    reports.push({ by, total, rows: rows.map((row) => ({ ...row, key: row.key.replace(agent, 'agent') })) })
  }
  const requests = []
  for (const session of [0, 1, 2]) {
    const found = await store.usage.requests(`${agent}:${session}`)
    requests.push(
      found
        .map((item) => JSON.stringify(item, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
        .sort(),
    )
  }
  return { reports, requests }
}

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageMergingContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)
  const bySession = async (store: Store) =>
    (await store.usage.report({ by: 'session' })).rows.map((row) => [row.key, row.requests, row.outputTokens])
  const importTo = (store: Store, session: SessionFacts, ...writes: readonly EntryWrite[]) =>
    importBatch(store, `/${session.id}`, { agent: session.agent, sessions: [{ session, writes }] })

  describe('reports of the same request', () => {
    it('count once, with the numbers of the largest output', async (store) => {
      const first = request('c', { outputTokens: 1, inputTokens: 99, costNano: 5n })
      const final = request('c', { outputTokens: 80, inputTokens: 7, costNano: 50n })
      const late = request('c', { outputTokens: 3, inputTokens: 55, costNano: 9n })
      await append(store, facts('s'), reply('m1', first), reply('m2', final), reply('m3', late))
      expect((await store.usage.report({ by: 'model' })).total).toMatchObject({
        requests: 1,
        inputTokens: 7,
        outputTokens: 80,
        costNano: 50n,
      })
    })

    it('belong to the session that saw it first, whichever was imported first', async (store) => {
      const fork = request('c', { at: T0 + 10, outputTokens: 90, branch: 'fork' })
      const parent = request('c', { at: T0, outputTokens: 20, branch: 'parent' })
      await importTo(store, facts('fork'), reply('m1', fork))
      expect(await bySession(store)).toEqual([['cairn:fork', 1, 90]])
      await importTo(store, facts('parent'), reply('m1', parent))
      expect(await bySession(store)).toEqual([['cairn:parent', 1, 90]])
      expect((await store.usage.report({ by: 'branch' })).rows.map((row) => row.key)).toEqual(['parent'])
      expect([
        (await store.usage.requests('cairn:fork')).length,
        (await store.usage.requests('cairn:parent')).length,
      ]).toEqual([0, 1])
      expect([
        (await store.sessions.get('cairn:fork'))?.requests,
        (await store.sessions.get('cairn:parent'))?.requests,
      ]).toEqual([0, 1])
    })

    it('belong to the smaller session id when their times are equal or unknown', async (store) => {
      for (const id of ['b', 'a', 'c'])
        await importTo(store, facts(id), reply('m', request('timed')), reply('n', request('timeless', { at: null })))
      expect(await bySession(store)).toEqual([['cairn:a', 2, 200]])
    })

    it('have a time as soon as one of them has one', async (store) => {
      await importTo(store, facts('a'), reply('m', request('c', { at: null })))
      await importTo(store, facts('b'), reply('m', request('c', { at: T0 })))
      expect((await store.usage.report({ by: 'session' })).rows.map((row) => row.key)).toEqual(['cairn:b'])
      expect((await store.usage.report({ by: 'month' })).rows.map((row) => row.key)).toEqual(['2026-02'])
    })

    it('are per agent: another may use the same call id', async (store) => {
      await importTo(store, facts('s', { agent: 'one' }), reply('m', request('c')))
      await importTo(store, facts('s', { agent: 'two' }), reply('m', request('c')))
      expect((await store.usage.report({ by: 'agent' })).total.requests).toBe(2)
    })

    it('add up the visible text of the reply, but not that of a known entry', async (store) => {
      const fact = request('c', { outputTokens: 100, outputRate: 2_000_000n })
      const parts = [reply('m1', fact, 300), reply('m2', fact, 240)]
      await importTo(store, facts('s'), ...parts)
      expect((await store.usage.report({ by: 'model' })).total.partialRequests).toBe(0)
      await importTo(store, facts('s'), ...parts)
      expect((await store.usage.report({ by: 'model' })).total.partialRequests).toBe(0)
      await importTo(store, facts('s'), reply('m3', fact, 1))
      expect((await store.usage.report({ by: 'day' })).total).toMatchObject({
        requests: 1,
        partialRequests: 1,
        missingOutputTokens: 101,
        missingOutputCostNano: 202n,
      })
    })

    it(
      'give the same result in any order and any split',
      async (store) => {
        let run = 0
        await fc.assert(
          fc.asyncProperty(
            fc
              .uniqueArray(report, {
                minLength: 1,
                maxLength: 20,
                selector: (item) => `${item.session}-${item.id}`,
              })
              .chain((reports) =>
                fc.record({
                  reports: fc.constant(reports),
                  // The same once more, and some of them twice.
                  shuffled: fc
                    .tuple(fc.shuffledSubarray(reports, { minLength: reports.length }), fc.subarray(reports))
                    .map(([all, again]) => [...all, ...again]),
                  cuts: fc.array(fc.nat({ max: 30 }), { maxLength: 6 }),
                }),
              ),
            async ({ reports, shuffled, cuts }) => {
              run += 1
              await importReports(store, `plain${run}`, reports, [])
              await importReports(store, `mixed${run}`, shuffled, cuts)
              expect(await usageOf(store, `mixed${run}`)).toEqual(await usageOf(store, `plain${run}`))
            },
          ),
          { numRuns: 25 },
        )
        expect(await store.verify()).toEqual([])
      },
      SLOW_TEST_MS,
    )
  })
}
