/** What a page is asked to show: days typed and clicked, zones, addresses that name what there is not, text that hides, and a restart. */
import type { EntryWrite } from '@cairn/core'
import { formatUsd } from '@cairn/core'
import type { Page } from 'playwright-core'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { TOKEN, ask, startServer } from './server.ts'
import { fillStore } from './synthetic-usage.ts'

const DAY_MS = 86_400_000
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

const message = (id: string, at: number | null, costNano?: bigint): EntryWrite => ({
  entry: { kind: 'message', at, role: 'assistant', id, content: [{ type: 'text', text: `reply \u202e${id}` }] },
  externalId: id,
  ...(costNano === undefined
    ? {}
    : {
        visibleCharacters: 5_400,
        request: {
          callId: id,
          at,
          model: 'm',
          inputTokens: 1,
          cacheReadTokens: 0,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: 10,
          costNano,
          costState: 'recorded',
        } as const,
      }),
})

describeInBrowser('the selection of a page', () => {
  let dashboard: DashboardUnderTest
  const now = Date.now()
  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      await fillStore(store, 800, now)
      await fillStore(store, 8, Date.parse('2099-12-05T00:00:00Z'), 'later')
      const facts = { agent: 'x', workspace: '/work/x', branch: 'fix\u200b/y' }
      const results = [
        await store.sessions.append({ ...facts, id: 'x:long', externalId: 'long', title: 'Invoice \u202efdp.exe' }, 0, [
          message('1', now - 200 * DAY_MS, 90_000_000_000n),
          message('2', now - 60_000, 10_000_000_000n),
        ]),
        await store.sessions.append({ ...facts, id: 'x:daily', externalId: 'daily', title: 'Daily' }, 0, [
          message('4', now - 2 * DAY_MS, 2_000_000_000n),
          message('5', now - DAY_MS, 1_000_000_000n),
        ]),
        await store.sessions.append({ ...facts, id: 'x:timeless', externalId: 'timeless', title: 'Timeless' }, 0, [
          message('3', null),
        ]),
      ]
      if (results.some(({ ok }) => !ok)) throw new Error('they are there already')
    })
  })
  afterAll(() => dashboard.close())

  const openAt = async (path: string, ready: string): Promise<Page> => {
    const context = await dashboard.browser.newContext({
      locale: 'en-US',
      timezoneId: 'UTC',
      viewport: { width: 1_280, height: 900 },
    })
    const page = await dashboard.open(context, path)
    await page.locator(ready).first().waitFor()
    return page
  }

  it('applies a typed day once it is complete, and not before', async () => {
    const page = await openAt('', '[data-total]')
    const seen: string[] = []
    page.on('framenavigated', () => seen.push(page.url()))
    const from = page.getByLabel('From', { exact: true })
    await from.focus()
    // Each state on the way is a day, too; a slow typist is not interrupted.
    await page.keyboard.type('0308', { delay: 700 })
    await page.keyboard.type('2026', { delay: 60 })
    await page.getByText('Enter applies it', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Enter applies it', { exact: true }).waitFor({ state: 'detached' })
    await page.waitForURL(/from=2026-03-08/)
    expect(seen.filter((url) => url.includes('from=') && !url.includes('from=2026-03-08'))).toEqual([])
    expect(await from.inputValue()).toBe('2026-03-08')
    // Enter and leaving the field take it at once; half a day is forgotten.
    await page.getByLabel('To', { exact: true }).focus()
    await page.keyboard.type('04012026')
    await page.keyboard.press('Enter')
    await page.waitForURL(/to=2026-04-01/)
    // A first day after the last takes the last along, however soon it is chosen after the other.
    await from.fill('2026-04-11')
    await page.waitForURL(/from=2026-04-11&to=2026-05-05/)
    await from.fill('2026-03-08')
    await page.waitForURL(/from=2026-03-08/)
    await from.focus()
    await page.keyboard.type('0501')
    await page.keyboard.type('2')
    await page
      .getByRole('searchbox')
      .or(page.getByRole('combobox', { name: 'Time zone' }))
      .first()
      .focus()
    await page.waitForTimeout(1_200)
    expect([new URL(page.url()).searchParams.get('from'), await from.inputValue()]).toEqual([
      '2026-03-08',
      '2026-03-08',
    ])
    await page.context().close()
  })

  it('searches time zones, and uses their current names', async () => {
    const page = await openAt('?zone=Asia/Katmandu', '[data-total]')
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    expect(await zone.inputValue()).toBe('Asia/Kathmandu')
    await zone.fill('new york')
    await page.keyboard.press('Enter')
    await page.waitForURL(/zone=America%2FNew_York/)
    await zone.fill('Olympus')
    expect(await zone.getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await zone.inputValue()).toBe('America/New_York')
    await zone.fill('')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.search.includes('zone'))
    // The whole name is seen.
    expect(
      await zone.evaluate((element) => element.scrollWidth <= element.clientWidth && element.clientWidth > 240),
    ).toBe(true)
    await page.context().close()
  })

  it('reports unknown values of an address, and exports nothing then', async () => {
    const page = await openAt('?from=2026-05-02&to=2026-05-01&zone=Mars/Olympus', '[data-total]')
    await page
      .getByText('The period in the address is not one: 2026-05-02 is after 2026-05-01; showing the last 30 days.')
      .waitFor()
    await page.getByText('The time zone in the address is not one: there is no “Mars/Olympus”').waitFor()
    await page.goto(`${dashboard.server.url}models?period=9y`)
    await page.getByText('there is no “9y”; showing the last 30 days.').waitFor()
    const { url } = dashboard.server
    const cookie = String((await ask(`${url}?token=${TOKEN}`)).headers['set-cookie']).split(';')[0] ?? ''
    for (const [query, sentence] of [
      ['period=9y', 'there is no “9y”; nothing was exported.'],
      ['from=2026-02-30', '“2026-02-30” is not a day; nothing was exported.'],
      ['zone=Mars', 'there is no “Mars”; nothing was exported.'],
    ]) {
      const { status, body } = await ask(`${url}api/export/sessions?${query ?? ''}`, {
        host: new URL(url).host,
        cookie,
      })
      expect([query, status, body.includes(sentence ?? '?')]).toEqual([query, 400, true])
    }
    await page.context().close()
  })

  it('goes from a bar to its day, and shows a day by hours', async () => {
    const page = await openAt('?zone=UTC', '[data-total]')
    const chart = page.getByRole('group', { name: 'Cost over time, by class' })
    // What changed stands above the chart, once it is known.
    await page.waitForLoadState('networkidle')
    await chart.scrollIntoViewIfNeeded()
    const box = await chart.locator('svg').boundingBox()
    if (box === null) throw new Error('the chart is drawn')
    // The last bar but one: yesterday.
    await page.mouse.click(box.x + box.width - 10 - ((box.width - 60) / 30) * 1.5, box.y + 100)
    const yesterday = dayText(now - DAY_MS)
    await page.waitForURL(
      (url) => url.searchParams.get('from') === yesterday && url.searchParams.get('to') === yesterday,
    )
    await page.getByText('by hour', { exact: true }).first().waitFor()
    await page.goBack()
    await page.getByText('by day', { exact: true }).first().waitFor()
    await chart.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('from') === dayText(now))
    await page.getByText('Yesterday', { exact: true }).click()
    await page.waitForURL(/period=yesterday/)
    await page
      .getByText(/vs the day before/)
      .first()
      .waitFor()
    await page.context().close()
  })

  it('ends a period today, names usage in the future, and marks the gap before it', async () => {
    const page = await openAt('?zone=UTC', '[data-total]')
    await page.getByText('8 requests carry a time in the future').waitFor()
    expect(await page.locator('[data-gap]').count()).toBe(0)
    await page
      .getByText(/^[+−±×].* vs the 30 days before$/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Look at what is in the future' }).click()
    await page.locator('[data-total="Requests"]', { hasText: /^8$/ }).waitFor()
    await page.goto(`${dashboard.server.url}?period=all&zone=UTC`)
    await page.locator('[data-gap]').first().waitFor({ state: 'attached' })
    await page.context().close()
  })

  it("shows a session's usage in the period beside its total", async () => {
    const page = await openAt('sessions?zone=UTC&sort=cost', 'table')
    const row = page.getByRole('row', { name: /Invoice/ })
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining(['$100.00', '$10.00']))
    const { total } = await dashboard.store.usage.report({
      by: 'day',
      since: Date.parse(dayText(now - 29 * DAY_MS)),
      until: Date.parse(dayText(now + DAY_MS)),
    })
    const foot = page.getByRole('row', { name: /^Total/ })
    expect(await foot.innerText()).toContain(formatUsd(total.costNano))
    expect(await foot.innerText()).toContain('of all requests in this period')
    await page.getByRole('columnheader', { name: 'Cost in period' }).waitFor()
    await page.goto(`${dashboard.server.url}sessions?period=all&page=999`)
    await page.getByText(/^3 \/ 3$/).waitFor()
    expect(await page.getByRole('row').count()).toBeGreaterThan(2)
    await page.context().close()
  })

  it('makes hidden and reversed text visible, and shows a session by its title', async () => {
    const page = await openAt('sessions/x%3Along', 'article')
    await page.getByRole('heading', { name: 'Invoice ⟨U+202E⟩fdp.exe' }).waitFor()
    expect(await page.title()).toBe('Invoice ⟨U+202E⟩fdp.exe · Cairn')
    await page.getByText('fix⟨U+200B⟩/y').waitFor()
    await page.getByText('reply ⟨U+202E⟩1', { exact: true }).waitFor()
    // What was recorded in part is marked here as it is on the overview.
    await page.getByRole('listitem').filter({ hasText: '2 replies were recorded only in part' }).waitFor()
    await page.getByText('with 2 requests').waitFor()
    await page.goto(`${dashboard.server.url}sessions/x%3Atimeless`)
    await page.getByText('No time was recorded').waitFor()
    await page.getByText('with 0 requests').waitFor()
    await page.goto(`${dashboard.server.url}sessions/nobody`)
    await page.getByRole('heading', { name: 'There is no such session' }).waitFor()
    await page.context().close()
  })

  it('reported no errors', () => {
    // But for the session that is not there, and what was refused on purpose.
    expect(dashboard.complaints.filter((complaint) => !/40[04]/.test(complaint))).toEqual([])
  })

  it('says that the dashboard was restarted, and sends no more requests', async () => {
    const first = await startServer(`file:${dashboard.file}`)
    const context = await dashboard.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${first.url}?token=${TOKEN}`)
    await page.getByText('Live', { exact: true }).waitFor()
    const port = Number(new URL(first.url).port)
    await first.stop()
    const second = await startServer(`file:${dashboard.file}`, '127.0.0.1', {
      port,
      token: 'another-token-0123456789abcdef',
    })
    try {
      await page.getByText('The dashboard was restarted; open the address that it printed.').first().waitFor()
      // What was on its way ends within seconds; from then on nothing is asked.
      let asked = 0
      page.on('request', () => {
        asked += 1
      })
      const until = Date.now() + 20_000
      do {
        asked = 0
        await page.waitForTimeout(2_000)
      } while (asked > 0 && Date.now() < until)
      asked = 0
      await page.waitForTimeout(5_000)
      expect(asked).toBe(0)
      // Somebody opens the new address in another tab; this one goes on when it is looked at.
      const other = await context.newPage()
      await other.goto(`${second.url}?token=another-token-0123456789abcdef`)
      await other.getByText('Live', { exact: true }).waitFor()
      await other.close()
      await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
      await page.getByText('Live', { exact: true }).waitFor()
      await context.close()
    } finally {
      await second.stop()
    }
  })
})
