/** The overview of the built dashboard in a real browser. Run by the e2e target. */
import { join } from 'node:path'
import { formatUsd } from '@cairn/core'
import { overviewReports } from '../src/features/overview/overview-query.ts'
import { PERIODS } from '../src/features/selection/selection.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { TOKEN, startServer } from './server.ts'
import { fillStore } from './synthetic-usage.ts'
import type { Page } from 'playwright-core'

/** `4.2M` and `1,234` as numbers. */
const amountOf = (text: string | undefined): number => {
  const [, digits = '', unit = ''] = /^([\d.,]+?)([KMB]?)$/.exec(text ?? '') ?? []
  return Number(digits.replaceAll(',', '')) * { '': 1, K: 1e3, M: 1e6, B: 1e9 }[unit as '' | 'K' | 'M' | 'B']
}

/** Over the wire, as the browser counts it. */
const MOST_SCRIPT_BYTES = 250_000

describeInBrowser('the overview', () => {
  let dashboard: DashboardUnderTest
  const shownTotal = (page: Page, name: string): Promise<string> => page.locator(`[data-total="${name}"]`).innerText()

  beforeAll(async () => {
    dashboard = await startDashboard((store) => fillStore(store, 600, Date.now()))
  })
  afterAll(() => dashboard.close())

  it('prints that it listens, and nothing else', () => {
    expect(dashboard.server.printed).toHaveLength(1)
  })

  it('moves the token from the address into a cookie', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '?period=7d')
    expect(page.url()).toBe(`${dashboard.server.url}?period=7d`)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(cookie?.value).not.toContain(TOKEN)
    await context.close()
  })

  it('loads little script', async () => {
    const context = await dashboard.browser.newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    const scripts = new Set<string>()
    let bytes = 0
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength
    })
    await page.goto(`${dashboard.server.url}?token=${TOKEN}`)
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await page.waitForLoadState('networkidle')
    console.info(`script of the first load: ${bytes} bytes`)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThanOrEqual(MOST_SCRIPT_BYTES)
    await context.close()
  })

  it('shows the store’s totals, for each period and in three zones', async () => {
    const { store } = dashboard
    for (const zone of ['UTC', 'America/St_Johns', 'Pacific/Kiritimati']) {
      const context = await dashboard.browser.newContext({ timezoneId: zone })
      for (const period of PERIODS) {
        const { byDay } = await overviewReports(store.usage, { period, timeZone: zone, filter: {} }, Date.now())
        const page = await dashboard.open(context, `?period=${period}`)
        if (byDay.total.requests === 0) {
          // A single day may have had none.
          await page.getByRole('heading', { name: 'Nothing in this period' }).waitFor()
          await page.close()
          continue
        }
        await page.getByRole('heading', { name: 'By model' }).waitFor()
        expect([zone, period, await shownTotal(page, 'Cost')]).toEqual([zone, period, formatUsd(byDay.total.costNano)])
        expect(await shownTotal(page, 'Requests')).toBe(byDay.total.requests.toLocaleString('en-US'))
        expect(await shownTotal(page, 'Caching saved')).toBe(formatUsd(byDay.total.savedNano))
        for (const table of ['By model', 'By project', 'By branch', 'By agent']) {
          const total = page.getByRole('region', { name: table }).getByRole('row', { name: /^Total / })
          expect(await total.innerText()).toContain(formatUsd(byDay.total.costNano))
        }
        await page.close()
      }
      await context.close()
    }
  })

  it('shows a project’s name as text, whatever it is', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '?period=all')
    await page
      .getByRole('region', { name: 'By project' })
      .getByText('<img src=x onerror=alert(1)>', { exact: true })
      .waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await context.close()
  })

  it('can be used by keyboard, and keeps the selection in the address', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context)
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await page.getByRole('radio', { name: 'Last 30 days' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/period=90d/)
    await page.getByRole('combobox', { name: 'Time zone' }).fill('tokyo')
    await page.keyboard.press('Enter')
    await page.waitForURL(/zone=Asia%2FTokyo/)
    await page.getByRole('combobox', { name: 'Model' }).selectOption('gpt-5.1-codex')
    await page.waitForURL(/model=gpt-5.1-codex/)
    await page.getByText('Clear filters').click()
    await page.waitForURL((url) => !url.search.includes('model'))
    await page.getByLabel('From', { exact: true }).fill('2020-01-01')
    await page.waitForURL(/from=2020-01-01/)
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes('from'))
    const chart = page.getByRole('group', { name: 'Cost over time, by class' })
    await chart.focus()
    await page.keyboard.press('End')
    await chart.getByText(/requests: \$/).waitFor({ state: 'attached' })
    const marked = page.locator('[data-total="Cost"] [tabindex="0"]')
    await marked.focus()
    await page.locator('[popover]', { hasText: 'requests are not in this sum' }).waitFor()
    await context.close()
  })

  it('ends the numbers of a bar with their sum', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '?period=90d')
    for (const [name, sumPattern, unit] of [
      ['Cost over time, by class', /requests: \$(?<sum>[\d.,]+)/, '\\$'],
      ['Tokens over time, by class', /requests, \$[\d.,]+: (?<sum>[\d.,]+[KMB]?)/, ''],
    ] as const) {
      const chart = page.getByRole('group', { name })
      await chart.focus()
      await page.keyboard.press('Home')
      // From the first bar to the first that is not empty.
      const live = chart.locator('[aria-live]')
      const isEmpty = async (): Promise<boolean> => / 0 requests/.test((await live.textContent()) ?? '')
      while (await isEmpty()) await page.keyboard.press('ArrowRight')
      const text = (await live.textContent()) ?? ''
      const sum = amountOf(sumPattern.exec(text)?.groups?.['sum'])
      const parts = [...text.matchAll(new RegExp(`(?:Cache|Uncached|Output)[^:;]*: ${unit}([\\d.,]+[KMB]?)`, 'g'))]
      const total = parts.reduce((all, [, amount]) => all + amountOf(amount), 0)
      expect(parts.length).toBeGreaterThan(2)
      // Each number is rounded to three digits.
      expect(Math.abs(total - sum) / sum).toBeLessThan(0.02)
    }
    await context.close()
  })

  it('follows what another process writes', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '?period=all&zone=UTC')
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await fillStore(dashboard.store, 50, Date.now(), 'later')
    const { total } = await dashboard.store.usage.report({ by: 'day' })
    await page.locator('[data-total="Requests"]', { hasText: total.requests.toLocaleString('en-US') }).waitFor()
    await context.close()
  })

  it('keeps the charts where they are, however late the other panels come', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_280, height: 900 } })
    const page = await context.newPage()
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(/api\/trpc\/insights\.(?!budgets)/, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${dashboard.server.url}?token=${TOKEN}&period=30d`)
    const chart = page.getByRole('group', { name: 'Cost over time, by class' })
    await chart.waitFor()
    const before = await chart.boundingBox()
    release()
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect((await chart.boundingBox())?.y).toBe(before?.y)
    await context.close()
  })

  it('says so when the store is empty', async () => {
    const empty = await startServer(`file:${join(dashboard.folder, 'empty.db')}`)
    const page = await dashboard.browser.newPage()
    await page.goto(`${empty.url}?token=${TOKEN}&period=all`)
    await page.getByRole('heading', { name: 'Nothing has been recorded yet' }).waitFor()
    await page.goto(`${empty.url}sessions?period=all`)
    await page.getByRole('heading', { name: 'No session yet' }).waitFor()
    await page.close()
    expect(await empty.stop()).toBe(0)
  })

  it('reported no errors', () => {
    expect(dashboard.complaints).toEqual([])
  })

  it('stops when asked to while a page is open', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context)
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    expect(await dashboard.server.stop()).toBe(0)
    await page.getByText('The dashboard does not answer').or(page.getByText('Not connected')).first().waitFor()
    await context.close()
  })
})
