/** The built dashboard in a real browser, over a store filled through the storage package. Run by the e2e target. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatUsd } from '@cairn/core'
import type { Store } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { overviewReports } from '../src/features/usage/overview-query.ts'
import { PERIODS } from '../src/features/usage/selection.ts'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { TOKEN, ask, startServer } from './server.ts'
import type { RunningServer } from './server.ts'
import { fillStore } from './synthetic-usage.ts'

const executablePath = findChromium()
const isMissing = executablePath === undefined
const needsChromium = 'The dashboard’s tests in the browser need Chromium: install it, or name it in CAIRN_CHROMIUM.'
if (isMissing) console.error(needsChromium)
if (isMissing && process.env['CI'] === 'true') {
  // Elsewhere they are an offer; here they were meant to run.
  it('finds Chromium', () => {
    throw new Error(needsChromium)
  })
}

const folder = mkdtempSync(join(tmpdir(), 'cairn-dashboard-'))
const screenshots = process.env['CAIRN_SCREENSHOTS'] ?? join(folder, 'screenshots')
const address = `file:${join(folder, 'store.db')}`

const describeInBrowser = isMissing ? describe.skip : describe

describeInBrowser('the dashboard', () => {
  let store: Store
  let server: RunningServer
  let browser: Browser
  /** What the pages complained about: refused scripts and styles, exceptions, failed requests. */
  const complaints: string[] = []

  const open = async (context: BrowserContext, query = ''): Promise<Page> => {
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${server.url}?token=${TOKEN}${query}`)
    return page
  }
  const shownTotal = (page: Page, name: string): Promise<string> => page.locator(`[data-total="${name}"]`).innerText()

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true })
    store = await openStore(address)
    await fillStore(store, 600, Date.now())
    server = await startServer(address)
    browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: CHROMIUM_FLAGS })
  })

  afterAll(async () => {
    await browser.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('listens within two seconds and prints that alone', () => {
    expect(server.startMs).toBeLessThan(2_000)
    expect(server.printed).toHaveLength(1)
  })

  it('takes the token into a cookie and out of the address', async () => {
    const context = await browser.newContext()
    const page = await open(context, '&period=7d')
    expect(page.url()).toBe(`${server.url}?period=7d`)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(cookie?.value).not.toContain(TOKEN)
    await context.close()
  })

  it('shows the store’s totals, for each period and in three zones', async () => {
    for (const zone of ['UTC', 'America/St_Johns', 'Pacific/Kiritimati']) {
      const context = await browser.newContext({ timezoneId: zone })
      for (const period of PERIODS) {
        const { byDay } = await overviewReports(store.usage, { period, timeZone: zone, now: Date.now() })
        const page = await open(context, `&period=${period}`)
        await page.getByRole('heading', { name: 'By model' }).waitFor()
        expect([zone, period, await shownTotal(page, 'Cost')]).toEqual([zone, period, formatUsd(byDay.total.costNano)])
        expect(await shownTotal(page, 'Requests')).toBe(byDay.total.requests.toLocaleString('en-US'))
        for (const table of ['By model', 'By project']) {
          const total = page.getByRole('region', { name: table }).getByRole('row', { name: 'Total' })
          expect(await total.innerText()).toContain(formatUsd(byDay.total.costNano))
        }
        await page.close()
      }
      await context.close()
    }
  })

  it('shows a project’s name as text, whatever it is', async () => {
    const context = await browser.newContext()
    const page = await open(context, '&period=all')
    await page.getByRole('region', { name: 'By project' }).getByText('<img src=x onerror=alert(1)>', { exact: true }).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await context.close()
  })

  it('is worked with the keyboard, and keeps what was chosen in the address', async () => {
    const context = await browser.newContext()
    const page = await open(context)
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await page.getByRole('radio', { name: 'Last 30 days' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/period=90d/)
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo')
    await page.waitForURL(/zone=Asia%2FTokyo/)
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes('zone'))
    const marked = page.locator('[data-total="Cost"] [tabindex="0"]')
    await marked.focus()
    await page.locator('[popover]', { hasText: 'went to models without a known price' }).waitFor()
    await context.close()
  })

  it('follows what another process writes', async () => {
    const context = await browser.newContext()
    const page = await open(context, '&period=all&zone=UTC')
    await page.getByRole('heading', { name: 'By model' }).waitFor()
    await fillStore(store, 50, Date.now(), 'later')
    const { total } = await store.usage.report({ by: 'day' })
    await page.locator('[data-total="Requests"]', { hasText: total.requests.toLocaleString('en-US') }).waitFor({ timeout: 8_000 })
    await context.close()
  })

  it('looks right in light and dark and from 400 px up', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [width, height] of [[1440, 1100], [400, 900]] as const) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height } })
        const page = await open(context, '&period=90d')
        await page.locator('.recharts-bar-rectangle').first().waitFor()
        const isWider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
        expect([width, isWider]).toEqual([width, false])
        await page.screenshot({ path: join(screenshots, `overview-${colorScheme}-${width}.png`), fullPage: true })
        await context.close()
      }
    }
  })

  it('says so when there is nothing yet', async () => {
    const empty = await startServer(`file:${join(folder, 'empty.db')}`)
    const page = await browser.newPage()
    await page.goto(`${empty.url}?token=${TOKEN}&period=all`)
    await page.getByRole('heading', { name: 'Nothing has been recorded yet' }).waitFor()
    await page.close()
    expect(await empty.stop()).toBe(0)
  })

  it('refuses foreign hosts, foreign origins and the tokenless, without data', async () => {
    const { host } = new URL(server.url)
    const data = `${server.url}api/trpc/live.revision`
    const entered = await ask(`${server.url}?token=${TOKEN}`)
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
    expect((await ask(data, { host, cookie })).status).toBe(200)
    for (const path of [server.url, data, `${server.url}icon.svg`, `${server.url}_next/static/x.js`]) {
      const refused = {
        host: await ask(path, { host: 'attacker.example', cookie }),
        port: await ask(path, { host: '127.0.0.1:1', cookie }),
        origin: await ask(path, { host, cookie, origin: 'http://attacker.example' }),
        cookie: await ask(path, { host, cookie: `${cookie}x` }),
        nothing: await ask(path, { host }),
      }
      for (const [what, { status, body }] of Object.entries(refused)) {
        expect([path, what, Math.floor(status / 100)]).toEqual([path, what, 4])
        // A sentence, and no more.
        expect(body.length).toBeLessThan(200)
      }
    }
  })

  it('had nothing to complain about', () => {
    expect(complaints).toEqual([])
  })

  it('stops at once when told to, a page being open', async () => {
    const context = await browser.newContext()
    const page = await open(context)
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    const began = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - began).toBeLessThan(1_000)
    await page.getByText('The dashboard does not answer').or(page.getByText('Not connected')).first().waitFor()
    await context.close()
  })
})
