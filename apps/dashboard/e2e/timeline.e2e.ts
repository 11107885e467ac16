/** A session as a timeline, in a real browser: turns with the figures of the engine, the context's size, permanent links, and what a search opens. */
import { join } from 'node:path'
import { createEngine, formatUsd } from '@cairn/core'
import type { SessionOutline } from '@cairn/core/insights'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import type { EntryWrite } from '@cairn/core'
import type { Page } from 'playwright-core'
import { violationsOf } from './accessible.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { LEAKING_SESSION, addLeakingSession } from './leaking-session.ts'
import { LONG_SESSION, addLongSession } from './sample-session.ts'

const LONG = 20_000
const TAGGED_SESSION = 'claude-code:tagged'
const MARKDOWN =
  '## Outcome\n\n| file | lines |\n| --- | --- |\n| total.ts | **12** |\n\n[run it](javascript:alert(1)) and `npm test`'

describeInBrowser('the timeline of a session', () => {
  let dashboard: DashboardUnderTest
  let outlineOf: (id: string) => Promise<SessionOutline>
  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      await addLongSession(store, LONG, Date.now())
      await addLeakingSession(store, Date.now())
      const say = (role: 'user' | 'assistant', text: string, seq: number): EntryWrite => ({
        entry: { kind: 'message', at: Date.now() + seq, role, id: `t${seq}`, content: [{ type: 'text', text }] },
      })
      const reminder = '<system-reminder>Be brief and kind</system-reminder>'
      const command = '<command-name>/review</command-name><command-args>12</command-args>'
      await store.sessions.append({ id: TAGGED_SESSION, agent: 'claude-code', externalId: 'tagged' }, 0, [
        say('user', command, 0),
        say('assistant', 'I look.', 1),
        say('user', `Go on\n${reminder}`, 2),
        say('assistant', MARKDOWN, 3),
      ])
    })
    const clock = createSystemClock()
    const deps = { fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock) }
    const { insights } = createEngine({ store: dashboard.store, ...deps })
    outlineOf = (id) => insights.outline(id)
  })
  afterAll(() => dashboard.close())

  const openAt = async (id: string, rest = '', width = 1_280): Promise<Page> => {
    const context = await dashboard.browser.newContext({
      viewport: { width, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    return dashboard.open(context, `sessions/${encodeURIComponent(id)}${rest}`)
  }
  const turnCosts = (page: Page): Promise<(string | null)[]> =>
    page
      .locator('ol[aria-label="Turns of the session"] li[data-cost]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-cost')))

  it('shows the turns of the engine with their costs, in order and the most expensive first', async () => {
    const { turns, total } = await outlineOf(LEAKING_SESSION)
    const page = await openAt(LEAKING_SESSION)
    await page.getByRole('button', { name: /^Turn 1 ?: / }).waitFor()
    expect(await page.locator('[data-outline-total]').innerText()).toBe(formatUsd(total.costNano))
    expect(await turnCosts(page)).toEqual(turns.map(({ totals }) => formatUsd(totals.costNano)))
    await page.getByRole('button', { name: 'Most expensive first' }).click()
    await page.waitForURL(/turns=cost/)
    const dearest = turns.toSorted((left, right) => Number(right.totals.costNano - left.totals.costNano))
    expect(await turnCosts(page)).toEqual(dearest.map(({ totals }) => formatUsd(totals.costNano)))
    await page.getByText(/pauses? that lost the cache/).waitFor()
    await page.screenshot({ path: join(dashboard.screenshots, 'timeline-dearest.png') })
    await page.context().close()
  })

  it('begins with the dearest turns when they are asked for, though the one that is read is far below', async () => {
    const { turns } = await outlineOf(LONG_SESSION)
    const cheapest = turns.toSorted((left, right) => Number(left.totals.costNano - right.totals.costNano))[0]
    const page = await openAt(LONG_SESSION)
    await page.goto(`${dashboard.server.url}sessions/${encodeURIComponent(LONG_SESSION)}?turns=cost#${cheapest?.seq}`)
    await page.locator(`[data-index="${cheapest?.seq}"] article`).waitFor()
    const isFirst = page.locator('li[data-row="0"] button')
    await isFirst.waitFor()
    await page.getByRole('button', { name: 'In order' }).click()
    await page.getByRole('button', { name: new RegExp(`^Turn ${cheapest?.number} ?: `) }).waitFor()
    await page.getByRole('button', { name: 'Most expensive first' }).click()
    await page.locator(`li[data-row="0"]:not([data-key="${turns[0]?.number}"])`).waitFor()
    const scrolled = () => page.locator('[data-table="outline"]').evaluate((list) => list.parentElement?.scrollTop)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await scrolled()).toBe(0)
    await page.context().close()
  })

  it('leads from a turn and from the chart to the conversation, and marks what of it is seen', async () => {
    const { turns, requests } = await outlineOf(LONG_SESSION)
    const page = await openAt(LONG_SESSION)
    const first = page.getByRole('button', { name: /^Turn 1 ?: / })
    await first.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: /^Turn 2 ?: / }).waitFor()
    await page.keyboard.press('End')
    const last = turns.at(-1)
    await page.locator('li[data-row] button:focus', { hasText: `Turn ${last?.number}: ` }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`at=${last?.seq}(&|$)`))
    await page.locator(`[data-index="${last?.seq}"] article`).waitFor()
    const seenAt = (): Promise<number> => page.locator('[data-seen]').evaluate((box) => Number(box.getAttribute('x')))
    const before = await seenAt()
    const chart = page.getByRole('group', { name: 'Size of the context at each request, in tokens' })
    await chart.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`at=${requests[0]?.seq}(&|$)`))
    await page.locator(`[data-index="${requests[0]?.seq}"] article`).waitFor()
    await page.locator('[data-seen]').waitFor({ state: 'attached' })
    expect(await seenAt()).toBeLessThan(before)
    await page.context().close()
  })

  it('has permanent links, which are copied and open the entry', async () => {
    const page = await openAt(TAGGED_SESSION)
    await page.goto(`${dashboard.server.url}sessions/${encodeURIComponent(LONG_SESSION)}#15001`)
    await page.locator('[data-index="15001"] article').waitFor()
    // What is above may still grow as it is drawn.
    await page.waitForLoadState('networkidle')
    await page.locator('[data-index="15002"]').getByRole('link', { name: 'Link to entry 15002' }).click()
    await page.waitForURL(/at=15002/)
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(`${dashboard.server.url}sessions/${encodeURIComponent(LONG_SESSION)}#15002`)
    await page.context().close()
  })

  it('opens what a search finds in a folded part, and marks it', async () => {
    const page = await openAt(LONG_SESSION)
    await page.getByRole('searchbox', { name: 'Find in this session' }).fill('a cent is lost per line')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/at=\d/)
    const at = new URL(page.url()).searchParams.get('at') ?? ''
    const mark = page.locator(`[data-index="${at}"] details[open] mark`, { hasText: 'cent' }).first()
    await mark.waitFor()
    await page.context().close()
  })

  it('shows tags of the agent’s program as what they mean, and a call with its result', async () => {
    const page = await openAt(TAGGED_SESSION)
    await page.locator('[data-tag]', { hasText: 'Reminder by the agent’s program Be brief and kind' }).waitFor()
    await page.locator('[data-tag]', { hasText: 'Command /review 12' }).waitFor()
    expect(await page.getByRole('region', { name: 'Conversation' }).innerText()).not.toContain('<')
    await page.goto(`${dashboard.server.url}sessions/${encodeURIComponent(LONG_SESSION)}`)
    const call = page.locator('[data-index="2"]')
    await call.locator('summary', { hasText: 'Result of Read' }).waitFor()
    await page.context().close()
  })

  it('draws what a model writes as Markdown, what a person writes as it stands, and an edit as lines', async () => {
    const page = await openAt(TAGGED_SESSION)
    const reply = page.locator('[data-index="3"]')
    await reply.getByRole('heading', { name: 'Outcome' }).waitFor()
    expect(await reply.getByRole('cell').allInnerTexts()).toEqual(['total.ts', '12'])
    expect(await reply.getByRole('link', { name: 'run it' }).count()).toBe(0)
    await page.goto(`${dashboard.server.url}sessions/${encodeURIComponent(LONG_SESSION)}`)
    const edit = page.locator('[data-index="4"]')
    await edit.locator('summary', { hasText: '+1 −1' }).click()
    expect(await edit.getByRole('region', { name: 'Details' }).innerText()).toMatch(
      /removed:\s*round\(total\)[^]*added:\s*total/,
    )
    await page.context().close()
  })

  it('folds the turns away on a phone, and is quick for a session of thousands of messages', async () => {
    const page = await openAt(LONG_SESSION, '', 400)
    await page.getByRole('button', { name: /turns, \$.*: show them/ }).click()
    await page.getByRole('button', { name: /^Turn 1 ?: / }).waitFor()
    await page.screenshot({ path: join(dashboard.screenshots, 'timeline-400.png') })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400)
    await page.getByRole('button', { name: /^Turn 2 ?: / }).click()
    await page.waitForURL(/at=6(&|$)/)
    // The log was read once: what it came to is known.
    const begin = performance.now()
    await page.reload()
    await page.getByRole('button', { name: /turns, \$.*: show them/ }).waitFor()
    await page.locator('[data-index="6"] article').waitFor()
    console.info(`timeline of ${LONG} entries, ready after ${Math.round(performance.now() - begin)} ms`)
    await page.context().close()
  })

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 400],
    ['dark', 400],
  ] as const)('has nothing that axe objects to: %s, %d wide', async (colorScheme, width) => {
    const context = await dashboard.browser.newContext({ colorScheme, viewport: { width, height: 1_000 } })
    const page = await dashboard.open(context, `sessions/${encodeURIComponent(LEAKING_SESSION)}?find=step`)
    if (width === 400) await page.getByRole('button', { name: /turns, \$.*: show them/ }).click()
    await page.getByRole('button', { name: /^Turn 1 ?: / }).waitFor()
    await page.locator('[data-leak]').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.screenshot({ path: join(dashboard.screenshots, `timeline-${colorScheme}-${width}.png`) })
    await context.close()
  })

  it('reported no errors', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
