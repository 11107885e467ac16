import { describe, expect, it } from '@jest/globals'
import type { EntryWrite } from '../ports/session-storage.ts'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'
import { DAY_MS } from '../usage/calendar.ts'
import { parseDiscounts, parseSubscriptions } from '../usage/plans.ts'
import { paidOf } from './create-paid.ts'
import { discounted, proRated } from './paid-costs.ts'
import type { PaidQuery, ProjectPlans } from './paid.ts'

const USD = 1_000_000_000n
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY_MS
const at = (text: string): number => Date.parse(text)

interface Call {
  readonly at: string | null
  readonly usd: number | null
  readonly provider?: string
  readonly agent?: string
  readonly model?: string
  readonly workspace?: string
}

/** Plans of a settings file; throws for what is none. */
const plansOf = (project: string | null, settings: Readonly<Record<string, unknown>>): ProjectPlans => {
  const subscriptions = parseSubscriptions(settings['subscriptions'])
  const discounts = parseDiscounts(settings['discounts'])
  if (!subscriptions.ok || !discounts.ok) throw new Error('no plans')
  return { project, subscriptions: subscriptions.value, discounts: discounts.value }
}

const paid = async (calls: readonly Call[], query: PaidQuery, now = '2026-12-31T12:00:00Z') => {
  const store = createInMemoryStore()
  const byAgent = Map.groupBy(calls.entries(), ([, { agent = 'claude-code' }]) => agent)
  for (const [agent, made] of byAgent) {
    const writes = made.map(([index, call]): EntryWrite => {
      const time = call.at === null ? null : at(call.at)
      const costNano = call.usd === null ? null : BigInt(Math.round(call.usd * 1e9))
      return {
        entry: {
          kind: 'message',
          id: `${index}`,
          at: time,
          role: 'assistant',
          content: [{ type: 'text', text: 'ok' }],
        },
        request: {
          callId: `${index}`,
          at: time,
          model: call.model ?? 'claude-sonnet-4-5',
          ...(call.provider === undefined ? {} : { provider: call.provider }),
          workspace: call.workspace ?? '/work/shop',
          inputTokens: 10,
          cacheReadTokens: 0,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: 3,
          costNano,
          costState: costNano === null ? 'unpriced' : 'computed',
        },
      }
    })
    await store.sessions.append({ id: `${agent}:1`, agent, externalId: '1', workspace: '/work/shop' }, 0, writes)
  }
  return paidOf({ usage: store.usage, clock: createTestClock(at(now)) }, query)
}

describe('proRated', () => {
  it('is exactly the price for each whole month, of 28 to 31 days', () => {
    for (const [first, end] of [
      ['2026-01-01', '2026-02-01'],
      ['2026-02-01', '2026-03-01'],
      ['2024-02-01', '2024-03-01'],
      ['2026-04-01', '2026-05-01'],
    ] as const)
      for (const price of [1n, 7n, 20n * USD, 199_990_000_001n])
        expect(proRated(price, { first: day(first), end: day(end) })).toBe(price)
    expect(proRated(100n * USD, { first: day('2023-11-01'), end: day('2025-01-01') })).toBe(1_400n * USD)
  })

  it('takes each day as its part of its month', () => {
    expect(proRated(31n * USD, { first: day('2026-01-30'), end: day('2026-02-01') })).toBe(2n * USD)
    expect(proRated(28n * USD, { first: day('2026-02-28'), end: day('2026-03-01') })).toBe(USD)
    expect(proRated(29n * USD, { first: day('2024-02-29'), end: day('2024-03-01') })).toBe(USD)
    // A day of January and one of February.
    expect(proRated(868n * USD, { first: day('2026-01-31'), end: day('2026-02-02') })).toBe((28n + 31n) * USD)
    expect(proRated(USD, { first: 5, end: 5 })).toBe(0n)
    expect(proRated(USD, { first: 9, end: 5 })).toBe(0n)
  })

  it('adds up to the same however the days are cut', () => {
    const [first, end] = [day('2026-01-17'), day('2026-05-09')]
    for (const price of [1n, 99n, 20n * USD + 1n, 123_456_789_012n]) {
      let sum = 0n
      for (let one = first; one < end; one += 3) sum += proRated(price, { first: one, end: Math.min(end, one + 3) })
      expect(sum).toBe(proRated(price, { first, end }))
    }
  })
})

describe('discounted', () => {
  it('takes the percents off, rounded to the nearest nano-USD', () => {
    expect(discounted(1_000n, 15)).toBe(850n)
    expect(discounted(1n, 50)).toBe(1n)
    expect(discounted(1n, 51)).toBe(0n)
    expect(discounted(8n, 12.5)).toBe(7n)
    expect(discounted(123_456_789_012_345n, 100)).toBe(0n)
    expect(discounted(999_999_999_999_999_999n, 0.000001)).toBe(999_999_989_999_999_999n)
  })
})

describe('what is paid', () => {
  const subscriptions = {
    anthropic: [
      { name: 'Max 5x', monthlyUsd: 100, since: '2026-03-01', until: '2026-03-14' },
      { name: 'Max 20x', monthlyUsd: 200, since: '2026-03-15' },
    ],
  }
  const march = { since: at('2026-03-01T00:00:00Z'), until: at('2026-04-01T00:00:00Z') }

  it('is what API prices say where nothing is agreed, by provider', async () => {
    const calls: readonly Call[] = [
      { at: '2026-03-02T10:00:00Z', usd: 1.25 },
      { at: '2026-03-03T10:00:00Z', usd: 0.000000001, provider: 'openai', model: 'gpt-5' },
      { at: '2026-03-04T10:00:00Z', usd: null, agent: 'generic', model: 'orca-2' },
      { at: null, usd: 3, agent: 'generic', model: 'orca-2' },
    ]
    const { rows, total } = await paid(calls, { plans: [] })
    expect(
      rows.map(({ provider, requests, equivalentNano, paidNano }) => [provider, requests, equivalentNano, paidNano]),
    ).toEqual([
      ['unknown', 2, 3n * USD, 3n * USD],
      ['anthropic', 1, 1_250_000_000n, 1_250_000_000n],
      ['openai', 1, 1n, 1n],
    ])
    expect(total).toEqual({
      requests: 4,
      unpricedRequests: 1,
      equivalentNano: 4_250_000_001n,
      paidNano: 4_250_000_001n,
      savedNano: 0n,
    })
  })

  it('is the price of the days of each subscription when the plan changes in the period', async () => {
    const calls: readonly Call[] = [
      { at: '2026-03-14T23:59:59.999Z', usd: 40 },
      { at: '2026-03-15T00:00:00Z', usd: 300 },
      { at: '2026-03-31T23:00:00Z', usd: 5 },
      { at: '2026-02-28T23:59:59Z', usd: 7 },
    ]
    const { rows, total } = await paid(calls, { ...march, plans: [plansOf(null, { subscriptions })] })
    const first = proRated(100n * USD, { first: day('2026-03-01'), end: day('2026-03-15') })
    const second = proRated(200n * USD, { first: day('2026-03-15'), end: day('2026-04-01') })
    expect(rows).toMatchObject([
      {
        provider: 'anthropic',
        equivalentNano: 345n * USD,
        paidNano: first + second,
        savedNano: 345n * USD - first - second,
        parts: [
          { kind: 'subscription', name: 'Max 5x', days: 14, requests: 1, equivalentNano: 40n * USD, paidNano: first },
          {
            kind: 'subscription',
            name: 'Max 20x',
            days: 17,
            requests: 2,
            equivalentNano: 305n * USD,
            paidNano: second,
          },
        ],
      },
    ])
    expect(rows[0]?.parts).toHaveLength(2)
    // 14 and 17 of 31 days.
    expect([first, second]).toEqual([45_161_290_323n, 109_677_419_355n])
    expect(total.paidNano).toBe(154_838_709_678n)
  })

  it('begins and ends plans with the days of the zone', async () => {
    const calls: readonly Call[] = [
      { at: '2026-03-14T14:59:00Z', usd: 1 },
      { at: '2026-03-14T15:00:00Z', usd: 10 },
      { at: '2026-03-15T03:59:00Z', usd: 100 },
      { at: '2026-03-15T04:00:00Z', usd: 1_000 },
    ]
    const equivalents = async (timeZone: string) => {
      const { rows } = await paid(calls, { timeZone, plans: [plansOf(null, { subscriptions })] })
      return rows[0]?.parts.map(({ equivalentNano }) => equivalentNano / USD)
    }
    expect(await equivalents('UTC')).toEqual([11n, 1_100n])
    expect(await equivalents('Asia/Tokyo')).toEqual([1n, 1_110n])
    // Daylight saving began on the eighth.
    expect(await equivalents('America/New_York')).toEqual([111n, 1_000n])
  })

  it('counts the days that a period touches, and none that has not begun', async () => {
    const plans = [plansOf(null, { subscriptions })]
    const daysAt = async (query: Omit<PaidQuery, 'plans'>, now: string) =>
      (await paid([], { ...query, plans }, now)).rows.flatMap(({ parts }) =>
        parts.map((part) => (part.kind === 'subscription' ? [part.name, part.days] : [])),
      )
    expect(await daysAt(march, '2026-03-20T23:00:00Z')).toEqual([
      ['Max 5x', 14],
      ['Max 20x', 6],
    ])
    // In Auckland it is the 21st already.
    expect(await daysAt({ ...march, timeZone: 'Pacific/Auckland' }, '2026-03-20T23:00:00Z')).toEqual([
      ['Max 5x', 14],
      ['Max 20x', 7],
    ])
    const part = { since: at('2026-03-13T22:00:00Z'), until: at('2026-03-15T01:00:00Z') }
    expect(await daysAt(part, '2026-12-31T00:00:00Z')).toEqual([
      ['Max 5x', 2],
      ['Max 20x', 1],
    ])
    expect(await daysAt({}, '2026-03-01T00:00:00Z')).toEqual([['Max 5x', 1]])
    expect(await daysAt({}, '2026-02-28T23:59:59Z')).toEqual([])
    expect(await daysAt({ since: march.until }, '2026-03-20T00:00:00Z')).toEqual([])
    expect(await daysAt({ since: march.since, until: march.since }, '2026-03-20T00:00:00Z')).toEqual([])
  })

  it('covers only the agents of a plan, and prices others’ requests by API prices or a discount', async () => {
    const plans = plansOf(null, {
      subscriptions: { anthropic: [{ name: 'Pro', monthlyUsd: 20, since: '2026-01-01', agents: ['claude-code'] }] },
      discounts: { anthropic: [{ percent: 25, since: '2026-03-10' }] },
    })
    const calls: readonly Call[] = [
      { at: '2026-03-20T10:00:00Z', usd: 500 },
      { at: '2026-03-09T10:00:00Z', usd: 8, agent: 'cline', provider: 'anthropic' },
      { at: '2026-03-10T10:00:00Z', usd: 4, agent: 'cline', provider: 'anthropic' },
      {
        at: '2026-03-10T10:00:00Z',
        usd: 6,
        agent: 'cline',
        provider: 'openrouter',
        model: 'anthropic/claude-opus-4-5',
      },
    ]
    const { rows, total } = await paid(calls, { ...march, plans: [plans] })
    expect(rows.map(({ provider, paidNano }) => [provider, paidNano])).toEqual([
      ['anthropic', 31n * USD],
      ['openrouter', 6n * USD],
    ])
    expect(rows[0]?.parts.map(({ kind, requests, paidNano }) => [kind, requests, paidNano])).toEqual([
      ['subscription', 1, 20n * USD],
      ['discount', 1, 3n * USD],
      ['pay-as-you-go', 1, 8n * USD],
    ])
    expect(total).toMatchObject({ equivalentNano: 518n * USD, paidNano: 37n * USD, savedNano: 481n * USD })
  })

  it('may be more than API prices', async () => {
    const { total } = await paid([{ at: '2026-03-20T10:00:00Z', usd: 1 }], {
      ...march,
      plans: [plansOf(null, { subscriptions })],
    })
    expect(total.savedNano).toBe(USD - 154_838_709_678n)
  })

  it('replaces the user’s plans by a project’s for its requests, and pays for both', async () => {
    const plans = [
      plansOf(null, { subscriptions, discounts: { openai: [{ percent: 10 }] } }),
      plansOf('/work/shop', { discounts: { anthropic: [{ percent: 50 }] } }),
      plansOf('/work/api', { subscriptions: { openai: [{ name: 'Team', monthlyUsd: 62, since: '2026-03-31' }] } }),
    ]
    const calls: readonly Call[] = [
      { at: '2026-03-02T10:00:00Z', usd: 30 },
      { at: '2026-03-02T10:00:00Z', usd: 70, workspace: '/work/site' },
      { at: '2026-03-31T10:00:00Z', usd: 9, workspace: '/work/api', provider: 'openai', agent: 'codex' },
      { at: '2026-03-30T10:00:00Z', usd: 2, workspace: '/work/api', provider: 'openai', agent: 'codex' },
      { at: '2026-03-30T10:00:00Z', usd: 20, provider: 'openai', agent: 'codex' },
    ]
    const { rows } = await paid(calls, { ...march, plans })
    const shown = (provider: string) =>
      rows
        .find((row) => row.provider === provider)
        ?.parts.map((part) => [part.kind, 'project' in part ? part.project : '', part.equivalentNano, part.paidNano])
    expect(shown('anthropic')).toEqual([
      ['subscription', null, 70n * USD, 45_161_290_323n],
      ['subscription', null, 0n, 109_677_419_355n],
      ['discount', '/work/shop', 30n * USD, 15n * USD],
    ])
    expect(shown('openai')).toEqual([
      ['subscription', '/work/api', 9n * USD, 2n * USD],
      ['discount', null, 20n * USD, 18n * USD],
      ['pay-as-you-go', '', 2n * USD, 2n * USD],
    ])
  })

  it('has no paid amount for a part of what a subscription covers', async () => {
    const calls: readonly Call[] = [
      { at: '2026-03-20T10:00:00Z', usd: 30 },
      { at: '2026-03-20T10:00:00Z', usd: 4, agent: 'codex', provider: 'openai', model: 'gpt-5' },
    ]
    const own = plansOf('/work/shop', {
      subscriptions: { openai: [{ name: 'Shop', monthlyUsd: 31, since: '2026-03-01' }] },
    })
    const plans = [plansOf(null, { subscriptions }), own]
    const rowsOf = async (filter: NonNullable<PaidQuery['filter']>) =>
      (await paid(calls, { ...march, filter, plans })).rows.map(({ provider, paidNano, savedNano }) => [
        provider,
        paidNano,
        savedNano,
      ])
    expect(await rowsOf({ workspace: '/work/shop' })).toEqual([
      ['anthropic', null, null],
      ['openai', 31n * USD, -27n * USD],
    ])
    expect(await rowsOf({ agent: 'codex' })).toEqual([['openai', null, null]])
    expect((await paid(calls, { ...march, filter: { agent: 'claude-code' }, plans })).total).toEqual({
      requests: 1,
      unpricedRequests: 0,
      equivalentNano: 30n * USD,
      paidNano: null,
      savedNano: null,
    })
    // Without requests that it covers, it is not named at all.
    expect(await rowsOf({ model: 'other' })).toEqual([])
  })

  it('refuses what it can’t use', async () => {
    await expect(paid([], { plans: [], timeZone: 'Mars/Olympus' })).rejects.toMatchObject({ code: 'usage' })
    await expect(paid([], { plans: [], since: Number.NaN })).rejects.toMatchObject({ code: 'invalid-input' })
    const many = Array.from({ length: 600 }, (_, index) => ({
      provider: 'a',
      name: 'n',
      monthlyNano: 1n,
      firstDay: 20_000 + index,
      lastDay: null,
      agents: null,
      people: null,
      machines: null,
    }))
    const plans = [{ project: null, subscriptions: many, discounts: [] }]
    await expect(paid([], { plans })).rejects.toThrow('must be at most 500, not 600')
  })
})
