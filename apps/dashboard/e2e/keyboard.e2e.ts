/** Every page by the keyboard alone: all that can be worked is reached, shows that it is, and does what it says. */
import type { Page } from 'playwright-core'
import { addCheckpoints } from './checkpoint-records.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { PAGES, REPLAY_PAGE, SESSION_PATH } from './page-list.ts'
import type { ListedPage } from './page-list.ts'
import { addFilesSession } from './files-session.ts'
import { addHealth } from './health-samples.ts'
import { addKnowledge } from './knowledge.ts'
import { addLongSession } from './sample-session.ts'
import { fillStore } from './synthetic-usage.ts'

const LONG = 2_000
/** More than a page shows at first. */
const FILES = 60
/** More stops than any page has; a walk that takes longer goes in circles. */
const MOST_STOPS = 400
const FIRST_STOP = 'a Skip to the content'

/** What the page is asked, as text: it runs in the browser, whose types are not those of the tests. */
const IN_PAGE = `
  window.walk = {
    stops: () => {
      const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('details:not([open]) > :not(summary)') === null
      const isInList = (element) => element.closest('[data-index]') !== null
      const isOtherRow = (element) => element.closest('[data-row]') !== null && element.tabIndex === -1
      const isOtherRadio = (element) => element.type === 'radio' && !element.checked && document.querySelector('input[name="' + element.name + '"]:checked') !== null
      return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')].filter((element) => isShown(element) && !isInList(element) && !isOtherRow(element) && !isOtherRadio(element))
    },
    begin: () => {
      window.walk.expected = window.walk.stops()
      window.walk.visited = []
      document.activeElement?.blur()
      getSelection().removeAllRanges()
    },
    name: (element) => element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') ?? (element.hasAttribute('data-figure') ? element.firstChild : element).textContent).trim().slice(0, 60),
    /** The stop that has the keyboard; '' at the end of the page. */
    visit: () => {
      const element = document.activeElement
      if (element === null || element === document.body) return ''
      if (window.walk.visited.at(-1) !== element) window.walk.visited.push(element)
      return window.walk.name(element)
    },
    missed: () => window.walk.expected.filter((element) => element.isConnected && !window.walk.visited.includes(element)).map(window.walk.name),
    /** Whether one sees where the keyboard is: a ring on the element or on what stands for it, within the window. */
    isSeen: () => {
      const element = document.activeElement
      const ringed = element.type === 'radio' ? element.closest('label') : element
      const style = getComputedStyle(ringed)
      const box = ringed.getBoundingClientRect()
      return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
    },
    inList: () => document.activeElement.closest('[data-index]')?.dataset.index ?? null,
  }
`

interface Walk {
  readonly names: readonly string[]
  readonly unseen: readonly string[]
}

/** What leads past a conversation. */
const SKIP = '[data-skip-log]'

/**
 * Presses a key until the page ends, or the first stop is reached: backwards it goes on at the end. A conversation is skipped
 * forwards, and ends the walk backwards.
 */
const walk = async (page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Walk> => {
  const names: string[] = []
  const unseen: string[] = []
  for (let press = 0; press < MOST_STOPS; press += 1) {
    await page.keyboard.press(key)
    const at = await page.evaluate<{ readonly name: string; readonly isSeen: boolean; readonly inList: string | null }>(
      '(() => { const name = walk.visit(); return name === "" ? { name, isSeen: true, inList: null } : { name, isSeen: walk.isSeen(), inList: walk.inList() } })()',
    )
    if (at.inList !== null && key === 'Tab') {
      await page.locator(SKIP).press('Enter')
      continue
    }
    if (at.name === '' || at.inList !== null) return { names, unseen }
    if (!at.isSeen) unseen.push(at.name)
    // A date has three fields and a button of its own.
    if (names.at(-1) !== at.name || !at.name.startsWith('input')) names.push(at.name)
    if (key === 'Shift+Tab' && at.name === FIRST_STOP) return { names, unseen }
  }
  throw new Error(`the walk through ${page.url()} does not end: ${names.slice(-5).join(' > ')}`)
}

/** The page's policy keeps Playwright from waiting within it. */
const until = async (page: Page, condition: string): Promise<void> => {
  for (let look = 0; look < 200; look += 1) {
    if (await page.evaluate<boolean>(condition)) return
    await page.waitForTimeout(20)
  }
  throw new Error(`it never came to: ${condition}`)
}

describeInBrowser('the keyboard', () => {
  let dashboard: DashboardUnderTest
  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      await fillStore(store, 600, Date.now())
      await addLongSession(store, LONG, Date.now())
      await addFilesSession(store, FILES, Date.now())
      await addCheckpoints(store, Date.now())
      await addHealth(store, Date.now())
      await addKnowledge(store)
    })
  })
  afterAll(() => dashboard.close())

  const openAt = async (
    path: string,
    ready: string,
    colorScheme: 'light' | 'dark' = 'light',
    width = 1_440,
  ): Promise<Page> => {
    const context = await dashboard.browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    })
    const page = await dashboard.open(context, path)
    await page.locator(ready).first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    await page.evaluate(IN_PAGE)
    return page
  }

  it.each([
    ['light', 1_440],
    ['dark', 1_440],
    ['light', 400],
  ] as const)('reaches every control of each page, always visible, in %s at %i px', async (colorScheme, width) => {
    const look = async ({ name, path, ready }: ListedPage): Promise<void> => {
      const page = await openAt(path, ready, colorScheme, width)
      await page.evaluate('walk.begin()')
      const there = await walk(page, 'Tab')
      expect([name, there.names[0]]).toEqual([name, FIRST_STOP])
      expect([name, await page.evaluate('walk.missed()')]).toEqual([name, []])
      expect([name, there.unseen]).toEqual([name, []])
      if (colorScheme === 'light' && (await page.locator(SKIP).count()) === 0) {
        const back = await walk(page, 'Shift+Tab')
        expect([name, back.names.toReversed()]).toEqual([name, there.names])
      }
      await page.context().close()
    }
    // A few side by side: each has its own keyboard.
    const rest = [...PAGES, REPLAY_PAGE]
    const lane = async (): Promise<void> => {
      for (let page = rest.shift(); page !== undefined; page = rest.shift()) await look(page)
    }
    await Promise.all([lane(), lane(), lane()])
  })

  it('skips to the content, opens pages, and reverses the order of a table', async () => {
    const page = await openAt('?period=90d', 'table')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.name')).toBe('period')
    await page.getByRole('link', { name: 'Models', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/models\?period=90d/)
    const head = page.getByRole('columnheader', { name: 'Cost' })
    await head.getByRole('button').focus()
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await page.keyboard.press('Enter')
    await page.waitForURL(/order=ascending/)
    // The address changes first, then the page.
    await page.locator('th[aria-sort="ascending"]').filter({ hasText: 'Cost' }).waitFor()
    await page.getByRole('row').nth(1).getByText('gpt-5.1-codex').waitFor()
    // What has no price is neither cheapest nor most expensive.
    expect(await page.getByRole('row').nth(-2).innerText()).toContain('in-house/coder-32b')
    await page.keyboard.press('Space')
    await page.waitForURL((url) => !url.search.includes('order'))
    await page.getByRole('link', { name: 'Sessions with gpt-5.1-codex' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sessions\?period=90d&model=gpt-5.1-codex/)
    const { total } = await dashboard.store.sessions.list({ model: 'gpt-5.1-codex', limit: 1 })
    await page.getByText(`${total} sessions`, { exact: true }).waitFor()
    await page.context().close()
  })

  it('has its shortcuts while a choice or a button has the focus', async () => {
    const page = await openAt('', '[data-total]')
    await page.getByText('All', { exact: true }).click()
    await page.waitForURL(/period=all/)
    expect(await page.evaluate<string>('document.activeElement.type')).toBe('radio')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'All time' }).focus()
    await page.keyboard.press('/')
    await page
      .getByRole('dialog')
      .getByRole('searchbox')
      .or(page.getByRole('dialog').getByRole('combobox'))
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'All time' }).focus()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.waitForURL(/models\?period=all/)
    await page.context().close()
  })

  it('filters, searches and pages', async () => {
    const page = await openAt('sessions?period=all', 'table')
    await page.getByRole('radio', { name: 'All time' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/period=1y/)
    await page.getByRole('combobox', { name: 'Branch' }).focus()
    await page.keyboard.type('feature')
    await page.keyboard.press('Enter')
    await page.waitForURL(/branch=feature%2Fsearch/)
    const { total } = await dashboard.store.sessions.list({ branch: 'feature/search', limit: 1 })
    await page.getByText(`${total} sessions`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.search.includes('branch'))
    const next = page.getByRole('button', { name: 'Next' })
    await next.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/page=2/)
    await page.getByText(/^51–/).waitFor()
    // The last page is reached, and the keyboard is still where it was.
    expect(await next.getAttribute('aria-disabled')).toBe('true')
    expect(await next.evaluate('document.activeElement.textContent')).toBe('Next')
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('voucher')
    await page.waitForURL(/q=voucher/)
    await page.getByText('1 session', { exact: true }).waitFor()
    await page.getByRole('link', { name: /voucher is used twice/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('article').first().waitFor()
    await page.context().close()
  })

  it('reads charts and figures', async () => {
    const page = await openAt('?period=90d', 'table')
    await page.getByRole('button', { name: 'Output' }).first().focus()
    await page.keyboard.press('Space')
    expect(await page.getByRole('button', { name: 'Output' }).first().getAttribute('aria-pressed')).toBe('false')
    const chart = page.getByRole('group', { name: 'Cost over time, by class' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await chart.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Cost over time, by class')
    // The hint is there before any arrow key.
    const hint = chart.locator('[aria-live]')
    const first = await hint.innerText()
    expect(first).toMatch(/requests: \$/)
    await page.keyboard.press('ArrowLeft')
    expect(await hint.innerText()).not.toBe(first)
    await page.keyboard.press('Escape')
    expect(await hint.innerText()).toBe('')
    const table = page.getByRole('region', { name: 'By model' })
    const total = table
      .getByRole('row', { name: /^Total / })
      .locator('[data-figure]')
      .last()
    // The table is given again once the chart's choice is in the address: keys go on only from a figure that has the focus.
    await page.waitForLoadState('networkidle')
    await total.focus()
    expect(await total.evaluate('document.activeElement.hasAttribute("data-figure")')).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.locator('[popover]', { hasText: 'Unpriced: no price is known' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.locator('[popover]', { hasText: 'as recorded' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('[popover]').count()).toBe(0)
    await page.locator('summary', { hasText: 'Table by' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('columnheader', { name: 'From' }).getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/stepOrder=ascending/)
    await page.context().close()
  })

  it('reads a conversation, keeps its position while rows load and unload, and leaves it', async () => {
    const page = await openAt(SESSION_PATH, 'article')
    const list = page.getByRole('region', { name: 'Conversation' })
    await list.focus()
    const seen: number[] = []
    for (let press = 0; press < 60; press += 1) {
      await page.keyboard.press('Tab')
      const index = await page.evaluate<string | null>(
        `document.activeElement.closest('[data-index]')?.dataset.index ?? null`,
      )
      expect([press, index]).not.toEqual([press, null])
      seen.push(Number(index))
    }
    expect(seen).toEqual(seen.toSorted((left, right) => left - right))
    // On to something that opens.
    while (!(await page.evaluate<boolean>('document.activeElement.tagName === "SUMMARY"'))) {
      await page.keyboard.press('Tab')
      seen.push(Number(await page.evaluate(`document.activeElement.closest('[data-index]').dataset.index`)))
    }
    const last = seen.at(-1) ?? 0
    expect(last).toBeGreaterThan(30)
    await page.keyboard.press('Enter')
    await until(page, 'document.activeElement.parentElement.open === true')
    // Far away, the row with the keyboard is still in the page, and comes back open.
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await page.locator(`article[aria-label$="entry ${LONG - 1}"]`).waitFor()
    expect(await page.evaluate(`document.activeElement.closest('[data-index]')?.dataset.index`)).toBe(String(last))
    expect(await page.evaluate('document.activeElement.parentElement.open')).toBe(true)
    await page.keyboard.press('Space')
    await until(page, 'document.activeElement.parentElement.open === false')
    await page.keyboard.press('Escape')
    expect(await list.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Home')
    await page.locator('article[aria-label$="entry 0"]').waitFor()
    await page.keyboard.press('PageDown')
    await until(page, `document.activeElement.scrollTop > 300`)
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    // Back over the turns, their order and the chart, each of them few stops however long the session is.
    const stops: string[] = []
    for (let press = 0; press < 8 && stops.at(-1) !== 'Checkpoints'; press += 1) {
      await page.keyboard.press('Shift+Tab')
      stops.push(
        await page.evaluate<string>(
          'document.activeElement.getAttribute("aria-label")?.slice(0, 19) ?? document.activeElement.textContent',
        ),
      )
    }
    expect(stops).toEqual([
      expect.stringMatching(/^Turn \d+: /),
      'Most expensive first',
      'In order',
      'Size of the context',
      'Skip the conversation',
      'Checkpoints',
    ])
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Files')
    await page.keyboard.press('Enter')
    await page.waitForURL(/view=files/)
    await page.getByRole('columnheader', { name: 'Reads', exact: true }).getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=reads/)
    await page.context().close()
  })

  it('finds an entry of a long conversation, and goes there', async () => {
    const page = await openAt(SESSION_PATH, 'article')
    await page.getByRole('searchbox', { name: 'Find in this session' }).focus()
    await page.keyboard.type('"entry 1801 of this session"')
    await page.getByText(/entries$|^1 entry$/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/at=/)
    const at = new URL(page.url()).searchParams.get('at')
    await page.locator(`[data-index="${at ?? ''}"] article`).waitFor()
    await page.getByText(/^1 of /).waitFor()
    await page.context().close()
  })

  it('keeps an opened block open when it is scrolled out of view and back', async () => {
    const page = await openAt(SESSION_PATH, 'article')
    const list = page.getByRole('region', { name: 'Conversation' })
    const fold = page.locator('[data-index="1"] summary').first()
    await fold.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    await page.locator(`article[aria-label$="entry ${LONG - 1}"]`).waitFor()
    expect(await page.locator('[data-index="1"]').count()).toBe(0)
    await list.focus()
    await page.keyboard.press('Home')
    await page.locator('[data-index="1"] details[open]').first().waitFor()
    await page.context().close()
  })

  it('reported no errors', () => {
    // The page that is not there says so itself.
    expect(dashboard.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
  })
})
