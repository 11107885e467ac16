import { emptyTotals, formatUsd } from '@cairn/core'
import type { UsageReport, UsageRow, UsageTotals } from '@cairn/core'
import { createMemoryStore } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import { rowName } from './dimension.ts'
import { overviewReports } from './overview-query.ts'
import type { OverviewReports } from './overview-query.ts'
import { overviewView } from './overview-view.ts'
import { PERIODS } from './selection.ts'
import { tableView } from './table-view.ts'

const NOW = Date.parse('2026-05-05T17:30:00Z')

const EMPTY: UsageReport = { rows: [], total: emptyTotals }
const reportsOf = (byDay: UsageReport, lastDay = 1): OverviewReports => ({
  byDay,
  byModel: EMPTY,
  byProject: EMPTY,
  byBranch: EMPTY,
  byAgent: EMPTY,
  span: { since: undefined, until: undefined, firstDay: undefined, lastDay },
})

describe('the overview', () => {
  it('shows the store’s totals in each place, for each period and zone', async () => {
    const store = createMemoryStore()
    await fillStore(store, 300, NOW)
    for (const period of PERIODS) {
      for (const timeZone of ['UTC', 'Asia/Kathmandu', 'America/Los_Angeles']) {
        const reports = await overviewReports(store.usage, { period, timeZone, filter: {} }, NOW)
        const view = overviewView(reports)
        const { total } = reports.byDay
        for (const table of Object.values(view.tables)) expect(table.total.cost.text).toBe(formatUsd(total.costNano))
        const tokens = view.points.reduce((sum, point) => sum + point.outputTokens, 0)
        expect([period, timeZone, tokens]).toEqual([period, timeZone, total.outputTokens])
        const usd = view.points.reduce((sum, point) => sum + point.inputUsd + point.cacheReadUsd + point.cacheWriteUsd + point.outputUsd + point.recordedUsd, 0)
        expect(usd).toBeCloseTo(Number(total.costNano) / 1e9, 6)
      }
    }
  })

  it('asks again when an import got in between two of its reports', async () => {
    const store = createMemoryStore()
    let isFirst = true
    const reports = await overviewReports(
      {
        report: async (query) => {
          if (query.by === 'workspace' && isFirst) {
            isFirst = false
            await fillStore(store, 20, NOW)
          }
          return store.usage.report(query)
        },
      },
      { period: 'all', timeZone: 'UTC', filter: {} },
      NOW,
    )
    expect([reports.byDay, reports.byModel, reports.byProject, reports.byBranch, reports.byAgent].map(({ total }) => total.requests)).toEqual([20, 20, 20, 20, 20])
  })

  it('narrows all of it down', async () => {
    const store = createMemoryStore()
    await fillStore(store, 300, NOW)
    const model = 'gpt-5.1-codex'
    const { byModel, byDay } = await overviewReports(store.usage, { period: 'all', timeZone: 'UTC', filter: { model } }, NOW)
    expect(byModel.rows.map(({ key }) => key)).toEqual([model])
    expect(byDay.total.requests).toBe(byModel.total.requests)
  })

  it('holds what is below the first rows together, and adds up all the same', () => {
    const rows: UsageRow[] = Array.from({ length: 9 }, (_, index) => ({ key: `/work/p${index}`, ...emptyTotals, requests: 1, costNano: 1_000_000_000n }))
    const total: UsageTotals = { ...emptyTotals, requests: 250, costNano: 250_000_000_000n }
    const table = tableView('project', { rows, total }, 8)
    expect(table.rows).toHaveLength(9)
    expect(table.rows.at(-1)).toMatchObject({ key: null, label: 'All others', cost: { text: '$242.00' } })
    expect(table.rows.reduce((sum, row) => sum + row.costShare, 0)).toBeCloseTo(1)
  })

  it('names projects by their folder and keeps the path', () => {
    const named = (key: string): unknown => Object.values(rowName('project', key))
    expect(named('/home/ann/shop')).toEqual(['shop', '/home/ann/shop'])
    expect(named('C:\\code\\shop\\')).toEqual(['shop', 'C:\\code\\shop\\'])
    expect(named('shop')).toEqual(['shop', null])
    expect(named('unknown')).toEqual(['No project', null])
    expect(named('/')).toEqual(['/', null])
  })

  it('tells what is not in its charts and sums', () => {
    const byDay: UsageReport = {
      rows: [{ key: 'unknown', ...emptyTotals, requests: 2, costNano: 5_000_000_000n }],
      total: { ...emptyTotals, requests: 2, costNano: 5_000_000_000n, unpricedRequests: 1, partialRequests: 1 },
    }
    const { remarks, isEmpty } = overviewView(reportsOf(byDay))
    expect(isEmpty).toBe(false)
    expect(remarks).toHaveLength(3)
    expect(remarks[2]).toContain('2 requests ($5.00) have no time')
  })

  it('of an empty store is empty', () => {
    expect(overviewView(reportsOf(EMPTY))).toMatchObject({ isEmpty: true, points: [], remarks: [] })
  })
})
