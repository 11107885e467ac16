import { addTotals, emptyTotals, formatUsd } from '@cairn/core'
import type { UsageReport, UsageRow } from '@cairn/core'
import { createMemoryStore } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import { overviewReports } from './overview-query.ts'
import { overviewView } from './overview-view.ts'
import { PERIODS } from './selection.ts'

const NOW = Date.parse('2026-05-05T17:30:00Z')

const rowsOf = (count: number): UsageReport => {
  const rows: UsageRow[] = Array.from({ length: count }, (_, index) => ({ key: `/work/p${index}`, ...emptyTotals, requests: 1, costNano: 1_000_000_000n }))
  return { rows, total: rows.reduce(addTotals, emptyTotals) }
}
const EMPTY: UsageReport = { rows: [], total: emptyTotals }

describe('the overview', () => {
  it('shows the store’s totals in each place, for each period and zone', async () => {
    const store = createMemoryStore()
    await fillStore(store, 300, NOW)
    for (const period of PERIODS) {
      for (const timeZone of ['UTC', 'Asia/Kathmandu', 'America/Los_Angeles']) {
        const reports = await overviewReports(store.usage, { period, timeZone, now: NOW })
        const view = overviewView(reports)
        const cost = formatUsd(reports.byDay.total.costNano)
        expect([view.total.cost.text, view.models.total.cost.text, view.projects.total.cost.text]).toEqual([cost, cost, cost])
        const tokens = view.points.reduce((sum, point) => sum + point.outputTokens, 0)
        expect([period, timeZone, tokens]).toEqual([period, timeZone, reports.byDay.total.outputTokens])
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
      { period: 'all', timeZone: 'UTC', now: NOW },
    )
    expect([reports.byDay.total.requests, reports.byModel.total.requests, reports.byProject.total.requests]).toEqual([20, 20, 20])
  })

  it('holds long tables together in one last row, and adds up all the same', () => {
    const { projects } = overviewView({ byDay: EMPTY, byModel: EMPTY, byProject: rowsOf(250), firstDay: 0, today: 1 })
    expect(projects.count).toBe(250)
    expect(projects.rows).toHaveLength(100)
    expect(projects.rows.at(-1)).toMatchObject({ label: '151 others', cost: { text: '$151.00' } })
    expect(projects.rows.reduce((sum, row) => sum + row.costShare, 0)).toBeCloseTo(1)
  })

  it('names projects by their folder and keeps the path', () => {
    const named = (key: string) => {
      const report: UsageReport = { rows: [{ key, ...emptyTotals }], total: emptyTotals }
      const row = overviewView({ byDay: EMPTY, byModel: EMPTY, byProject: report, firstDay: 0, today: 1 }).projects.rows[0]
      return [row?.label, row?.detail]
    }
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
    const { remarks, isEmpty } = overviewView({ byDay, byModel: EMPTY, byProject: EMPTY, firstDay: undefined, today: 1 })
    expect(isEmpty).toBe(false)
    expect(remarks).toHaveLength(3)
    expect(remarks[2]).toContain('2 requests ($5.00) have no time')
  })

  it('of an empty store is empty', () => {
    expect(overviewView({ byDay: EMPTY, byModel: EMPTY, byProject: EMPTY, firstDay: undefined, today: 1 })).toMatchObject({ isEmpty: true, points: [], remarks: [] })
  })
})
