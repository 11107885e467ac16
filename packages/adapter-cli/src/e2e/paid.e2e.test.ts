/** What is paid, as a process: subscriptions and discounts from settings, beside costs that stay as they are. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { textWidth } from '../terminal/text-width.ts'
import { createSandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Figures {
  readonly requests: number
  readonly equivalentUsd: number
  readonly paidUsd: number | null
  readonly savedUsd: number | null
}

interface Answer {
  readonly total: { readonly costUsd: number; readonly requests: number }
  readonly paid?: {
    readonly rows: readonly (Figures & {
      readonly provider: string
      readonly parts: readonly (Figures & { readonly kind: string; readonly name?: string; readonly days?: number })[]
    })[]
    readonly total: Figures
  }
}

describe('what is paid', () => {
  const sandbox = createSandbox()
  const shop = join(sandbox.folder, 'shop')
  const site = join(sandbox.folder, 'site')
  beforeAll(async () => {
    for (const folder of [shop, site]) mkdirSync(folder, { recursive: true })
    const days = ['2026-01-30', '2026-02-14', '2026-02-15', '2026-02-28']
    const lines = (session: string, cwd: string, output: number) =>
      days
        .map((day, index) =>
          claudeLine({
            session,
            id: `${session}-${index}`,
            at: `${day}T12:00:00.000Z`,
            text: 'x'.repeat(100),
            cwd,
            tokens: [40_000 * (index + 1), 3_000, 700, output],
          }),
        )
        .join('\n')
    sandbox.file(
      'in/-shop/0b6f3f0e-0000-4000-8000-000000000001.jsonl',
      `${lines('0b6f3f0e-0000-4000-8000-000000000001', shop, 90_000)}\n`,
    )
    sandbox.file(
      'in/-site/0b6f3f0e-0000-4000-8000-000000000002.jsonl',
      `${lines('0b6f3f0e-0000-4000-8000-000000000002', site, 700)}\n`,
    )
    const { code, stderr } = await sandbox.cairn('import', '--agent', 'claude-code', '--from', 'in')
    expect([code, stderr]).toEqual([0, expect.any(String)])
  })
  afterAll(() => sandbox.remove())

  const ask = async (...args: readonly string[]): Promise<Answer> => (await sandbox.json(...args)) as Answer
  const february = ['--since', '2026-02-01', '--until', '2026-02-28', '--timezone', 'UTC']

  it('is not told where nothing is set', async () => {
    for (const command of ['usage', 'insights']) expect(await ask(command)).not.toHaveProperty('paid')
    expect((await sandbox.cairn('usage')).stdout).not.toContain('API-equiv.')
  })

  it('is what two plans of one month cost, and changes no other figure', async () => {
    const before = await ask('usage', ...february)
    const text = 'Max 5x,56,2026-01-15,2026-02-14;Max 20x,280,2026-02-15'
    expect((await sandbox.cairn('config', 'set', 'subscriptions.anthropic', text)).code).toBe(0)
    const { paid, ...after } = await ask('usage', ...february)
    expect(after).toEqual(before)
    expect(before.total.costUsd).toBeGreaterThan(1)
    // 14 of 28 days each.
    expect(paid?.total).toEqual({
      requests: 6,
      unpricedRequests: 0,
      equivalentUsd: before.total.costUsd,
      paidUsd: 168,
      savedUsd: expect.closeTo(before.total.costUsd - 168, 8),
    })
    expect(paid?.rows).toMatchObject([
      {
        provider: 'anthropic',
        parts: [
          { kind: 'subscription', name: 'Max 5x', days: 14, requests: 2, paidUsd: 28, monthlyUsd: 56 },
          {
            kind: 'subscription',
            name: 'Max 20x',
            days: 14,
            requests: 4,
            paidUsd: 140,
            since: '2026-02-15',
            until: null,
          },
        ],
      },
    ])
    expect((await ask('insights', ...february)).paid).toEqual(paid)
    const session = await ask('usage', ...february, '--session', '0b6f3f0e-0000-4000-8000-000000000001')
    expect(session.paid?.total).toMatchObject({ requests: 3, paidUsd: null, savedUsd: null })
  })

  it('follows a project’s own plans', async () => {
    await sandbox.cairn('config', 'set', 'discounts.anthropic', '25', '--workspace', site)
    const ofSite = await ask('usage', ...february, '--workspace', site)
    expect(ofSite.paid?.rows.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([['discount']])
    expect(ofSite.paid?.total.paidUsd).toBeCloseTo(ofSite.total.costUsd * 0.75, 8)
    const ofShop = await ask('usage', ...february, '--workspace', shop)
    expect(ofShop.paid?.total).toMatchObject({ requests: 3, equivalentUsd: ofShop.total.costUsd, paidUsd: null })
    const all = await ask('usage', ...february)
    expect(all.paid?.total.paidUsd).toBeCloseTo(168 + ofSite.total.costUsd * 0.75, 8)
    expect(await sandbox.json('config', 'get', 'discounts.anthropic', '--workspace', site)).toMatchObject({
      key: 'discounts.anthropic',
      value: [{ percent: 25 }],
      origin: { from: 'workspace' },
    })
  })

  it('stands in a table that fits 80 columns and ends with its total', async () => {
    for (const command of ['usage', 'insights']) {
      const { code, stdout } = await sandbox.cairn(command, ...february)
      expect(code).toBe(0)
      expect(stdout).toContain('API-equivalent')
      expect(stdout).toMatch(/^anthropic +Max 5x, 14 days.* \$28\.00 /m)
      expect(stdout).toMatch(/^ +25 % off in site /m)
      expect(stdout).toMatch(/^Total +\d+ .*\$168\.\d\d/m)
      for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
    }
  })

  it('is set, shown and taken back with the other settings; what is wrong is one sentence', async () => {
    expect((await sandbox.cairn('config', 'get', 'subscriptions.anthropic')).stdout).toContain('"Max 5x"')
    expect((await sandbox.cairn('config', 'list')).stdout).toMatch(/^subscriptions = \{"anthropic":\[/m)
    const wrong = await sandbox.cairn('config', 'set', 'subscriptions.anthropic', 'Max,100,soon')
    expect([wrong.code, wrong.stderr.trim().split('\n').length]).toEqual([2, 1])
    expect((await sandbox.cairn('config', 'get', 'subscriptions.openai')).stderr).toContain(
      'subscriptions.openai is not set.',
    )
    expect((await sandbox.cairn('config', 'unset', 'subscriptions.anthropic')).code).toBe(0)
    await sandbox.cairn('config', 'unset', 'discounts.anthropic', '--workspace', site)
    expect(await ask('usage', ...february)).not.toHaveProperty('paid')
  })
})
