/** The search over everything, by the keyboard alone: what it finds is what `cairn recall` finds, in the same order. */
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { isTooWide, violationsOf } from './accessible.ts'
import { cairnJson } from './cairn.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { addFilesSession } from './files-session.ts'
import { addKnowledge } from './knowledge.ts'
import { LONG_SESSION, addLongSession } from './sample-session.ts'
import { fillStore } from './synthetic-usage.ts'

const LONG = 2_000

interface Recalled {
  readonly results: readonly {
    readonly sessionId: string
    readonly messageId: string
    readonly snippet: string
    readonly highlights: readonly (readonly [number, number])[]
  }[]
  readonly memory: readonly { readonly id: string }[]
  readonly notes: readonly { readonly key: string }[]
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
const fieldOf = (page: Page): Locator => page.getByRole('combobox', { name: 'Search everything' })
const optionsOf = (page: Page, kind: string): Locator => page.locator(`[role=option][data-kind=${kind}]`)

/** Types a text and waits until what is shown is its answer. */
const type = async (page: Page, text: string): Promise<void> => {
  await fieldOf(page).fill(text)
  await page.locator('dialog [data-settled=true]').waitFor({ state: 'attached' })
}

describeInBrowser('the search', () => {
  let dashboard: DashboardUnderTest
  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      await fillStore(store, 600, Date.now())
      await addLongSession(store, LONG, Date.now())
      await addKnowledge(store)
      await addFilesSession(store, 180, Date.now())
    })
  })
  afterAll(() => dashboard.close())

  it.each(['voucher rounding', 'Which test is slow?', 'entry 1801 of this session', 'basket'])(
    'finds for “%s” what the command line finds, in its order',
    async (text) => {
      const context = await dashboard.browser.newContext()
      const page = await dashboard.open(context, 'models?period=all')
      await page.getByRole('table').waitFor()
      await page.keyboard.press('Control+k')
      await type(page, text)
      const asked = (await cairnJson(dashboard.file, ['recall', text])) as Recalled
      const bySession = (await cairnJson(dashboard.file, [
        'recall',
        text,
        '--by',
        'session',
        '--limit',
        '5',
      ])) as Recalled
      const hrefs = (kind: string): Promise<readonly string[]> =>
        optionsOf(page, kind).evaluateAll((all) => all.map((option) => option.getAttribute('data-href') ?? ''))
      const addresses = await Promise.all(
        asked.results.map(async ({ sessionId, messageId }) => {
          const entries = await dashboard.store.sessions.read(sessionId)
          const entry = entries.find((each) => each.kind === 'message' && each.id === messageId)
          const query = new URLSearchParams({ at: String(entry?.seq), find: text }).toString()
          return `/sessions/${encodeURIComponent(sessionId)}?${query}`
        }),
      )
      expect(addresses.length).toBeGreaterThan(0)
      expect(await hrefs('messages')).toEqual(addresses)
      // A snippet that is made visible is another text; these hold nothing to be made visible.
      const plain = asked.results.map(({ snippet }) => snippet)
      const shown = await optionsOf(page, 'messages').locator('[data-snippet]').allTextContents()
      for (const [index, snippet] of plain.entries())
        if (!/[\p{Cc}\p{Cf}]/u.test(snippet)) expect(shown[index]).toBe(snippet)
      const marks = await optionsOf(page, 'messages').first().locator('[data-snippet] mark').allTextContents()
      const [first] = asked.results
      expect(marks).toEqual(first?.highlights.map(([start, end]) => first.snippet.slice(start, end)))
      expect((await hrefs('sessions')).map((href) => href.replace(/\?.*$/, ''))).toEqual(
        bySession.results.map(({ sessionId }) => `/sessions/${encodeURIComponent(sessionId)}`),
      )
      expect((await hrefs('memory')).map((href) => new URLSearchParams(href.split('?')[1]).get('entry'))).toEqual(
        asked.memory.map(({ id }) => id),
      )
      expect((await hrefs('notes')).map((href) => new URLSearchParams(href.split('?')[1]).get('note'))).toEqual(
        asked.notes.map(({ key }) => key),
      )
      await context.close()
    },
  )

  it('is opened, worked and left by the keyboard, and leads to the message in its session', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_280, height: 900 } })
    const page = await dashboard.open(context, 'sessions?period=all')
    await page.getByRole('table').waitFor()
    const focused = (): Promise<string> => page.evaluate('document.activeElement.getAttribute("aria-label") ?? ""')
    // In a field `/` is a letter like others.
    const field = page.getByRole('searchbox', { name: 'Search titles' })
    await field.focus()
    await page.keyboard.press('/')
    expect(await dialogOf(page).count()).toBe(0)
    expect(await field.inputValue()).toBe('/')
    await page.keyboard.press('Control+k')
    await fieldOf(page).waitFor()
    expect(await focused()).toBe('Search everything')
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByRole('link', { name: 'Models', exact: true }).focus()
    await page.keyboard.press('/')
    await fieldOf(page).waitFor()
    await type(page, 'entry 1801 of this session')
    // The first is chosen; the others are reached by the arrows, and after the last comes the first.
    const chosen = page.locator('[role=option][aria-selected=true]')
    const options = page.locator('dialog [role=option]')
    const count = await options.count()
    expect(count).toBeGreaterThan(2)
    const first = await chosen.getAttribute('data-href')
    await page.keyboard.press('ArrowUp')
    expect(await chosen.getAttribute('id')).toBe(await options.last().getAttribute('id'))
    expect(await fieldOf(page).getAttribute('aria-activedescendant')).toBe(await options.last().getAttribute('id'))
    await page.keyboard.press('ArrowDown')
    expect(await chosen.getAttribute('data-href')).toBe(first)
    // One kind alone; the keyboard is back in the field.
    await page.keyboard.press('Tab')
    for (
      let press = 0;
      press < 10 && (await page.evaluate('document.activeElement.textContent')) !== 'Messages';
      press += 1
    )
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('Search everything')
    await page.locator('dialog [data-settled=true]').waitFor()
    expect(await optionsOf(page, 'sessions').count()).toBe(0)
    const href = (await chosen.getAttribute('data-href')) ?? ''
    await page.keyboard.press('Enter')
    // The period of the page that was searched from goes along.
    await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(href))
    expect(decodeURIComponent(href)).toContain(LONG_SESSION)
    await dialogOf(page).waitFor({ state: 'detached' })
    const at = new URL(page.url()).searchParams.get('at') ?? ''
    const message = page.locator(`[data-index="${at}"] article`)
    await message.waitFor()
    await page.waitForLoadState('networkidle')
    const box = await message.boundingBox()
    if (box === null) throw new Error('the message is not in the page')
    expect([at, box.y >= 0 && box.y < 900]).toEqual([at, true])
    expect(await focused()).toBe('The session’s log')
    await context.close()
  })

  it.each([
    ['its title', 'Fix the total of the basket when a voucher is used twice'],
    ['the beginning of its title', 'fix the total of the basket when'],
    ['its id', LONG_SESSION],
    ['its id without the agent', LONG_SESSION.slice('claude-code:'.length)],
  ])('puts a session first that is named by %s, and not a second time', async (_, text) => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '')
    await page.getByRole('table').first().waitFor()
    await page.keyboard.press('Control+k')
    await type(page, text)
    const first = page.locator('dialog [role=option]').first()
    const href = `/sessions/${encodeURIComponent(LONG_SESSION)}`
    expect([await first.getAttribute('data-href'), await first.getAttribute('aria-selected')]).toEqual([href, 'true'])
    await dialogOf(page).getByRole('group', { name: 'Sessions by title or id' }).waitFor()
    const sessions = await optionsOf(page, 'sessions').evaluateAll((all) =>
      all.map((option) => (option.getAttribute('data-href') ?? '').replace(/\?.*$/, '')),
    )
    expect(sessions.filter((session) => session === href)).toEqual([href])
    expect(new Set(sessions).size).toBe(sessions.length)
    await dialogOf(page).getByRole('button', { name: 'Notes', exact: true }).click()
    await page.locator('dialog [data-settled=true]').waitFor({ state: 'attached' })
    expect(await optionsOf(page, 'sessions').count()).toBe(0)
    await context.close()
  })

  it('finds files by their names, and shows hostile texts as texts', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '')
    await page.getByRole('table').first().waitFor()
    await page.keyboard.press('Control+k')
    await type(page, 'voucher.ts')
    const [file] = await optionsOf(page, 'files').locator('mark').allTextContents()
    expect(file).toBe('voucher.ts')
    await type(page, 'script broken javascript')
    await optionsOf(page, 'messages').first().waitFor()
    const text = await dialogOf(page).innerText()
    expect(text).toContain('<script>')
    expect(text).toContain('␛[31m')
    expect(await page.evaluate('window.broken')).toBeUndefined()
    expect(await dialogOf(page).locator('script, img, a').count()).toBe(0)
    await type(page, 'xqzzyqx')
    await dialogOf(page).getByText('Nothing was found.').waitFor()
    expect(dashboard.complaints).toEqual([])
    await context.close()
  })

  it('says how many files there are, shows more of them, and helps where there is none', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, '')
    await page.getByRole('table').first().waitFor()
    await page.keyboard.press('Control+k')
    const files = dialogOf(page).getByRole('button', { name: 'Files', exact: true })
    await files.click()
    await dialogOf(page).getByText('Finds what agents read, edited or named').waitFor()
    await type(page, 'module')
    const status = dialogOf(page).getByRole('status')
    const touched = await dashboard.store.search.touches({ limit: 10_000 })
    const count = new Set(touched.map(({ path }) => path).filter((path) => path.includes('module'))).size
    expect(count).toBeGreaterThan(100)
    await dialogOf(page).getByText(`50 of ${count} files`).waitFor()
    const shown = optionsOf(page, 'files')
    expect(await shown.count()).toBe(50)
    for (const more of [100, count]) {
      await dialogOf(page).getByRole('button', { name: 'Show more' }).click()
      await shown.nth(more - 1).waitFor({ state: 'attached' })
      expect(await shown.count()).toBe(more)
      expect(await fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true)
    }
    expect(await status.innerText()).toBe(`${count} files`)
    expect(await dialogOf(page).getByRole('button', { name: 'Show more' }).count()).toBe(0)
    // Other words begin anew; a path as it is copied comes first.
    await type(page, './packages/search/src/module-10.ts:12')
    expect(await shown.count()).toBe(1)
    await type(page, 'Module-10.ts')
    expect(await shown.first().innerText()).toContain('/src/module-10.ts')
    await type(page, 'module-1 Nowhere')
    await dialogOf(page).getByText('No path has “Nowhere” in it.').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Search everything for it' }).click()
    expect(await files.getAttribute('aria-pressed')).toBe('false')
    await files.click()
    await type(page, 'module-12')
    await dialogOf(page).getByRole('link', { name: 'Open on the page of files' }).click()
    await page.locator('[data-table=files]').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('module-12')
    expect(dashboard.complaints).toEqual([])
    await context.close()
  })

  it.each([
    ['light', 1_280],
    ['dark', 400],
  ] as const)('is accessible in %s at %i px', async (colorScheme, width) => {
    const context = await dashboard.browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    })
    const page = await dashboard.open(context, '?period=90d')
    await page.getByRole('table').first().waitFor()
    await page.getByRole('button', { name: 'Search' }).click()
    await type(page, 'basket voucher')
    await page.locator('dialog [role=option]').first().waitFor()
    expect(await isTooWide(page)).toBe(false)
    expect([colorScheme, width, await violationsOf(page)]).toEqual([colorScheme, width, []])
    await page.screenshot({ path: join(dashboard.screenshots, `search-${colorScheme}-${width}.png`) })
    await dialogOf(page).getByRole('button', { name: 'Files', exact: true }).click()
    for (const text of ['', 'module', 'module nowhere']) {
      await type(page, text)
      expect(await isTooWide(page)).toBe(false)
      expect([text, await violationsOf(page)]).toEqual([text, []])
      const name = `search-files-${text.length}-${colorScheme}-${width}.png`
      await page.screenshot({ path: join(dashboard.screenshots, name) })
    }
    await context.close()
  })
})
