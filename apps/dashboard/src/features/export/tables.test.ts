import { createInMemoryStore } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import type { ExportRow } from './format.ts'
import { EXPORT_TABLES, exportTable } from './tables.ts'
import type { ExportName } from './tables.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')

describe('an exported table', () => {
  it('has the columns that it says, and the sums of the store', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 200, NOW)
    const rowsOf = async (name: ExportName, query: string): Promise<readonly ExportRow[]> => {
      const table = await exportTable(name, new URLSearchParams(query), store, NOW)
      if (table === undefined) throw new Error('no table')
      const rows: ExportRow[] = []
      for await (const some of table.rows) rows.push(...some)
      for (const row of rows) expect(Object.keys(row)).toEqual(table.columns)
      return rows
    }
    const { total } = await store.usage.report({ by: 'day' })
    for (const name of EXPORT_TABLES) {
      if (name === 'requests' || name === 'files') continue
      const rows = await rowsOf(name, 'period=all&zone=UTC')
      expect([name, rows.reduce((sum, row) => sum + Number(row['requests']), 0)]).toEqual([name, total.requests])
    }
    const [first] = await rowsOf('sessions', 'period=all&sort=cost')
    const id = String(first?.['id'])
    const names = async (query: string): Promise<readonly unknown[]> =>
      (await rowsOf('sessions', `period=all&sort=started&${query}`)).map((row) => row['id'])
    expect(await names('order=ascending')).toEqual((await names('order=descending')).toReversed())
    const wanted = {
      branch: String(first?.['branch']),
      model: String((await rowsOf('requests', `session=${encodeURIComponent(id)}`))[0]?.['model']),
    }
    const filtered = await rowsOf('sessions', `period=all&${new URLSearchParams(wanted).toString()}`)
    expect(filtered.map((row) => row['id'])).toContain(id)
    expect(new Set(filtered.map((row) => row['branch']))).toEqual(new Set([wanted.branch]))
    expect(filtered.length).toBeLessThan((await rowsOf('sessions', 'period=all')).length)
    expect((await rowsOf('requests', `session=${encodeURIComponent(id)}`)).length).toBe(8)
    expect(await rowsOf('project', 'period=all&q=CHECKOUT')).toHaveLength(1)
    // Within a period a session has the cost of the period, and beside it that of its life.
    const month = await rowsOf('sessions', 'period=7d&sort=cost')
    const within = await rowsOf('day', 'period=7d')
    const cost = (rows: readonly ExportRow[]): number => rows.reduce((sum, row) => sum + Number(row['costUsd']), 0)
    expect(cost(month)).toBeCloseTo(cost(within), 6)
    expect(month.map((row) => row['costUsd'])).toEqual(
      month.map((row) => Number(row['costUsd'])).toSorted((left, right) => right - left),
    )
    for (const row of month) expect(Number(row['sessionCostUsd'])).toBeGreaterThanOrEqual(Number(row['costUsd']))
    expect(within.reduce((sum, row) => sum + Number(row['missingOutputTokens']), 0)).toBe(
      (await store.usage.report({ by: 'day', since: Date.parse('2026-04-29T00:00:00Z') })).total.missingOutputTokens,
    )
    for (const query of ['period=9y', 'from=2026-05-02&to=2026-05-01', 'zone=Mars/Olympus'])
      await expect(exportTable('day', new URLSearchParams(query), store, NOW)).rejects.toMatchObject({ code: 'usage' })
    expect(await exportTable('files', new URLSearchParams('session=../../x'), store, NOW)).toBeUndefined()
  })
})
