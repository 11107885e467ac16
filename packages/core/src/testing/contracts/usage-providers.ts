/** Contract of UsageStorage: sums by provider add up to reports, with what tells the provider and at which time. */
import type { ProviderSum, ProviderSumsQuery } from '../../ports/usage-storage.ts'
import type { Store } from '../../ports/store.ts'
import { facts, importBatch, reply, request, T0 } from './fixtures.ts'
import { rejectionOf, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const HOUR = 3_600_000
const REQUESTS = 60

interface Made {
  readonly at: number | null
  readonly agent: string
  readonly provider: string | null
  readonly model: string
  readonly workspace: string | null
  readonly costNano: bigint | null
}

/** Costs of one to fourteen digits; every seventh request has no price, every eleventh no time. */
const MADE: readonly Made[] = Array.from({ length: REQUESTS }, (_, index) => ({
  at: index % 11 === 10 ? null : T0 + index * 5 * HOUR,
  agent: index % 3 === 0 ? 'claude-code' : 'cline',
  provider: [null, 'anthropic', 'openrouter', 'OpenAI-native'][(index * 7) % 4] ?? null,
  model: `model-${index % 2}`,
  workspace: index % 5 === 4 ? null : `/work/${index % 2}`,
  costNano: index % 7 === 6 ? null : 10n ** BigInt(index % 14) * BigInt(1 + (index % 9)),
}))

/** Two sessions with all requests of `MADE`. */
const fill = (store: Store) =>
  importBatch(store, '/providers', {
    sessions: ['claude-code', 'cline'].map((agent) => ({
      session: facts(`of-${agent}`, { agent }),
      writes: MADE.flatMap((made, index) =>
        made.agent === agent
          ? [
              reply(
                `${index}`,
                request(`${index}`, {
                  at: made.at,
                  model: made.model,
                  costNano: made.costNano,
                  costState: made.costNano === null ? 'unpriced' : 'computed',
                  ...(made.provider === null ? {} : { provider: made.provider }),
                  ...(made.workspace === null ? {} : { workspace: made.workspace }),
                }),
              ),
            ]
          : [],
      ),
    })),
  })

/** The sums that a store should give, by the definition; a boundary begins a span. */
const expected = (boundaries: readonly number[], isWanted: (made: Made) => boolean): readonly ProviderSum[] => {
  const groups = Map.groupBy(MADE.filter(isWanted), ({ at, agent, provider, model, workspace }) =>
    JSON.stringify({
      span: at === null ? null : boundaries.filter((boundary) => boundary <= at).length,
      provider,
      agent,
      model,
      workspace,
      person: null,
      machine: null,
    }),
  )
  return [...groups].map(([group, made]) => ({
    ...(JSON.parse(group) as Omit<ProviderSum, 'requests' | 'costNano' | 'unpricedRequests'>),
    requests: made.length,
    costNano: made.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n),
    unpricedRequests: made.filter(({ costNano }) => costNano === null).length,
  }))
}

/** Sums as sorted lines, as their order is not told. */
const sorted = (sums: readonly ProviderSum[]): readonly string[] =>
  sums
    .map((sum) =>
      [
        sum.span,
        sum.provider,
        sum.agent,
        sum.model,
        sum.workspace,
        sum.person,
        sum.machine,
        sum.requests,
        sum.costNano,
        sum.unpricedRequests,
      ].join(' | '),
    )
    .toSorted()

const CUTS: readonly (readonly number[])[] = [
  [],
  [T0 + 5 * HOUR],
  [T0 - HOUR, T0 + 50 * HOUR + 1, T0 + 100 * HOUR, T0 + 9_000 * HOUR],
]

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageProvidersContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('sums by provider', () => {
    it('are none of an empty store', async (store) => {
      expect(await store.usage.providerSums({ boundaries: [T0] })).toEqual([])
    })

    it('tell what tells the provider, the folder and the span, exactly', async (store) => {
      await fill(store)
      const [since, until] = [T0 + 10 * HOUR, T0 + 203 * HOUR]
      for (const boundaries of CUTS) {
        const sums = async (query: Omit<ProviderSumsQuery, 'boundaries'>) =>
          sorted(await store.usage.providerSums({ ...query, boundaries }))
        const of = (isWanted: (made: Made) => boolean) => sorted(expected(boundaries, isWanted))
        expect(await sums({})).toEqual(of(() => true))
        expect(await sums({ since })).toEqual(of(({ at }) => at !== null && at >= since))
        expect(await sums({ since, until, filter: { workspace: '/work/1' } })).toEqual(
          of(({ at, workspace }) => at !== null && at >= since && at < until && workspace === '/work/1'),
        )
        expect(await sums({ filter: { agent: 'cline', model: 'model-1' } })).toEqual(
          of(({ agent, model }) => agent === 'cline' && model === 'model-1'),
        )
        expect(await sums({ since: until, until: since })).toEqual([])
      }
    })

    it('add up to the total of a report', async (store) => {
      await fill(store)
      for (const range of [{}, { since: T0 + 7 * HOUR }, { since: T0, until: T0 + 33 * HOUR + 17 }]) {
        const { total } = await store.usage.report({ by: 'model', ...range })
        const sums = await store.usage.providerSums({ ...range, boundaries: [T0 + 20 * HOUR] })
        expect({
          requests: sums.reduce((sum, { requests }) => sum + requests, 0),
          costNano: sums.reduce((sum, { costNano }) => sum + costNano, 0n),
          unpricedRequests: sums.reduce((sum, { unpricedRequests }) => sum + unpricedRequests, 0),
        }).toEqual({
          requests: total.requests,
          costNano: total.costNano,
          unpricedRequests: total.unpricedRequests,
        })
        expect(total.costNano > 0n).toBe(true)
      }
    })

    it('refuse a boundary that is no time', async (store) => {
      const failure = await rejectionOf(store.usage.providerSums({ boundaries: [Number.NaN] }))
      expect(failure).toMatchObject({ code: 'invalid-input' })
    })
  })
}
