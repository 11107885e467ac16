import { emptyTotals, formatUsd } from '@cairn/core'
import type { UsageReport, UsageRow, UsageTotals } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import { rowName } from '../usage/dimension.ts'
import { distinctNames } from '../usage/project-names.ts'
import { overviewReports } from './overview-query.ts'
import type { OverviewReports } from './overview-query.ts'
import { overviewView, remarksOn } from './overview-view.ts'
import { PERIODS } from '../selection/selection.ts'
import { tableView } from '../usage/table-view.ts'

const NOW = Date.parse('2026-05-05T17:30:00Z')

const EMPTY: UsageReport = { rows: [], total: emptyTotals }
const reportsOf = (byDay: UsageReport, lastDay = 1): OverviewReports => ({
  byDay,
  byModel: EMPTY,
  byProject: EMPTY,
  byBranch: EMPTY,
  byAgent: EMPTY,
  span: { since: undefined, until: undefined, firstDay: undefined, lastDay, today: lastDay },
  timeZone: 'UTC',
  unpriced: { withoutPrice: [], withPrice: [] },
})

describe('the overview', () => {
  it('shows the totals of the store in tiles, charts and tables, for each period and zone', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 300, NOW)
    for (const period of PERIODS) {
      for (const timeZone of ['UTC', 'Asia/Kathmandu', 'America/Los_Angeles']) {
        const reports = await overviewReports(store.usage, { period, timeZone, filter: {} }, NOW)
        const view = overviewView(reports)
        const { total } = reports.byDay
        for (const table of Object.values(view.tables)) expect(table.total.cost.text).toBe(formatUsd(total.costNano))
        const tokens = view.points.reduce((sum, point) => sum + point.outputTokens, 0)
        expect([period, timeZone, tokens]).toEqual([period, timeZone, total.outputTokens])
        const usd = view.points.reduce(
          (sum, point) =>
            sum + point.inputUsd + point.cacheReadUsd + point.cacheWriteUsd + point.outputUsd + point.recordedUsd,
          0,
        )
        expect(usd).toBeCloseTo(Number(total.costNano) / 1e9, 6)
      }
    }
  })

  it('repeats its queries when an import committed between two of them', async () => {
    const store = createInMemoryStore()
    let isFirst = true
    const reports = await overviewReports(
      {
        report: async (query) => {
          if (query.by === 'project' && isFirst) {
            isFirst = false
            await fillStore(store, 20, NOW)
          }
          return store.usage.report(query)
        },
      },
      { period: 'all', timeZone: 'UTC', filter: {} },
      NOW,
    )
    expect(
      [reports.byDay, reports.byModel, reports.byProject, reports.byBranch, reports.byAgent].map(
        ({ total }) => total.requests,
      ),
    ).toEqual([20, 20, 20, 20, 20])
  })

  it('applies the filters to every report', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 300, NOW)
    const model = 'gpt-5.1-codex'
    const { byModel, byDay } = await overviewReports(
      store.usage,
      { period: 'all', timeZone: 'UTC', filter: { model } },
      NOW,
    )
    expect(byModel.rows.map(({ key }) => key)).toEqual([model])
    expect(byDay.total.requests).toBe(byModel.total.requests)
  })

  it('sums the rows below the first ones in one row, and adds up', () => {
    const rows: UsageRow[] = Array.from({ length: 9 }, (_, index) => ({
      key: `/work/p${index}`,
      ...emptyTotals,
      requests: 1,
      costNano: 1_000_000_000n,
    }))
    const total: UsageTotals = { ...emptyTotals, requests: 250, costNano: 250_000_000_000n }
    const table = tableView('project', { rows, total }, 8)
    expect(table.rows).toHaveLength(9)
    expect(table.rows.at(-1)).toMatchObject({ key: null, label: 'All others', cost: { text: '$242.00' } })
    expect(table.rows.reduce((sum, row) => sum + row.costShare, 0)).toBeCloseTo(1)
  })

  it('tells projects of one folder name apart', () => {
    const rows = ['/ann/shop/cli', '/ben/mise/cli', '/ben/web'].map((key) => ({ key, ...emptyTotals }))
    const names = distinctNames(rows.map(({ key }) => key))
    const labels = tableView('project', { rows, total: emptyTotals }, 8, names).rows.map(({ label }) => label)
    expect(labels).toEqual(['shop/cli', 'mise/cli', 'web'])
  })

  it('names projects by their folder and keeps the path', () => {
    const named = (key: string): unknown => Object.values(rowName('project', key))
    expect(named('/home/ann/shop')).toEqual(['shop', '/home/ann/shop'])
    expect(named('C:\\code\\shop\\')).toEqual(['shop', 'C:\\code\\shop\\'])
    expect(named('shop')).toEqual(['shop', null])
    expect(named('unknown')).toEqual(['No project', null])
    expect(named('/')).toEqual(['/', null])
  })

  it('says what is missing in its charts and sums', () => {
    const byDay: UsageReport = {
      rows: [{ key: 'unknown', ...emptyTotals, requests: 2, costNano: 5_000_000_000n }],
      total: { ...emptyTotals, requests: 2, costNano: 5_000_000_000n, unpricedRequests: 1, partialRequests: 1 },
    }
    const { remarks, isEmpty } = overviewView({
      ...reportsOf(byDay),
      unpriced: { withoutPrice: [{ model: 'no-such', requests: 1 }], withPrice: [] },
    })
    expect(isEmpty).toBe(false)
    expect(remarks).toHaveLength(3)
    expect(remarks[0]).toMatchObject({
      text: expect.stringContaining(
        '1 of 2 requests has no cost, so that the true cost is higher: 1 to no-such (no price is known).',
      ),
      link: { href: '/settings' },
    })
    expect(remarks[2]?.text).toContain('2 requests ($5.00) have no time')
  })

  it('tells models without a price from those whose input was not recorded, and names them', () => {
    const models = (requests: number, ...names: readonly string[]) => names.map((model) => ({ model, requests }))
    const unpriced = {
      withoutPrice: models(20, 'a', 'b', 'c', 'd', 'e'),
      withPrice: [
        { model: 'gpt-5.1', requests: 1, isInputUnknown: false },
        { model: 'claude-sonnet-4.6', requests: 1_054, isInputUnknown: true },
      ],
    }
    const total = { ...emptyTotals, requests: 3_000, unpricedRequests: 1_155 }
    const [remark, ...others] = remarksOn(total, unpriced)
    expect(remark?.text).toBe(
      '1,155 of 3,000 requests have no cost, so that the true cost is higher: 1,054 to claude-sonnet-4.6 (their input was not recorded), 20 to a (no price is known), 20 to b (no price is known), 20 to c (no price is known), 20 to d (no price is known), 21 to 2 other models. “cairn config set prices.<model>” sets a price. “cairn doctor --rebuild” takes prices that became known later.',
    )
    expect(remark?.link).toEqual({ href: '/settings', name: 'Prices in force' })
    expect(others).toEqual([])
    expect(remarksOn(total, { withoutPrice: [], withPrice: unpriced.withPrice.slice(1) })).toEqual([
      {
        text: '1,054 of 3,000 requests have no cost, so that the true cost is higher: 1,054 to claude-sonnet-4.6 (their input was not recorded).',
      },
    ])
  })

  it('uses singular and plural', () => {
    const total = {
      ...emptyTotals,
      requests: 1,
      costNano: 1n,
      unpricedRequests: 1,
      partialRequests: 1,
      missingOutputTokens: 1,
    }
    const { remarks } = overviewView({
      ...reportsOf({ rows: [{ key: 'unknown', ...total }], total }),
      unpriced: {
        withoutPrice: [{ model: 'no-such', requests: 1 }],
        withPrice: [{ model: 'gpt-5.1', requests: 1, isInputUnknown: false }],
      },
    })
    expect(remarks.map(({ text }) => text).join(' ')).not.toMatch(/\b1 (requests|replies|output tokens)/)
  })

  it('ends today even with later usage, which it names', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 80, NOW)
    await fillStore(store, 8, Date.parse('2099-12-05T00:00:00Z'), 'later')
    const viewOf = async (selection: object) =>
      overviewView(
        await overviewReports(store.usage, { period: '30d', timeZone: 'UTC', filter: {}, ...selection }, NOW),
      )
    const month = await viewOf({})
    expect([month.step, month.points.length, month.points.at(-1)?.key, month.days]).toEqual([
      'day',
      30,
      '2026-05-05',
      'Apr 6 – May 5, 2026',
    ])
    expect(month.future).toMatchObject({ from: '2026-05-06' })
    expect(month.future?.text).toMatch(/^8 requests carry a time in the future.*not in these numbers/)
    expect((await viewOf({ from: '2026-05-01' })).points).toHaveLength(5)
    const all = await viewOf({ period: 'all' })
    expect(all.total.requests.text).toBe('88')
    expect(all.future?.text).toContain('in these numbers')
    expect(all.points.filter(({ isAfterGap }) => isAfterGap)).toHaveLength(1)
    // The link leads to them.
    expect((await viewOf({ from: '2026-05-06' })).total.requests.text).toBe('8')
    expect((await viewOf({ period: 'yesterday' })).future).toBeNull()
  })

  it('shows a single day by its hours, which add up, also where clocks are changed', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 1_600, NOW)
    const day = async (from: string, timeZone: string) =>
      overviewView(await overviewReports(store.usage, { period: '30d', from, to: from, timeZone, filter: {} }, NOW))
    const view = await day('2026-05-01', 'Asia/Kathmandu')
    expect([view.step, view.points.length, view.points[0]?.label, view.points.at(-1)?.title]).toEqual([
      'hour',
      24,
      '00:00',
      'Friday, May 1, 2026, 23:00 – 00:00',
    ])
    expect(view.points.reduce((sum, { requestCount }) => sum + requestCount, 0).toLocaleString('en-US')).toBe(
      view.total.requests.text,
    )
    expect((await day('2026-03-29', 'Europe/Berlin')).points).toHaveLength(23)
    const { step, points } = overviewView(
      await overviewReports(store.usage, { period: 'today', timeZone: 'UTC', filter: {} }, NOW),
    )
    expect([step, points.length]).toEqual(['hour', 24])
  })

  it('is compared with the previous period', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 1_600, NOW)
    const selection = { period: '30d', timeZone: 'UTC', filter: {} } as const
    const reports = await overviewReports(store.usage, selection, NOW)
    const before = await store.usage.report({
      by: 'day',
      since: Date.parse('2026-03-07T00:00:00Z'),
      until: Date.parse('2026-04-05T17:30:00Z'),
    })
    expect(reports.previous?.total).toEqual(before.total)
    const text = overviewView(reports).comparison?.cost.text
    expect(text).toMatch(/^[+−]\d+% vs the 30 days before$/)
    expect(overviewView(await overviewReports(store.usage, { ...selection, period: 'all' }, NOW)).comparison).toBeNull()
  })

  it('of an empty store is empty', () => {
    expect(overviewView(reportsOf(EMPTY))).toMatchObject({ isEmpty: true, points: [], remarks: [] })
  })
})
