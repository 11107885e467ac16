import { emptyTotals } from '@cairn/core'
import { NOW, filledStore, record } from './recorded.fixture.ts'
import { textTable, usageDocument } from './usage-document.ts'

describe('the usage document', () => {
  it('has the last thirty days by day, project and model, with their totals', async () => {
    const { usage } = await filledStore()
    const text = await usageDocument(usage, {
      folders: ['/code/shop'],
      timeZone: 'UTC',
      now: NOW,
      location: '/home/ann/cairn.db',
    })
    expect(text).toContain('this one is shop. Days begin in UTC.\nStore: /home/ann/cairn.db')
    expect(text).toMatch(
      /## By day\n\n\| Day +\|.+\n\|.+\n\| 2026-03-05 .+\n\| 2026-03-03 .+\n\| Total +\| +\$0\.7500\+ \| +4 \|/,
    )
    expect(text).toContain('| /code/shop ← here')
    expect(text).not.toContain('Bill')
    expect(text).toContain('1 of 4 requests have no cost (no known price, or no recorded input)')
  })

  it('has aligned columns', () => {
    const rows = [
      { name: 'a', totals: emptyTotals },
      { name: 'a much longer name', totals: { ...emptyTotals, requests: 1_000 } },
    ]
    const lines = textTable('Model', rows, emptyTotals).split('\n')
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
    expect(lines.at(-1)).toMatch(/^\| Total/)
  })

  it('has the cost beside the name, and lines of about a hundred columns', async () => {
    const store = await filledStore()
    const many = { costNano: 123_456_000_000_000n, inputTokens: 123_400_000, outputTokens: 123_400_000 }
    await record(store, `/home/ann/work/${'customers/'.repeat(8)}shop`, NOW, many)
    await record(store, '/x', NOW, { model: `vendor/${'family-'.repeat(8)}2026` })
    const text = await usageDocument(store.usage, {
      folders: ['/home/ann/work'],
      timeZone: 'UTC',
      now: NOW,
      location: '/cairn.db',
    })
    const rows = text.split('\n').filter((line) => line.startsWith('|'))
    expect(Math.max(...rows.map((line) => line.length))).toBeLessThanOrEqual(102)
    expect(rows[0]).toMatch(/^\| Day +\| +Cost \|/)
    expect(text).toMatch(/\| …[a-z/]+customers\/shop ← here \| +\$123,?456/)
    expect(text).toMatch(/\| …[a-z-]+family-2026 +\|/)
  })

  it('keeps names that would break a table in their cell', () => {
    const lines = textTable('Project', [{ name: 'a|b\n\u001b[31mred', totals: emptyTotals }], emptyTotals).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[2]).toContain('a¦b [31mred')
  })
})
