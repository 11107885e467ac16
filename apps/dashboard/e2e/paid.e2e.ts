/** What is paid: the panel of both pages shows what `cairn usage` and `cairn insights` print. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { Page } from 'playwright-core'
import { LOOKS, problemsOf } from './accessible.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { fillStore } from './synthetic-usage.ts'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const run = promisify(execFile)
const DAY_MS = 86_400_000

interface PrintedFigures {
  readonly requests: number
  readonly unpricedRequests: number
  readonly equivalentUsd: number
  readonly paidUsd: number | null
}

interface PrintedPaid {
  readonly rows: readonly { readonly provider: string; readonly parts: readonly PrintedFigures[] }[]
  readonly total: PrintedFigures
}

/** A line of the table: the provider, then its figures. */
type Line = readonly string[]

describeInBrowser('what is paid', () => {
  let dashboard: DashboardUnderTest
  beforeAll(async () => {
    dashboard = await startDashboard((store) => fillStore(store, 400, Date.now()))
  })
  afterAll(() => dashboard.close())

  const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  const set = (): void =>
    writeFileSync(
      join(dashboard.folder, 'config.json'),
      JSON.stringify({
        subscriptions: {
          anthropic: [
            { name: 'Max 5x', monthlyUsd: 100, since: day(50), until: day(21), agents: ['claude-code'] },
            { name: '<b>Max 20x</b>', monthlyUsd: 200, since: day(20) },
          ],
        },
        discounts: { openai: [{ percent: 12.5, since: day(40) }] },
      }),
    )
  const printed = async (command: string, zone: string, ...args: readonly string[]): Promise<PrintedPaid> => {
    const { stdout } = await run(
      process.execPath,
      [CLI, command, '--json', '--timezone', zone, '--store', `file:${dashboard.file}`, ...args],
      { env: { ...process.env, CAIRN_HOME: dashboard.folder }, cwd: dashboard.folder, maxBuffer: 64 * 1024 * 1024 },
    )
    return (JSON.parse(stdout) as { paid: PrintedPaid }).paid
  }
  const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))
  const lineOf = (name: string, { requests, unpricedRequests, equivalentUsd, paidUsd }: PrintedFigures): Line => [
    name,
    requests.toLocaleString('en-US'),
    `${usd(equivalentUsd)}${unpricedRequests > 0 ? ' + ?' : ''}`,
    paidUsd === null ? '–' : usd(paidUsd),
    paidUsd === null ? '–' : formatUsd(nanoFromUsd(equivalentUsd) - nanoFromUsd(paidUsd)),
  ]
  const expected = ({ rows, total }: PrintedPaid): readonly Line[] => [
    ...rows.flatMap(({ provider, parts }) => parts.map((part) => lineOf(provider, part))),
    lineOf('total', total),
  ]
  const shown = async (page: Page, path: string): Promise<readonly Line[]> => {
    await page.goto(`${dashboard.server.url}${path}`)
    await page.locator('[data-paid="total"]').waitFor()
    const lines: Line[] = []
    for (const row of await page.locator('[data-paid]').all())
      lines.push([
        (await row.getAttribute('data-paid')) ?? '',
        ...(await Promise.all(
          ['requests', 'equivalent', 'paid', 'saved'].map((name) =>
            row.locator(`[data-measure="${name}"]`).innerText(),
          ),
        )),
      ])
    return lines
  }

  it('says nothing where nothing is set', async () => {
    const context = await dashboard.browser.newContext({ timezoneId: 'UTC' })
    const page = await dashboard.open(context, '?period=90d')
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('[data-paid]').count()).toBe(0)
    await context.close()
  })

  it.each(['UTC', 'Asia/Kolkata', 'America/Los_Angeles'])('is what the commands print, in %s', async (zone) => {
    set()
    const context = await dashboard.browser.newContext({ timezoneId: zone })
    const page = await dashboard.open(context, '?period=90d')
    const all = ['--since', '2000-01-01']
    const since = ['--since', day(30), '--until', day(10)]
    const days = `from=${day(30)}&to=${day(10)}`
    const whole = await printed('usage', zone, ...since)
    expect(whole.rows.map(({ provider }) => provider).toSorted()).toEqual(['anthropic', 'openai', 'unknown'])
    expect(whole.rows.find(({ provider }) => provider === 'anthropic')?.parts.length).toBeGreaterThan(2)
    expect(whole.total.paidUsd).toBeGreaterThan(100)
    expect(await shown(page, `?${days}`)).toEqual(expected(whole))
    expect(await shown(page, `insights?${days}`)).toEqual(expected(await printed('insights', zone, ...since)))
    expect(await shown(page, '?period=all')).toEqual(expected(await printed('usage', zone)))
    expect((await printed('usage', zone, ...all)).total.requests).toBeGreaterThan(whole.total.requests)
    const agent = await printed('usage', zone, ...since, '--agent', 'claude-code')
    expect(agent.total.paidUsd).toBeNull()
    expect(await shown(page, `?${days}&agent=claude-code`)).toEqual(expected(agent))
    expect(await page.getByText('a subscription covers these requests').count()).toBe(1)
    const project = await printed('usage', zone, ...since, '--project', '/home/ann/code/checkout')
    expect(await shown(page, `?${days}&project=${encodeURIComponent('/home/ann/code/checkout')}`)).toEqual(
      expected(project),
    )
    expect(dashboard.complaints).toEqual([])
    await context.close()
  })

  it.each(LOOKS)('is accessible and fits, %s and %i wide', async (colorScheme, width) => {
    set()
    const context = await dashboard.browser.newContext({ colorScheme, viewport: { width, height: 1_000 } })
    const page = await dashboard.open(context, 'insights?period=90d')
    await shown(page, 'insights?period=90d')
    expect(await page.getByText('<b>Max 20x</b>').count()).toBe(1)
    expect(await problemsOf(page)).toEqual([])
    await page.screenshot({ path: join(dashboard.screenshots, `paid-${colorScheme}-${width}.png`), fullPage: true })
    await context.close()
  })
})
