import { describe, expect, it } from '@jest/globals'
import type { MonthlyBudget } from '@cairn/core/insights'
import { budgetsView, headBudgets, selectedBudgets } from './budget-view.ts'

const USD = 1_000_000_000n
const budget = (
  project: string | null,
  state: MonthlyBudget['state'],
  [spent, total, limit]: readonly [bigint, bigint, bigint],
): MonthlyBudget => ({
  project,
  state,
  limitNano: limit * USD,
  forecast: {
    month: '2026-01',
    spentNano: spent * USD,
    totalNano: total * USD,
    daysLeft: 3,
    perDayNano: USD,
    lowNano: 0n,
    highNano: 0n,
    activeDays: 9,
    isUncertain: false,
  },
})
const all = budget(null, 'ok', [90n, 150n, 200n])
const shop = budget('/code/shop', 'exceeded', [31n, 80n, 30n])
const api = budget('/code/api', 'warning', [2n, 9n, 8n])
const otherShop = budget('C:\\work\\shop', 'ok', [0n, 0n, 7n])
const view = budgetsView([all, api, otherShop, shop], new Map([['/code/api', 'git.example.com/acme/backend']]))

describe('budgetsView', () => {
  it('puts first what needs attention most', () => {
    expect(view.map(({ project, state }) => [project, state])).toEqual([
      ['/code/shop', 'exceeded'],
      ['/code/api', 'warning'],
      [null, 'ok'],
      ['C:\\work\\shop', 'ok'],
    ])
    expect(view[0]).toMatchObject({ spent: '$31.00', limit: '$30.00', forecast: '~$80.00 by the end of the month' })
    expect(view.map(({ percent }) => percent)).toEqual(['103.3%', '25%', '45%', '0%'])
    expect(view[1]).toMatchObject({ word: 'Budget at risk', spentShare: 0.25, forecastShare: 1 })
    expect(view[3]).toMatchObject({ spentShare: 0, forecastShare: 0 })
  })

  it('puts the one first that is furthest beyond its limit', () => {
    const far = budget('/code/far', 'exceeded', [70n, 80n, 30n])
    expect(budgetsView([shop, far], new Map()).map(({ project }) => project)).toEqual(['/code/far', '/code/shop'])
  })

  it('is at risk by no forecast that few days do not tell', () => {
    const { month, spentNano, daysLeft } = shop.forecast
    const untold = { isUncertain: true, perDayNano: null, totalNano: null, lowNano: null, highNano: null } as const
    const [young] = budgetsView(
      [{ ...shop, forecast: { month, spentNano, daysLeft, activeDays: 3, ...untold } }],
      new Map(),
    )
    expect(young).toMatchObject({
      state: 'exceeded',
      spentShare: 1,
      forecast: 'too few days to tell the end of the month',
      forecastShare: null,
    })
  })

  it('keeps to the selected project, by its path or its name', () => {
    const names = (project: string | undefined) => selectedBudgets(view, project).map((one) => one.project)
    expect(names(undefined)).toHaveLength(4)
    expect(names('/code/api')).toEqual(['/code/api'])
    expect(names('git.example.com/acme/backend')).toEqual(['/code/api'])
    expect(names('shop')).toEqual(['/code/shop', 'C:\\work\\shop'])
    expect(names('/code')).toEqual([])
  })

  it('stands in every head for the selected project, or for all where that has none', () => {
    const names = (project: string | undefined) => headBudgets(view, project).map((one) => one.project)
    expect(names(undefined)).toHaveLength(4)
    expect(names('/code/api')).toEqual(['/code/api'])
    expect(names('/code/other')).toEqual([null])
    expect(headBudgets(budgetsView([shop], new Map()), '/code/other')).toEqual([])
  })
})
