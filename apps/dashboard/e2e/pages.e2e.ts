/** Every page in a real browser: accessible in light and dark, from 400 px up, and the session's page with what it has to bear. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { healthReport, quarterOf } from '@cairn/core'
import { isTooWide, violationsOf } from './accessible.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { FILES_PATH, PAGES, SESSION_PATH } from './page-list.ts'
import { ALL_CHECKPOINTS, ODD_FOLDER, addCheckpoints } from './checkpoint-records.ts'
import { addFilesSession } from './files-session.ts'
import { addHealth } from './health-samples.ts'
import { addKnowledge } from './knowledge.ts'
import { LONG_SESSION, addLongSession } from './sample-session.ts'
import { ask, TOKEN } from './server.ts'
import { fillStore } from './synthetic-usage.ts'

const LONG = 20_000
/** Files of a session. */
const MANY = 132

/** Of the newest checkpoint in the folder with an odd name. */
const shortIdOf = async ({ store }: DashboardUnderTest): Promise<string> => {
  const [newest] = await store.checkpoints.list(ODD_FOLDER)
  if (newest === undefined) throw new Error('there are some')
  return newest.id.slice(-8).toLowerCase()
}

describeInBrowser('the pages', () => {
  let dashboard: DashboardUnderTest
  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      await fillStore(store, 1_200, Date.now())
      await addLongSession(store, LONG, Date.now())
      await addFilesSession(store, MANY, Date.now())
      await addCheckpoints(store, Date.now())
      await addHealth(store, Date.now())
      await addKnowledge(store)
    })
  })
  afterAll(() => dashboard.close())

  it.each(['light', 'dark'] as const)('are accessible in %s, wide and narrow', async (colorScheme) => {
    // Side by side: most of the time each waits for its page to be still.
    const look = async (width: number): Promise<void> => {
      const context = await dashboard.browser.newContext({
        colorScheme,
        viewport: { width, height: 1_000 },
        reducedMotion: 'reduce',
      })
      for (const { name, path, ready } of PAGES) {
        const page = await dashboard.open(context, path)
        await page.locator(ready).first().waitFor({ state: 'attached' })
        await page.waitForLoadState('networkidle')
        expect([name, width, await isTooWide(page)]).toEqual([name, width, false])
        const found = await violationsOf(page)
        expect([name, colorScheme, width, found]).toEqual([name, colorScheme, width, []])
        await page.screenshot({ path: join(dashboard.screenshots, `${name}-${colorScheme}-${width}.png`) })
        await page.close()
      }
      await context.close()
    }
    await Promise.all([1_280, 400, 3_840].map(look))
  })

  it('opens a session of 20,000 messages, and scrolls without lasting blanks', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_440, height: 1_000 } })
    const warm = await dashboard.open(context, 'sessions')
    await warm.getByRole('table').waitFor()
    const began = performance.now()
    await warm.goto(`${dashboard.server.url}${SESSION_PATH}`)
    await warm.getByRole('article').first().waitFor()
    const openMs = performance.now() - began
    console.info(`a session of ${LONG} entries opened in ${openMs.toFixed(0)} ms`)
    const list = warm.getByRole('region', { name: 'Conversation' })
    await list.scrollIntoViewIfNeeded()
    await list.hover()
    const frame = await list.elementHandle()
    for (let turn = 0; turn < 60; turn += 1) {
      await warm.mouse.wheel(0, 700)
      // Whatever is in view: something stands at each tenth of the list's height.
      await warm.waitForFunction((element) => {
        const box = element.getBoundingClientRect()
        return Array.from({ length: 9 }, (_, part) =>
          document.elementFromPoint(
            box.left + 300,
            Math.min(window.innerHeight - 5, box.top + (box.height * (part + 1)) / 10),
          ),
        ).every((at) => at !== null && at.closest('[data-index]') !== null && at.closest('[data-waiting]') === null)
      }, frame)
    }
    // Far away at once: it may say which entry it is for a moment, and then the entry is there.
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await warm.locator(`article[aria-label$="entry ${LONG - 1}"]`).waitFor()
    await list.focus()
    await warm.keyboard.press('Home')
    await warm.locator('article[aria-label$="entry 0"]').waitFor()
    // Words of one entry in 20,000, found and gone to.
    await warm.getByRole('searchbox', { name: 'Find in this session' }).fill('entry 15001 of this session')
    await warm.getByRole('button', { name: 'Next' }).click()
    await warm.waitForURL(/at=\d/)
    await warm.locator(`[data-index="${new URL(warm.url()).searchParams.get('at') ?? ''}"] article`).waitFor()
    await context.close()
  })

  it('shows the contents of a conversation as text, and images of image types only', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_440, height: 1_000 } })
    const page = await dashboard.open(context, SESSION_PATH)
    await page
      .getByText(
        '<script>window.broken = 1</script> [a link](javascript:alert(1)) ␛[31mred␛[0m <img src=x onerror=alert(1)>',
        { exact: true },
      )
      .waitFor()
    expect(await page.evaluate('window.broken')).toBeUndefined()
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
    await page.locator('[data-index="13"]').scrollIntoViewIfNeeded()
    const image = page.getByRole('img', { name: 'From the conversation' })
    await image.waitFor()
    expect(await image.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
    await page.getByText('An image of a kind that is not shown here (image/svg+xml)').waitFor()
    await page.locator('summary', { hasText: 'Reasoning' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByText('a cent is lost per line', { exact: false }).last().waitFor()
    await context.close()
  })

  it('marks compactions in the chart, and counts repeated reads', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, SESSION_PATH)
    await page.getByRole('region', { name: 'The session’s log' }).getByText('4 compactions').waitFor()
    await page.getByRole('button', { name: 'Files' }).click()
    await page.waitForURL(/view=files/)
    await page
      .getByRole('rowheader', { name: /total\.ts/ })
      .first()
      .waitFor()
    await context.close()
  })

  it('shows what is known of each file, a part of them or all, in any state and order', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_280, height: 1_000 } })
    const page = await dashboard.open(context, `${FILES_PATH}?view=files&zone=UTC`)
    const rows = page.getByRole('region', { name: 'Table of files' }).locator('tbody tr')
    const namesShown = (): Promise<string[]> => rows.locator('th > span:first-child').allTextContents()
    const whenShown = (count: number): Promise<unknown> =>
      page.waitForFunction(
        (wanted) => document.querySelectorAll('[aria-label="Table of files"] tbody tr').length === wanted,
        count,
      )
    await whenShown(50)
    const parts = await namesShown()
    for (const [from, count] of [
      [51, 50],
      [101, 32],
    ] as const) {
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText(`${from}–${from + count - 1} of ${MANY}`).waitFor()
      await whenShown(count)
      parts.push(...(await namesShown()))
    }
    await page.getByRole('button', { name: `Show all ${MANY}` }).click()
    await page.waitForURL(/show=all/)
    await whenShown(MANY)
    expect(await namesShown()).toEqual(parts)
    // Every button tells how many rows it leads to.
    for (const state of ['Active', 'Stale', 'Not in context'] as const) {
      const button = page.getByRole('group', { name: 'Files of which state' }).getByRole('button', { name: state })
      const count = Number(/\d+/.exec(await button.innerText())?.[0])
      expect(count).toBeGreaterThan(0)
      await button.click()
      await whenShown(count)
      for (const text of await rows.locator('td:nth-child(2)').allTextContents()) expect(text).toBe(state.toLowerCase())
    }
    await page.getByRole('group', { name: 'Files of which state' }).getByRole('button', { name: 'All' }).click()
    await whenShown(MANY)
    await page.getByRole('columnheader', { name: 'File', exact: true }).getByRole('button').click()
    await page.waitForURL(/sort=path/)
    await page.waitForFunction(
      (last) =>
        document.querySelector('[aria-label="Table of files"] tbody tr:last-child th')?.textContent.includes(last),
      parts.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' })).at(-1) ?? '',
    )
    // Names of files are data: nothing of them is markup, and nothing turns or hides text.
    await page.getByText('src/<img src=x onerror=alert(1)>⟨U+202E⟩gnp.ts').waitFor()
    await page.getByText('edited by a person').first().waitFor()
    await page.getByRole('heading', { name: 'Models in order' }).waitFor()
    await context.close()
  })

  it('shows checkpoints with what they left out, and commands that can be copied as they are shown', async () => {
    const context = await dashboard.browser.newContext({
      viewport: { width: 1_280, height: 1_000 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await dashboard.open(context, 'checkpoints?zone=UTC')
    await page.getByText(`${ALL_CHECKPOINTS} checkpoints`).waitFor()
    await page.getByRole('combobox', { name: 'Project' }).selectOption(ODD_FOLDER)
    await page.waitForURL(/project=/)
    await page.getByText(`${ALL_CHECKPOINTS / 5} checkpoints`).waitFor()
    // By keyboard alone.
    const more = page.getByRole('button', { name: /: changes, commands and what was left out of/ })
    await more.first().focus()
    await page.keyboard.press('Enter')
    expect(await more.first().getAttribute('aria-expanded')).toBe('true')
    const command = `cairn checkpoint diff ${await shortIdOf(dashboard)} --workspace '/home/ann/it'\\''s $(here) <b>'`
    await page.getByText(command, { exact: true }).waitFor()
    await page.getByRole('button', { name: `Copy ${command}` }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command)
    await page.getByText('This dashboard can only be read').waitFor()
    await page.getByText('media/intro⟨U+202E⟩.mov').waitFor()
    await page.getByText('over 10 MB: 52.4 MB').waitFor()
    await page.getByText('node_modules/', { exact: true }).waitFor()
    // Of a session: its own and those of its project meanwhile, and one that is not kept.
    await page.goto(`${dashboard.server.url}${FILES_PATH}?view=checkpoints`)
    await page.getByText(/^\d+ checkpoints of this session/).waitFor()
    await page.getByRole('button', { name: 'Last page' }).click()
    await page.getByText('not kept any more').waitFor()
    await context.close()
  })

  it('shows how the store fares, and what its parts are made of', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, 'health?zone=UTC')
    const score = Number(await page.locator('[data-total="Score"]').innerText())
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThanOrEqual(100)
    const { caches, failures } = healthReport(
      await dashboard.store.health.since(quarterOf(Date.now()) - 95),
      quarterOf(Date.now()),
    )
    const cell = (table: string, row: string): Promise<string> =>
      page.getByRole('table', { name: table }).getByRole('row', { name: row }).locator('td').first().innerText()
    const segments = caches.find(({ name }) => name === 'search segments')
    // The server itself has used the index since, for the page of files, and keeps that later.
    const sinceThen = Number((await cell('Caches', 'search segments')).replaceAll(',', '')) - (segments?.hits ?? NaN)
    expect([sinceThen >= 0, sinceThen < 20]).toEqual([true, true])
    expect(await cell('Failed writes', 'storage-full')).toBe(String(failures['storage-full']))
    await page.getByText('3 × temporary file').waitFor()
    // Of all tables, those that are not named are in one line.
    const bytes = await page.getByRole('table', { name: 'Tables with their indexes' }).getByRole('row').count()
    expect(bytes).toBe(11)
    await context.close()
  })

  it('has one line of links on a phone, and the way to every other page behind one of them', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 400, height: 800 } })
    const page = await dashboard.open(context)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const links = pages.getByRole('link')
    await links.last().waitFor()
    expect((await pages.boundingBox())?.height).toBeLessThan(40)
    await pages.getByText('More', { exact: true }).click()
    await pages.getByRole('link', { name: 'Settings' }).waitFor()
    const names: string[] = []
    for (const link of await links.all()) {
      const box = await link.boundingBox()
      if (box === null) throw new Error('a link is hidden')
      names.push(await link.innerText())
      expect([names.at(-1), box.x >= 0, box.x + box.width <= 400]).toEqual([names.at(-1), true, true])
    }
    expect(names).toEqual(expect.arrayContaining(['Now', 'Health', 'Settings']))
    await links.last().click()
    await page.waitForURL(/settings/)
    await context.close()
  })

  it('has its head on one line from 1280 px on, with a budget and transcripts that are followed', async () => {
    const settings = join(dashboard.folder, 'config.json')
    writeFileSync(settings, JSON.stringify({ budget: { month: 20 } }))
    const watching = { text: 'Following 1,234 transcripts', detail: 'of all agents', isTrouble: false }
    for (const width of [1_280, 1_440, 1_680, 1_920]) {
      const context = await dashboard.browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
      await context.route('**/api/trpc/live.watching*', (route) =>
        route.fulfill({ json: { result: { data: watching } } }),
      )
      const page = await dashboard.open(context, 'health')
      await page.getByText('Following 1,234 transcripts').waitFor()
      await page.locator('[data-budget]').waitFor()
      const head = page.getByRole('banner')
      const lines = await head.evaluate(({ firstElementChild }) => {
        const boxes = [...(firstElementChild?.children ?? [])].map((part) => part.getBoundingClientRect())
        const middles = boxes.filter(({ height }) => height > 0).map(({ top, height }) => top + height / 2)
        return Math.max(...middles) - Math.min(...middles)
      })
      expect([width, lines < 4]).toEqual([width, true])
      await page.screenshot({ path: join(dashboard.screenshots, `head-${width}.png`) })
      await context.close()
    }
    rmSync(settings)
  })

  it('has pages for which the head is too narrow in a list, by keyboard', async () => {
    const context = await dashboard.browser.newContext({
      viewport: { width: 1_280, height: 800 },
      reducedMotion: 'reduce',
    })
    const page = await dashboard.open(context, 'sessions?period=7d')
    await page.getByRole('table').waitFor()
    const nav = page.getByRole('navigation', { name: 'Pages' })
    const more = nav.locator('summary')
    const health = nav.getByRole('link', { name: 'Health' })
    await more.focus()
    expect(await health.count()).toBe(0)
    await page.keyboard.press('Enter')
    await health.waitFor()
    expect(await nav.getByRole('link').count()).toBe(13)
    expect(await violationsOf(page)).toEqual([])
    await page.screenshot({ path: join(dashboard.screenshots, 'head-more.png') })
    // Escape closes it, and so does going on from its last link.
    await page.keyboard.press('Escape')
    await health.waitFor({ state: 'hidden' })
    expect(await more.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await nav.getByRole('link', { name: 'Settings' }).focus()
    await page.keyboard.press('Tab')
    await health.waitFor({ state: 'hidden' })
    await more.click()
    await health.click()
    await page.waitForURL(/health\?period=7d/)
    await health.waitFor({ state: 'hidden' })
    await context.close()
  })

  it('shows the end of a path where there is no space for all of it', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 400, height: 1_000 } })
    const page = await dashboard.open(context, `${SESSION_PATH}?view=files`)
    const file = page.getByRole('rowheader', { name: /total\.ts/ }).first()
    await file.waitFor()
    const [isCut, isEndSeen] = await file.evaluate((cell) => {
      const path = cell.querySelector('bdi')?.firstChild
      if (!(path instanceof Text)) throw new Error('the cell has no path')
      path.data = `packages/${'deep/'.repeat(20)}total.ts`
      const end = document.createRange()
      end.setStart(path, path.length - 'total.ts'.length)
      end.setEnd(path, path.length)
      let line = path.parentElement
      while (line !== null && getComputedStyle(line).overflowX === 'visible') line = line.parentElement
      if (line === null) throw new Error('the path has no line of its own')
      const edges = line.getBoundingClientRect()
      const seen = end.getBoundingClientRect()
      return [line.scrollWidth > line.clientWidth, seen.left >= edges.left && seen.right <= edges.right]
    })
    expect({ isCut, isEndSeen }).toEqual({ isCut: true, isEndSeen: true })
    await context.close()
  })

  it('sorts, searches and pages sessions on the server, with all of it in the address', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, 'sessions?period=all&zone=UTC')
    await page.getByText('152 sessions').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/page=2/)
    await page.getByText('51–100 of 152').waitFor()
    await page.getByRole('button', { name: 'Cost', exact: true }).click()
    await page.waitForURL(/sort=cost/)
    await page.getByText('1–50 of 152').waitFor()
    await page.getByRole('searchbox').fill('voucher')
    await page.waitForURL(/q=voucher/)
    await page.getByText('1 session', { exact: true }).waitFor()
    await page.getByRole('link', { name: /voucher is used twice/ }).click()
    await page.getByRole('article').first().waitFor()
    expect(page.url()).toContain(encodeURIComponent(LONG_SESSION))
    await context.close()
  })

  it('reported no errors', () => {
    // But for the page that is not there, which the browser itself reports.
    expect(dashboard.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([])
  })

  it('refuses foreign hosts, foreign origins, the tokenless and unknown sessions, without data', async () => {
    const { url } = dashboard.server
    const { host } = new URL(url)
    const data = `${url}api/trpc/live.revision`
    const exported = `${url}api/export/sessions?format=json&period=all`
    const session = `${url}${SESSION_PATH}`
    const entered = await ask(`${url}?token=${TOKEN}`)
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
    for (const path of [data, exported, session])
      expect([path, (await ask(path, { host, cookie })).status]).toEqual([path, 200])
    for (const path of [url, data, exported, session, `${url}icon.svg`, `${url}_next/static/x.js`]) {
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
    for (const id of [
      '../../x',
      '..%2f..%2fx',
      '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      'nobody',
      '%E0%A4%A',
      encodeURIComponent("x' OR 1=1 --"),
    ]) {
      const { status, body } = await ask(`${url}sessions/${id}`, { host, cookie })
      expect([id, Math.floor(status / 100)]).toEqual([id, 4])
      expect(body).not.toContain('claude-sonnet')
      if (id === 'nobody') expect(body).toContain('There is no such session')
      expect(
        (await ask(`${url}api/trpc/session.head?input=${encodeURIComponent(JSON.stringify({ id }))}`, { host, cookie }))
          .status,
      ).toBe(404)
      expect((await ask(`${url}api/export/requests?session=${id}`, { host, cookie })).status).toBe(404)
    }
    expect((await ask(`${url}api/export/..%2f..%2fx`, { host, cookie })).status).toBe(404)
  })

  it('exports every table as filtered, safe for spreadsheets', async () => {
    const { url } = dashboard.server
    const { host } = new URL(url)
    const entered = await ask(`${url}?token=${TOKEN}`)
    const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
    const get = async (path: string): Promise<string> => {
      const { status, body, headers } = await ask(`${url}api/export/${path}`, { host, cookie })
      expect([path, status]).toEqual([path, 200])
      expect(headers['content-disposition']).toContain('attachment')
      return body
    }
    for (const table of ['day', 'model', 'project', 'branch', 'agent']) {
      const rows = JSON.parse(await get(`${table}?format=json&period=all&zone=UTC&model=gpt-5.1-codex`)) as readonly {
        readonly requests: number
      }[]
      const { total } = await dashboard.store.usage.report({ by: 'day', filter: { model: 'gpt-5.1-codex' } })
      expect([table, rows.reduce((sum, { requests }) => sum + requests, 0)]).toEqual([table, total.requests])
    }
    expect(JSON.parse(await get('sessions?format=json&period=all'))).toHaveLength(152)
    expect((await get('sessions?format=csv&period=all&q=voucher')).trim().split('\r\n')).toHaveLength(2)
    const id = encodeURIComponent(LONG_SESSION)
    expect((await get(`requests?session=${id}`)).trim().split('\r\n').length).toBeGreaterThan(5_000)
    expect((await get(`files?session=${id}`)).startsWith('path,reads,rereads,edits')).toBe(true)
  })
})
