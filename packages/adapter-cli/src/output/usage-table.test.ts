import { describe, expect, it } from '@jest/globals'
import type { Engine, UsageReport, UsageTotals } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'
import { textWidth } from '../terminal/text-width.ts'
import { showUsage, usageLines } from './usage-table.ts'

const totals = {
  requests: 45_678,
  inputTokens: 123_456,
  cacheReadTokens: 42_400_000,
  cacheWrite5mTokens: 4_170_000,
  cacheWrite1hTokens: 0,
  outputTokens: 746_000,
  costNano: 12_345_670_000_000n,
  unpricedRequests: 3,
  partialRequests: 7,
  missingOutputTokens: 64_200,
  missingOutputCostNano: 963_000_000n,
} as unknown as UsageTotals
const DAY = '2026-01-31'
const report: UsageReport = { rows: [{ ...totals, key: DAY }], total: totals }

describe('usageLines', () => {
  it.each([40, 60, 72, 80, 120])('never cuts a day, a session or a cost in %i columns', (width) => {
    const days = usageLines(report, 'day', ({ key }) => key, width).lines
    expect(days[1]?.startsWith(`${DAY} `)).toBe(true)
    const id = '019a1b2c-1122'
    const sessions = usageLines(
      report,
      'session',
      () => `${id} A title that is rather long, as most titles are`,
      width,
      [id],
    ).lines
    expect(sessions[1]?.startsWith(`${id} A t`)).toBe(true)
    for (const line of [...days, ...sessions]) expect(textWidth(line)).toBeLessThanOrEqual(width)
    expect(days[1]).toMatch(/\$12,345\.67 \+ \?$/)
  })

  it('shows the estimate of missing output beside the total, and does not add it', () => {
    const { lines } = usageLines(report, 'day', ({ key }) => key, 120)
    expect(lines.at(-1)).toMatch(/^Total .*\$12,345\.67 \+ ~\$0\.9630 \+ \?$/)
    const without = { ...totals, missingOutputCostNano: 0n }
    expect(usageLines({ rows: [], total: without }, 'day', ({ key }) => key, 120).lines.at(-1)).toMatch(
      / \$12,345\.67 \+ \?$/,
    )
  })

  it.each([
    [60, '+missing'],
    // The estimate beside the total is what gives way first.
    [80, undefined],
  ])('keeps models apart in %i columns, and leaves out %s for it', (width, left) => {
    const keys = ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5', 'gpt-5.3-codex-spark']
    const models: UsageReport = { rows: keys.map((key) => ({ ...totals, key })), total: totals }
    const { lines, dropped } = usageLines(models, 'model', ({ key }) => key, width)
    const shown = lines.slice(1, -1).map((line) => line.split('  ')[0])
    expect(new Set(shown).size).toBe(keys.length)
    expect(dropped[0]).toBe(left)
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
  })

  it.each(['agent', 'mode'] as const)(
    'never cuts the name of an %s in 80 columns for the estimate of a total',
    (by) => {
      const row = { ...totals, requests: 1080, costNano: 75_460_000_000n, unpricedRequests: 0 }
      const keys = ['claude-code', 'codex', 'orchestrator']
      const agents: UsageReport = {
        rows: keys.map((key) => ({ ...row, key })),
        total: { ...totals, costNano: 152_110_000_000n, missingOutputCostNano: 7_120_000_000n },
      }
      const { lines, dropped } = usageLines(agents, by, ({ key }) => key, 80)
      expect(lines.slice(1, -1).map((line) => line.split('  ')[0])).toEqual(keys)
      expect(dropped).toEqual([])
      expect(lines.at(-1)).toMatch(/ \$152\.11 \+ \?$/)
      expect(usageLines(agents, by, ({ key }) => key, 100).lines.at(-1)).toMatch(/ \$152\.11 \+ ~\$7\.12 \+ \?$/)
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80)
    },
  )

  it('names the columns that did not fit', () => {
    expect(usageLines(report, 'day', ({ key }) => key, 60).dropped[0]).toBe('+missing')
    expect(usageLines(report, 'day', ({ key }) => key, 120).dropped).toEqual([])
  })
})

describe('showUsage', () => {
  it('gives each session of the table its title, whatever others cost at other times', async () => {
    const store = createInMemoryStore()
    const titles = ['Costly long ago', 'Cheap last week', 'Cheaper today']
    for (const [index, title] of titles.entries())
      await store.sessions.append({ id: `pi:s${index}`, agent: 'pi', externalId: `s${index}`, title }, 0, [])
    // The store's most expensive session has no row of its own.
    const sessions = {
      ...store.sessions,
      list: async () => ({ sessions: [await store.sessions.get('pi:s0')].flatMap((found) => found ?? []), total: 3 }),
    }
    const lines: string[] = []
    const terminal = { ...SILENT_TERMINAL, width: 120, line: async (text = '') => void lines.push(text) }
    await showUsage(
      { rows: ['pi:s1', 'pi:s2'].map((key) => ({ ...totals, key })), total: totals },
      { by: 'session' },
      { store: { ...store, sessions }, usage: { report: () => ({ rows: [] }) } } as unknown as Engine,
      { terminal, now: () => 0 },
    )
    expect(lines.filter((line) => /^s\d /.test(line)).map((line) => line.split('  ')[0])).toEqual([
      's1 Cheap last week',
      's2 Cheaper today',
    ])
  })
})
