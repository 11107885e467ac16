/** The budgets of a month: the badge on every page and the panel show what `cairn insights --json` prints. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { EntryWrite, Store } from '@cairn/core'
import type { Page } from 'playwright-core'
import { LOOKS, problemsOf } from './accessible.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { fillStore } from './synthetic-usage.ts'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const run = promisify(execFile)

interface PrintedBudget {
  readonly project: string | null
  readonly state: string
  readonly limitUsd: number
  readonly spentUsd: number
  /** Null where too few days tell it. */
  readonly totalUsd: number | null
}

const addProject = async (store: Store, workspace: string, costs: readonly bigint[], now: number): Promise<void> => {
  const id = `claude-code:${workspace}`
  const writes = costs.map((costNano, index): EntryWrite => {
    const at = now - index
    const callId = `${workspace}-${index}`
    return {
      entry: { kind: 'message', id: callId, at, role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
      request: {
        callId,
        at,
        model: 'claude-sonnet-4-5',
        workspace,
        inputTokens: 10,
        cacheReadTokens: 0,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: 3,
        costNano,
        costState: 'recorded',
      },
    }
  })
  await store.sessions.append({ id, agent: 'claude-code', externalId: workspace, workspace }, 0, writes)
}

describeInBrowser('budgets', () => {
  let dashboard: DashboardUnderTest
  let shop: string
  let site: string
  beforeAll(async () => {
    dashboard = await startDashboard((store) => fillStore(store, 300, Date.now()))
    shop = join(dashboard.folder, 'shop')
    site = join(dashboard.folder, 'site')
    for (const project of [shop, site]) mkdirSync(join(project, '.cairn'), { recursive: true })
    await addProject(dashboard.store, shop, [7_250_000_001n, 1_100_000_000n], Date.now())
    await addProject(dashboard.store, site, [430_000_000n], Date.now())
  })
  afterAll(() => dashboard.close())

  const set = (file: string, month: number): void => writeFileSync(file, JSON.stringify({ budget: { month } }))
  const printed = async (...args: readonly string[]): Promise<readonly PrintedBudget[]> => {
    const { stdout } = await run(
      process.execPath,
      [CLI, 'insights', '--json', '--timezone', 'UTC', '--store', `file:${dashboard.file}`, ...args],
      { env: { ...process.env, CAIRN_HOME: dashboard.folder }, cwd: dashboard.folder },
    )
    return (JSON.parse(stdout) as { budgets: readonly PrintedBudget[] }).budgets
  }
  const shown = async (page: Page): Promise<readonly (readonly [string, string, string])[]> => {
    const rows = page.locator('[data-budget-of]')
    await rows.first().waitFor()
    const found: (readonly [string, string, string])[] = []
    for (const row of await rows.all())
      found.push([
        (await row.getAttribute('data-budget-of')) ?? '',
        (await row.getAttribute('data-state')) ?? '',
        await row.locator('p').last().innerText(),
      ])
    return found.toSorted()
  }
  const expected = (budgets: readonly PrintedBudget[]): readonly (readonly [string, string, string])[] => {
    const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))
    return budgets
      .map(
        ({ project, state, spentUsd, limitUsd, totalUsd }) =>
          [
            project ?? '',
            state,
            `${usd(spentUsd)} of ${usd(limitUsd)}; ${totalUsd === null ? 'too few days to tell the end of the month' : `~${usd(totalUsd)} by the end of the month`}`,
          ] as const,
      )
      .toSorted()
  }

  it('says nothing where none is set, but on the page of leaks, which leads to the setting', async () => {
    const context = await dashboard.browser.newContext({ timezoneId: 'UTC' })
    const page = await dashboard.open(context, '?period=90d')
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('[data-budget], [data-no-budget]').count()).toBe(0)
    await page.goto(`${dashboard.server.url}insights?period=90d`)
    const none = page.locator('[data-no-budget]')
    await none.getByText('No monthly budget is set.').waitFor()
    expect(await problemsOf(page)).toEqual([])
    await none.getByRole('link', { name: 'Budgets in the settings' }).click()
    await page.waitForURL(/settings#budget\.month$/)
    await page.getByRole('heading', { name: 'Settings in files' }).waitFor()
    expect(await page.locator('[data-budget], [data-no-budget]').count()).toBe(0)
    await context.close()
  })

  it('shows what the command prints, for all projects and for one, with the worst in the head', async () => {
    const [all] = await (async () => {
      set(join(dashboard.folder, 'config.json'), 1_000_000)
      return printed()
    })()
    expect(all).toMatchObject({ project: null, state: 'ok' })
    set(join(shop, '.cairn', 'config.json'), 8.35)
    set(join(site, '.cairn', 'config.json'), 90_000)
    const budgets = await printed()
    expect(budgets.map(({ project, state }) => [project, state])).toEqual(
      expect.arrayContaining([
        [null, 'ok'],
        [shop, 'exceeded'],
        [site, 'ok'],
      ]),
    )
    // The projects have had requests on one day alone.
    expect(budgets.map(({ project, totalUsd }) => [project, totalUsd === null])).toEqual(
      expect.arrayContaining([
        [null, false],
        [shop, true],
        [site, true],
      ]),
    )
    const context = await dashboard.browser.newContext({ timezoneId: 'UTC' })
    const page = await dashboard.open(context, '?period=90d')
    for (const path of ['?period=90d', 'insights?period=90d']) {
      await page.goto(`${dashboard.server.url}${path}`)
      expect(await shown(page)).toEqual(expected(budgets))
    }
    const badge = page.locator('header [data-budget]')
    expect(await badge.getAttribute('data-budget')).toBe('exceeded')
    expect(await badge.innerText()).toContain('100% of $8.35')
    const project = encodeURIComponent(site)
    await page.goto(`${dashboard.server.url}insights?period=90d&project=${project}`)
    expect(await shown(page)).toEqual(expected(await printed('--workspace', site)))
    expect(await badge.getAttribute('data-budget')).toBe('ok')
    for (const other of ['sessions', 'models', 'health']) {
      await page.goto(`${dashboard.server.url}${other}`)
      await badge.waitFor()
      expect(await badge.getAttribute('data-budget')).toBe('exceeded')
    }
    // A project without a budget of its own counts to that of all.
    await page.goto(`${dashboard.server.url}models?period=90d&project=${encodeURIComponent('/work/none')}`)
    await badge.waitFor()
    expect(await badge.getAttribute('data-budget')).toBe('ok')
    await page.setViewportSize({ width: 1_100, height: 500 })
    await badge.click()
    await page.waitForURL(
      (url) => url.pathname === '/insights' && url.hash === '#budgets' && !url.search.includes('project'),
    )
    await page.getByRole('heading', { name: 'This month' }).waitFor()
    await page.waitForLoadState('networkidle')
    const heading = page.getByRole('heading', { name: /^Budgets of/ })
    await expect(heading.evaluate((element) => element.getBoundingClientRect().top < 100)).resolves.toBe(true)
    expect(dashboard.complaints).toEqual([])
    await context.close()
  })

  it.each(LOOKS)('is accessible and fits, %s and %i wide', async (colorScheme, width) => {
    const context = await dashboard.browser.newContext({ colorScheme, viewport: { width, height: 1_000 } })
    const page = await dashboard.open(context, 'insights?period=90d')
    await shown(page)
    expect(await problemsOf(page)).toEqual([])
    await page.screenshot({ path: join(dashboard.screenshots, `budgets-${colorScheme}-${width}.png`), fullPage: true })
    await context.close()
  })
})
