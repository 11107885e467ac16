/** A store whose last request is old: what the first page shows, and the way to a session with subagents and back. */
import { join } from 'node:path'
import { formatUsd } from '@cairn/core'
import type { Page } from 'playwright-core'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { LONG_SESSION, addLongSession } from './sample-session.ts'
import { fillStore } from './synthetic-usage.ts'

const DAY_MS = 86_400_000

describeInBrowser('a store whose last request is old', () => {
  let dashboard: DashboardUnderTest
  const then = Date.now() - 120 * DAY_MS
  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      await fillStore(store, 300, then)
      await addLongSession(store, 300, then)
    })
  })
  afterAll(() => dashboard.close())

  const openAt = async (path: string): Promise<Page> => {
    const context = await dashboard.browser.newContext({
      locale: 'en-US',
      timezoneId: 'UTC',
      viewport: { width: 1_440, height: 1_000 },
    })
    return dashboard.open(context, path)
  }
  const chosenPeriod = (page: Page): Promise<string | null> =>
    page.locator('input[name="period"]:checked').getAttribute('value')
  const search = (page: Page): string => new URL(page.url()).search

  it.each(['', 'sessions', 'models'])('is not empty at first: /%s', async (path) => {
    const page = await openAt(path)
    await page.getByText('There is nothing in the last 30 days; this is the last year.').waitFor()
    await page.getByRole('table').first().waitFor()
    expect(await chosenPeriod(page)).toBe('1y')
    await page.screenshot({ path: join(dashboard.screenshots, `landing-${path === '' ? 'overview' : path}.png`) })
    // What is chosen by hand is shown as it is, with the way back to something.
    await page.getByText('30 days', { exact: true }).click()
    await page.getByRole('button', { name: 'Show the last year' }).waitFor()
    expect(await chosenPeriod(page)).toBe('30d')
    await page.getByRole('button', { name: 'Show the last year' }).click()
    await page.getByRole('table').first().waitFor()
    expect(await chosenPeriod(page)).toBe('1y')
    expect(await page.getByText('There is nothing in').count()).toBe(0)
    await page.context().close()
  })

  it('shows for a requested empty period when the latest request was', async () => {
    const page = await openAt('?period=7d')
    await page.getByRole('heading', { name: 'Nothing in this period' }).waitFor()
    const day = new Date(then).toISOString().slice(0, 4)
    await page.getByText(new RegExp(`The latest was on .* ${day}`)).waitFor()
    expect(await chosenPeriod(page)).toBe('7d')
    await page.context().close()
  })

  it('links from a session back to the same list', async () => {
    const query = 'period=1y&branch=fix%2Fcheckout-total&q=basket&sort=cost&order=ascending'
    const page = await openAt(`sessions?${query}`)
    await page.getByRole('link', { name: /voucher is used twice/ }).click()
    await page.getByRole('button', { name: 'Requests', exact: true }).click()
    await page.getByRole('button', { name: 'Output' }).click()
    await page.waitForURL(/sort=outputTokens/)
    const back = page.getByRole('link', { name: '← Sessions' })
    const nav = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Models' })
    expect(await nav.getAttribute('href')).toBe('/models?period=1y&branch=fix%2Fcheckout-total')
    await back.click()
    await page.getByRole('region', { name: 'Table of sessions' }).waitFor()
    expect(search(page)).toBe(`?${query}`)
    await page.context().close()
  })

  it('shows what a session’s subagents cost, and links to the start of each', async () => {
    const page = await openAt(`sessions/${encodeURIComponent(LONG_SESSION)}`)
    const panel = page.getByRole('region', { name: 'Cost with subagents' })
    await panel.waitFor()
    const all = await dashboard.store.usage.requests(LONG_SESSION)
    const sumOf = (isWanted: (subagent: string | null) => boolean): string =>
      formatUsd(all.reduce((sum, one) => (isWanted(one.subagent) ? sum + (one.costNano ?? 0n) : sum), 0n))
    const rowText = (name: RegExp): Promise<string> => panel.getByRole('row', { name }).innerText()
    expect(await rowText(/^Main conversation/)).toContain(sumOf((subagent) => subagent === null))
    expect(await rowText(/^Subagent explore-1/)).toContain(sumOf((subagent) => subagent === 'explore-1'))
    expect(await rowText(/^Total/)).toContain(sumOf(() => true))
    await page.getByText(/the main conversation’s, without \d+ requests of subagents/).waitFor()
    await page.screenshot({ path: join(dashboard.screenshots, 'session-subagents.png'), fullPage: true })
    await panel.getByRole('button', { name: 'from #50, the entry where the subagent explore-1 begins' }).click()
    await page.getByRole('article', { name: /, entry 50$/ }).waitFor()
    // What has this sign is an entry: requests have none.
    await page.getByRole('button', { name: 'Requests', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Request' }).first().waitFor()
    const log = page.getByRole('region', { name: 'The session’s log' })
    expect(await log.innerText()).not.toContain('#')
    expect(dashboard.complaints).toEqual([])
    await page.context().close()
  })
})
