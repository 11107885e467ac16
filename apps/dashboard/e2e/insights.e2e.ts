/** Where money is wasted, in a real browser: the figures of `cairn insights`, and links to what they are made of. */
import { createEngine, formatUsd } from '@cairn/core'
import type { Insights } from '@cairn/core/insights'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import type { Page } from 'playwright-core'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { LEAKING_SESSION, addLeakingSession } from './leaking-session.ts'

describeInBrowser('the page of leaks', () => {
  let dashboard: DashboardUnderTest
  let insights: Insights
  beforeAll(async () => {
    dashboard = await startDashboard((store) => addLeakingSession(store, Date.now()))
    const clock = createSystemClock()
    const deps = { fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock) }
    insights = createEngine({ store: dashboard.store, ...deps }).insights
  })
  afterAll(() => dashboard.close())

  /** Costs by leak, as a page shows them. */
  const shown = async (page: Page): Promise<Record<string, string>> => {
    const cells = page.locator('main [data-cost]')
    await cells.first().waitFor()
    const found: Record<string, string> = {}
    for (const cell of await cells.all()) found[(await cell.getAttribute('data-cost')) ?? ''] = await cell.innerText()
    return found
  }
  const expected = async (since?: number): Promise<Record<string, string>> => {
    const { leaks, leakedNano } = await insights.leaks(since === undefined ? {} : { since })
    const rows = leaks.filter(({ costNano }) => costNano > 0n).map(({ kind, costNano }) => [kind, formatUsd(costNano)])
    return { ...(Object.fromEntries(rows) as Record<string, string>), together: formatUsd(leakedNano) }
  }

  it('shows the figures of the engine, for all days and for some', async () => {
    const context = await dashboard.browser.newContext({ timezoneId: 'UTC' })
    const page = await dashboard.open(context, 'insights?period=all')
    const all = await expected()
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining(['pause', 're-read', 'cache-break', 'prefix', 'missing-output', 'together']),
    )
    expect(await shown(page)).toEqual(all)
    const today = new Date().toISOString().slice(0, 10)
    await page.goto(`${dashboard.server.url}insights?from=${today}`)
    const since = Date.parse(`${today}T00:00:00Z`)
    const ofToday = await expected(since)
    expect(ofToday).not.toEqual(all)
    expect(await shown(page)).toEqual(ofToday)
    await context.close()
  })

  it('leads to the request that a case began with, and back from the overview to all leaks', async () => {
    const context = await dashboard.browser.newContext({ timezoneId: 'UTC' })
    const page = await dashboard.open(context, '?period=all')
    await page.getByRole('link', { name: 'All leaks' }).click()
    await page.waitForURL(/insights/)
    await page.locator('[data-leak="pause"] a').first().click()
    await page.waitForURL(/sessions\/.*at=\d+/)
    expect(decodeURIComponent(page.url())).toContain(LEAKING_SESSION)
    const { leaks } = await insights.leaks({ sessionId: LEAKING_SESSION })
    const pause = leaks.find(({ kind }) => kind === 'pause')
    await page.locator('[data-leak="pause"]').waitFor()
    expect(await page.locator('[data-cost="pause"]').innerText()).toBe(formatUsd(pause?.costNano ?? 0n))
    await page.locator('[data-leak="pause"] button').first().click()
    await page.waitForURL(new RegExp(`at=${pause?.examples[0]?.seq}`))
    await context.close()
  })

  it('says on arrival why the session opens here, what the case cost and which request it is', async () => {
    const context = await dashboard.browser.newContext({ timezoneId: 'UTC' })
    const page = await dashboard.open(context, 'insights?period=all')
    const { leaks } = await insights.leaks()
    const dearest = leaks.find(({ kind }) => kind === 're-read')?.examples[0]
    if (dearest === undefined) throw new Error('nothing was read again')
    const cases = page.locator('[data-leak="re-read"]').getByRole('listitem')
    const day = new Date(dearest.at ?? NaN).toLocaleDateString('en-US', {
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    })
    await cases.first().waitFor()
    const [first = ''] = await cases.allInnerTexts()
    for (const part of [formatUsd(dearest.costNano), `${day}, `, 'Money leaks here']) expect(first).toContain(part)
    await page.locator('[data-leak="re-read"] a').first().click()
    const why = page.getByRole('region', { name: 'Why this is shown' })
    await why.getByRole('heading', { name: /^Read again, unchanged/ }).waitFor()
    expect(await why.locator('[data-case-cost]').innerText()).toContain(formatUsd(dearest.costNano))
    expect(await why.getByRole('heading').innerText()).toContain(`at request ${dearest.request}`)
    await why.getByRole('button', { name: 'Its tokens, in the table of requests' }).click()
    const row = page.locator('tr[aria-current="true"]')
    await row.waitFor()
    expect(await row.getAttribute('data-key')).toBe(String(dearest.request))
    await why.getByRole('button', { name: 'Close' }).click()
    await why.waitFor({ state: 'detached' })
    await page.goto(`${dashboard.server.url}sessions/${encodeURIComponent(LEAKING_SESSION)}?leak=pause:9999`)
    await why.getByText('not among the dearest of this session any more').waitFor()
    const parts = page.getByRole('navigation', { name: 'Parts of this session' })
    const { leakedNano, total } = await insights.leaks({ sessionId: LEAKING_SESSION })
    const share = ((100 * Number(leakedNano)) / Number(total.costNano)).toFixed(1)
    await parts.getByRole('link', { name: `${share}% leaks` }).click()
    const table = page.getByRole('heading', { name: 'Where money is wasted' })
    await table.waitFor()
    await expect(table.evaluate((heading) => heading.getBoundingClientRect().top < innerHeight)).resolves.toBe(true)
    expect(dashboard.complaints).toEqual([])
    await context.close()
  })
})
