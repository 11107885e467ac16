import { emptyTotals } from '@cairn/core'
import { NOW, filledStore } from './recorded.fixture.ts'
import { readProjectUsage } from './project-usage.ts'
import { escapeMarkdown, statusItem } from './status-item.ts'

describe('the status bar', () => {
  it('shows today’s cost and tokens of the project, and says what it stands for', async () => {
    const { usage } = await filledStore()
    const item = statusItem({
      kind: 'ready',
      usage: await readProjectUsage(usage, { folders: ['/code/shop'], timeZone: 'UTC', now: NOW }),
      budgets: [],
    })
    expect(item.text).toBe('$(graph) $0.2500+ · 2.1K')
    expect(item.label).toBe('Cairn: $0.2500+ and 2.1K tokens today in shop')
    expect(item.tooltip).toContain('| | Today | This week | All time |')
    expect(item.tooltip).toContain('| shop | \\$0\\.2500\\+ · 2.1K |')
    expect(item.tooltip).toContain('| All projects |')
    expect(item.tooltip).toContain('1 of 3 requests have no cost \\(no known price, or no recorded input\\)')
  })

  it('shows the estimated cost of unrecorded output beside the cost', () => {
    const total = {
      ...emptyTotals,
      requests: 2,
      costNano: 5_000_000_000n,
      partialRequests: 1,
      missingOutputTokens: 80_000,
      missingOutputCostNano: 1_200_000_000n,
    }
    const span = { project: total, all: total }
    const item = statusItem({
      kind: 'ready',
      usage: { name: 'shop', today: span, week: span, ever: span },
      budgets: [],
    })
    expect(item.text).toContain('$5.00 + ~$1.20 ·')
    expect(item.tooltip).toContain(escapeMarkdown('$5.00 + ~$1.20'))
    expect(item.tooltip).toContain(escapeMarkdown('by ~$1.20, which is an estimate that no total includes'))
  })

  it('shows all projects where no folder is open', async () => {
    const { usage } = await filledStore()
    const item = statusItem({
      kind: 'ready',
      usage: await readProjectUsage(usage, { folders: [], timeZone: 'UTC', now: NOW }),
      budgets: [],
    })
    expect(item.label).toContain('today in all projects')
    expect(item.tooltip).not.toContain('shop')
  })

  it('says what to do when there is no store, and shows no number', () => {
    const item = statusItem({ kind: 'no-store', location: '/home/ann/cairn.db' })
    expect(item.text).toBe('$(graph) Cairn')
    expect(item.label).toContain('Cairn: Import Now')
    expect(item.isWarning).toBe(false)
  })

  it('says what failed', () => {
    expect(statusItem({ kind: 'failed', sentence: 'The store is from a newer version.' })).toMatchObject({
      isWarning: true,
      label: 'Cairn: The store is from a newer version.',
    })
  })

  it('never lets a project’s name become markup', () => {
    const none = { project: emptyTotals, all: emptyTotals }
    const item = statusItem({
      kind: 'ready',
      usage: { name: '[x](command:evil)<img src=x>|\n\n# $(bug)', today: none, week: none, ever: none },
      budgets: [],
    })
    expect(item.tooltip).not.toMatch(/[^\\](\[|<|#)/)
    expect(item.tooltip.split('\n')).toHaveLength(6)
    expect(escapeMarkdown('a_b')).toBe('a\\_b')
  })
})
