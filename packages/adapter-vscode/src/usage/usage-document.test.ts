import { emptyTotals } from '@cairn/core'
import { NOW, filledStore } from './recorded.fixture.ts'
import { textTable, usageDocument } from './usage-document.ts'

describe('the usage document', () => {
  it('has the last thirty days by day, project and model, with their totals', async () => {
    const { usage } = await filledStore()
    const text = await usageDocument(usage, { folders: ['/code/shop'], timeZone: 'UTC', now: NOW, location: '/home/ann/cairn.db' })
    expect(text).toContain('this one is shop. Days begin in UTC. Store: /home/ann/cairn.db')
    expect(text).toMatch(/## By day\n\n\| Day +\|.+\n\|.+\n\| 2026-03-05 .+\n\| 2026-03-03 .+\n\| Total +\| +4 \|/)
    expect(text).toContain('| /code/shop ← here')
    expect(text).not.toContain('Bill')
    expect(text).toContain('1 of 4 requests went to models without a known price')
  })

  it('has columns that stand below each other', () => {
    const rows = [
      { name: 'a', totals: emptyTotals },
      { name: 'a much longer name', totals: { ...emptyTotals, requests: 1_000 } },
    ]
    const lines = textTable('Model', rows, emptyTotals).split('\n')
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
    expect(lines.at(-1)).toMatch(/^\| Total/)
  })

  it('keeps names that would break a table in their cell', () => {
    const lines = textTable('Project', [{ name: 'a|b\n\u001b[31mred', totals: emptyTotals }], emptyTotals).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[2]).toContain('a¦b [31mred')
  })
})
