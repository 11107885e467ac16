/** What changed, what commits cost and what an active day costs: the pages show what the command prints. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { EntryWrite } from '@cairn/core'
import type { Page } from 'playwright-core'
import { LOOKS, problemsOf } from './accessible.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { PROJECTS, fillStore, random } from './synthetic-usage.ts'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const run = promisify(execFile)
const DAY_MS = 86_400_000

interface PrintedMovers {
  readonly movers: readonly { readonly key: string; readonly changeUsd: number }[]
  readonly others: { readonly count: number; readonly changeUsd: number }
}
interface Printed {
  readonly activeDays: { readonly meanUsd: number; readonly days: number }
  readonly change: {
    readonly changeUsd: number
    readonly nowUsd: number
    readonly beforeUsd: number
    readonly by: Readonly<Record<string, PrintedMovers>>
  }
}
interface PrintedCommits {
  readonly rows: readonly { readonly key: string; readonly costUsd: number; readonly requests: number }[]
  readonly total: { readonly costUsd: number }
}

const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))
const signed = (amount: number): string => (amount < 0 ? `−${usd(-amount)}` : `+${usd(amount)}`)

describeInBrowser('changes', () => {
  let dashboard: DashboardUnderTest
  let shop: string
  const now = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const git = (at: number, ...args: readonly string[]): void => {
    const date = new Date(at).toISOString()
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: shop,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    })
  }
  beforeAll(async () => {
    dashboard = await startDashboard((store) => fillStore(store, 900, now))
    shop = join(dashboard.folder, 'shop')
    mkdirSync(shop)
    git(now - 9 * DAY_MS, 'init', '-q', '--initial-branch', 'main')
    const writes: EntryWrite[] = []
    for (let index = 0; index < 30; index += 1) {
      const at = now - 8 * DAY_MS + index * 3_600_000
      if (index % 7 === 3) git(at - 60_000, 'commit', '-q', '--allow-empty', '-m', `<b>step</b> ${index}`)
      writes.push({
        entry: { kind: 'message', id: `c${index}`, at, role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
        request: {
          callId: `c${index}`,
          at,
          model: 'claude-sonnet-4-5',
          workspace: shop,
          branch: 'main',
          inputTokens: 10 + index,
          cacheReadTokens: 0,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: 3,
          costNano: BigInt(7 + index * index * index) * 31_000_001n,
          costState: 'recorded',
        },
      })
    }
    const session = { id: 'claude-code:shop', agent: 'claude-code', externalId: 'shop', workspace: shop }
    await dashboard.store.sessions.append(session, 0, writes)
  })
  afterAll(() => dashboard.close())

  const printed = async (command: readonly string[], timeZone = 'UTC'): Promise<unknown> => {
    const { stdout } = await run(
      process.execPath,
      [CLI, ...command, '--json', '--timezone', timeZone, '--store', `file:${dashboard.file}`],
      { env: { ...process.env, CAIRN_HOME: dashboard.folder }, cwd: dashboard.folder },
    )
    return JSON.parse(stdout) as unknown
  }
  const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10)

  const shownMovers = async (page: Page, dimension: string): Promise<readonly (readonly [string, string])[]> => {
    const found: (readonly [string, string])[] = []
    for (const item of await page.locator(`[data-movers="${dimension}"] [data-mover]`).all())
      found.push([(await item.getAttribute('data-mover')) ?? '', await item.locator('[data-moved]').innerText()])
    return found
  }

  it('are those of the command, for random days and projects', async () => {
    const next = random(62)
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '?period=90d')
    const zones = ['UTC', 'Asia/Tokyo', 'America/St_Johns'] as const
    let compared = 0
    for (let round = 0; round < 6; round += 1) {
      const days = 3 + Math.floor(next() * 12)
      const to = now - (2 + Math.floor(next() * 12)) * DAY_MS
      const [since, until] = [dayText(to - (days - 1) * DAY_MS), dayText(to)]
      const project = round % 2 === 0 ? undefined : (PROJECTS[Math.floor(next() * 3)] ?? '')
      const zone = zones[round % 3] ?? 'UTC'
      const { activeDays, change } = (await printed(
        ['insights', '--since', since, '--until', until, ...(project === undefined ? [] : ['--workspace', project])],
        zone,
      )) as Printed
      if (change.nowUsd === 0 || change.beforeUsd === 0) continue
      compared += 1
      const query = `?from=${since}&to=${until}&zone=${zone}${project === undefined ? '' : `&project=${encodeURIComponent(project)}`}`
      await page.goto(`${dashboard.server.url}${query}`)
      const sentence = await page.locator('[data-change-sentence]').innerText()
      expect(sentence).toBe(
        `${signed(change.changeUsd)} against the ${days} days before: ${usd(change.nowUsd)} after ${usd(change.beforeUsd)}.`,
      )
      for (const [dimension, { movers, others }] of Object.entries(change.by)) {
        expect(await shownMovers(page, dimension)).toEqual(movers.map(({ key, changeUsd }) => [key, signed(changeUsd)]))
        const rest = page.locator(`[data-movers="${dimension}"] [data-others]`)
        expect(await rest.count()).toBe(others.count === 0 ? 0 : 1)
        if (others.count > 0) expect(await rest.innerText()).toContain(signed(others.changeUsd))
      }
      await page.goto(`${dashboard.server.url}insights${query}`)
      const tile = page.locator('[data-total="An active day"]')
      await tile.waitFor()
      expect(await tile.innerText()).toBe(usd(activeDays.meanUsd))
    }
    expect(compared).toBeGreaterThan(3)
    await context.close()
  })

  it('has a commit’s cost as the command, and says where git has none', async () => {
    const { rows, total } = (await printed([
      'usage',
      '--by',
      'commit',
      '--workspace',
      shop,
      '--branch',
      'main',
    ])) as PrintedCommits
    expect(rows.length).toBeGreaterThan(3)
    const context = await dashboard.browser.newContext({ timezoneId: 'UTC' })
    const page = await dashboard.open(context, `?period=all&branch=main&project=${encodeURIComponent(shop)}`)
    const shown = page.locator('[data-commit]')
    await shown.first().waitFor()
    const found: unknown[] = []
    for (const row of await shown.all())
      found.push([await row.getAttribute('data-commit'), ...(await row.locator('td').allInnerTexts())])
    expect(found).toEqual(rows.map(({ key, requests, costUsd }) => [key, String(requests), usd(costUsd)]))
    const panel = page.getByRole('region', { name: 'By commit' })
    expect(await panel.getByRole('row', { name: /^Total/ }).innerText()).toContain(usd(total.costUsd))
    await page.goto(`${dashboard.server.url}?period=all&branch=main&project=${encodeURIComponent(PROJECTS[0])}`)
    await panel.getByText('not on this machine').waitFor()
    expect(dashboard.complaints).toEqual([])
    await context.close()
  })

  it.each(LOOKS)('is accessible and fits, %s and %i wide', async (colorScheme, width) => {
    const context = await dashboard.browser.newContext({ colorScheme, viewport: { width, height: 1_000 } })
    const page = await dashboard.open(context, `?from=${dayText(now - 9 * DAY_MS)}&to=${dayText(now - DAY_MS)}`)
    await page.locator('[data-mover]').first().waitFor()
    expect(await problemsOf(page)).toEqual([])
    await page.screenshot({ path: join(dashboard.screenshots, `changes-${colorScheme}-${width}.png`) })
    await context.close()
  })
})
