import { createInMemoryStore } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import { dimensionPage, dimensionReport } from './dimension-query.ts'
import { MEASURE_OF } from '../overview/measure-values.ts'
import { MEASURES } from '../overview/measures.ts'
import { ORDERS } from '../../components/sorting.ts'
import { DIMENSION_SORTS } from './sorts.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')
const selection = { period: 'all', timeZone: 'UTC', filter: {} } as const

describe('the values of a dimension', () => {
  it('are sorted, searched and cut into pages, while the total stays that of all', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 400, NOW)
    const { total } = await store.usage.report({ by: 'day' })
    for (const sort of DIMENSION_SORTS) {
      const { rows } = await dimensionReport(
        store.usage,
        { selection, dimension: 'model', sort, order: 'descending', text: '' },
        NOW,
      )
      expect([sort, rows.reduce((sum, row) => sum + row.requests, 0)]).toEqual([sort, total.requests])
    }
    for (const order of ORDERS) {
      const { rows } = await dimensionReport(
        store.usage,
        { selection, dimension: 'model', sort: 'output', order, text: '' },
        NOW,
      )
      const outputs = rows.map(({ outputTokens }) => outputTokens)
      expect([order, outputs]).toEqual([
        order,
        outputs.toSorted((left, right) => (order === 'ascending' ? left - right : right - left)),
      ])
    }
    for (const sort of MEASURES) {
      for (const order of ORDERS) {
        for (const dimension of ['model', 'project', 'branch', 'agent'] as const) {
          const { rows } = await dimensionReport(store.usage, { selection, dimension, sort, order, text: '' }, NOW)
          const values = rows.map((row) => MEASURE_OF[sort](row)).filter((value) => typeof value === 'number')
          const sorted = values.toSorted((left, right) => (order === 'ascending' ? left - right : right - left))
          expect([dimension, sort, order, values]).toEqual([dimension, sort, order, sorted])
        }
      }
    }
    // What has no price is neither the cheapest nor the most expensive.
    for (const order of ORDERS) {
      const { rows } = await dimensionReport(
        store.usage,
        { selection, dimension: 'model', sort: 'cost', order, text: '' },
        NOW,
      )
      expect([order, rows.at(-1)?.key]).toEqual([order, 'in-house/coder-32b'])
    }
    const byName = await dimensionReport(
      store.usage,
      { selection, dimension: 'model', sort: 'name', order: 'ascending', text: '' },
      NOW,
    )
    expect(byName.rows.map(({ key }) => key)).toEqual([...byName.rows.map(({ key }) => key)].sort())
    const found = await dimensionPage(
      store.usage,
      { selection, dimension: 'project', sort: 'cost', order: 'descending', text: 'CHECKOUT', page: 1 },
      NOW,
    )
    expect([found.count, found.rows[0]?.label]).toEqual([1, 'checkout'])
    expect(found.total.requests.text).toBe(total.requests.toLocaleString('en-US'))
    // A page that is past the last one is the last one.
    const past = await dimensionPage(
      store.usage,
      { selection, dimension: 'project', sort: 'cost', order: 'descending', text: '', page: 9 },
      NOW,
    )
    expect([past.page, past.rows.length]).toEqual([1, past.count])
  })
})
