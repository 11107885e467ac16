import { createMemoryStore } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import type { ExportRow } from './format.ts'
import { EXPORT_TABLES, exportTable } from './tables.ts'
import type { ExportName } from './tables.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')

describe('a table that is taken along', () => {
  it('has the columns that it says, and the sums of the store', async () => {
    const store = createMemoryStore()
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
    expect((await rowsOf('requests', `session=${encodeURIComponent(id)}`)).length).toBe(8)
    expect(await rowsOf('project', 'period=all&q=CHECKOUT')).toHaveLength(1)
    expect(await exportTable('files', new URLSearchParams('session=../../x'), store, NOW)).toBeUndefined()
  })
})
