import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { NO_TOKENS } from '../ports/price-book.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import { createInMemoryStore } from '../testing/index.ts'
import { moversOf } from '../usage/movers.ts'
import { activeDaysOf } from './active-days.ts'
import { commitCostsOf } from './commit-costs.ts'
import { costChangeOf } from './cost-change.ts'
import { spanBefore } from './range-before.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 2, 2)

interface Made {
  readonly at: number | null
  readonly cost: bigint
  readonly session: number
  readonly model: string
  readonly branch: string
}

/** A store in which each session is of a project of its own number. */
const storeOf = async (requests: readonly Made[]) => {
  const store = createInMemoryStore()
  for (const session of new Set(requests.map((request) => request.session))) {
    const id = `s${session}`
    const workspace = `/work/p${session % 3}`
    const own = requests.filter((request) => request.session === session)
    const writes = own.map(({ at, cost, model, branch }, index): EntryWrite => {
      const callId = `${id}-${index}`
      return {
        entry: { kind: 'message', id: callId, at, role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
        request: { callId, at, model, branch, workspace, ...NO_TOKENS, costNano: cost, costState: 'recorded' },
      }
    })
    await store.sessions.append({ id: `test:${id}`, agent: 'test', externalId: id, workspace }, 0, writes)
  }
  return store
}

const made: fc.Arbitrary<Made> = fc.record({
  at: fc.option(
    fc.integer({ min: 0, max: 10 * 24 * 60 }).map((minutes) => START + minutes * 60_000),
    { freq: 12 },
  ),
  cost: fc.bigInt({ min: 0n, max: 9_000_000_007n }),
  session: fc.integer({ min: 0, max: 6 }),
  model: fc.constantFrom('dear', 'cheap', 'other'),
  branch: fc.constantFrom('main', 'fix'),
})

describe('moversOf', () => {
  const rows = (...costs: readonly (readonly [string, bigint])[]) => costs.map(([key, costNano]) => ({ key, costNano }))

  it('has the largest first, up or down, and sums up the others', () => {
    const before = rows(['a', 100n], ['b', 7n], ['gone', 50n], ['same', 9n], ['c', 1n])
    const now = rows(['a', 30n], ['b', 12n], ['new', 900n], ['same', 9n], ['c', 0n])
    const { movers, others } = moversOf(before, now, 3)
    expect(movers.map(({ key, changeNano }) => [key, changeNano])).toEqual([
      ['new', 900n],
      ['a', -70n],
      ['gone', -50n],
    ])
    expect(movers[2]).toEqual({ key: 'gone', beforeNano: 50n, nowNano: 0n, changeNano: -50n })
    expect(others).toEqual({ count: 2, changeNano: 4n })
  })
})

describe('costChangeOf', () => {
  it('has movers and others that add up to the change, of any requests, and the first of the whole list', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 4 }),
        async (requests, day, limit) => {
          const { usage } = await storeOf(requests)
          const query = {
            before: { since: START, until: START + day * DAY },
            now: { since: START + day * DAY },
          }
          const change = await costChangeOf(usage, { ...query, limit })
          const whole = await costChangeOf(usage, { ...query, limit: 1_000 })
          expect(change.changeNano).toBe(change.now.costNano - change.before.costNano)
          for (const by of ['workspace', 'model', 'session'] as const) {
            const { movers, others } = change.by[by]
            expect(movers.reduce((sum, { changeNano }) => sum + changeNano, others.changeNano)).toBe(change.changeNano)
            expect(movers).toEqual(whole.by[by].movers.slice(0, limit))
            expect(movers.length + others.count).toBe(whole.by[by].movers.length)
            for (const { nowNano, beforeNano, changeNano } of whole.by[by].movers)
              expect(nowNano - beforeNano).toBe(changeNano)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('activeDaysOf', () => {
  it('counts only days with requests, in the days of the zone', async () => {
    const at = (hours: number, cost: bigint): Made => ({
      at: START + hours * HOUR,
      cost,
      session: 1,
      model: 'dear',
      branch: 'main',
    })
    const { usage } = await storeOf([at(1, 5n), at(23, 8n), at(24 * 6, 100n), { ...at(0, 40n), at: null }])
    expect(await activeDaysOf(usage, {})).toEqual({ days: 2, costNano: 113n, meanNano: 56n, medianNano: 56n })
    expect(await activeDaysOf(usage, { timeZone: 'Asia/Tokyo' })).toEqual({
      days: 3,
      costNano: 113n,
      meanNano: 37n,
      medianNano: 8n,
    })
    expect(await activeDaysOf(usage, { since: START + 20 * DAY })).toEqual({
      days: 0,
      costNano: 0n,
      meanNano: 0n,
      medianNano: 0n,
    })
  })
})

describe('commitCostsOf', () => {
  const commit = (hash: string, minutes: number) => ({ hash, at: START + minutes * 60_000, subject: `does ${hash}` })
  const request = (minutes: number, cost: bigint, branch = 'main'): Made => ({
    at: START + minutes * 60_000,
    cost,
    session: 3,
    model: 'dear',
    branch,
  })

  it('gives a commit what was asked since the one before, on its branch', async () => {
    const { usage } = await storeOf([
      request(5, 3n),
      request(10, 70n),
      { ...request(10, 11n), at: START + 10 * 60_000 + 999 },
      { ...request(10, 1_300n), at: START + 10 * 60_000 + 1_000 },
      request(20, 9n, 'fix'),
      request(5_000, 20_000n),
    ])
    const history = {
      branch: 'main',
      // Not in order of time, as after a merge; two of one second.
      commits: [commit('d', 3_000), commit('b', 10), commit('c', 30), commit('a', -50), commit('e', 30)],
      isCut: false,
    }
    const { rows, total } = await commitCostsOf(usage, { usage: { filter: { workspace: '/work/p0' } }, history })
    expect(
      rows.map((row) => [row.kind === 'commit' ? row.commit.hash : row.kind, row.totals.costNano, row.totals.requests]),
    ).toEqual([
      ['uncommitted', 20_000n, 1],
      ['c', 1_300n, 1],
      ['b', 84n, 3],
    ])
    expect(total.costNano).toBe(21_384n)
    const later = await commitCostsOf(usage, {
      usage: { since: START + 6 * 60_000, until: START + 40 * 60_000 },
      history: { ...history, isCut: true },
    })
    expect(later.rows.map(({ totals }) => totals.costNano)).toEqual([1_300n, 81n])
    const cut = await commitCostsOf(usage, {
      usage: {},
      history: { ...history, commits: [commit('b', 10)], isCut: true },
    })
    expect(cut.rows.map(({ kind, totals }) => [kind, totals.costNano])).toEqual([
      ['uncommitted', 21_300n],
      ['earlier', 84n],
    ])
  })

  it('adds up to all requests of the branch, whatever they and the commits are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { maxLength: 40 }),
        fc.array(fc.integer({ min: -100, max: 15_000 }), { maxLength: 12 }),
        async (requests, minutes) => {
          const { usage } = await storeOf(requests)
          const commits = minutes.map((minute, index) => commit(`c${index}`, minute))
          const { rows, total } = await commitCostsOf(usage, {
            usage: {},
            history: { branch: 'fix', commits, isCut: false },
          })
          const own = requests.filter(({ branch }) => branch === 'fix')
          expect([total.costNano, total.requests]).toEqual([own.reduce((sum, { cost }) => sum + cost, 0n), own.length])
          for (const row of rows) {
            if (row.kind !== 'commit') continue
            const end = row.commit.at + 1000
            const start = Math.max(...commits.map(({ at }) => at + 1000).filter((at) => at < end))
            const between = own.filter(({ at }) => at !== null && at >= start && at < end)
            expect(row.totals.costNano).toBe(between.reduce((sum, { cost }) => sum + cost, 0n))
          }
        },
      ),
      { numRuns: 80 },
    )
  })
})

describe('spanBefore', () => {
  const now = Date.UTC(2026, 3, 10, 15)
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
  const before = (since: string, until: string | undefined, zone = 'UTC') => {
    const end = until === undefined ? {} : { until: Date.parse(until) }
    const span = spanBefore({ since: Date.parse(since), ...end }, zone, now)
    return [iso(span?.since), iso(span?.until)]
  }

  it('has as many days before whole days, up to the time of day that it is', () => {
    expect(before('2026-04-01T00:00:00Z', '2026-04-08T00:00:00Z')).toEqual([
      '2026-03-25T00:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
    ])
    expect(before('2026-04-04T00:00:00Z', undefined)).toEqual(['2026-03-28T00:00:00.000Z', '2026-04-03T15:00:00.000Z'])
    expect(before('2026-04-10T00:00:00Z', '2026-04-11T00:00:00Z')).toEqual([
      '2026-04-09T00:00:00.000Z',
      '2026-04-09T15:00:00.000Z',
    ])
  })

  it('has days of the zone, also where one is shorter', () => {
    // Summer time begins on March 29.
    expect(before('2026-03-29T22:00:00Z', '2026-03-30T22:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
  })

  it('ends at the time of day that it is by the clock, which was changed meanwhile', () => {
    // It is 17:00 there; before March 29, 17:00 was an hour later in UTC.
    expect(before('2026-03-23T23:00:00Z', undefined, 'Europe/Berlin')).toEqual([
      '2026-03-05T23:00:00.000Z',
      '2026-03-23T16:00:00.000Z',
    ])
    expect(before('2026-04-07T22:00:00Z', undefined, 'Europe/Berlin')[1]).toBe('2026-04-07T15:00:00.000Z')
  })

  it('is as long as a span of another kind, and none before what has not begun', () => {
    expect(before('2026-04-10T05:00:00Z', '2026-04-10T09:00:00Z')).toEqual([
      '2026-04-10T01:00:00.000Z',
      '2026-04-10T05:00:00.000Z',
    ])
    expect(before('2026-04-10T05:00:00Z', undefined)[0]).toBe('2026-04-09T19:00:00.000Z')
    expect(before('2026-05-01T00:00:00Z', undefined)).toEqual([undefined, undefined])
  })
})
