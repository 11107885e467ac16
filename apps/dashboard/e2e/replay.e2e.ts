/** A session under another policy, in the browser: the numbers of `cairn replay`, every rewrite explained, by keyboard and accessible. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { ContentBlock, Store } from '@cairn/core'
import type { Locator, Page } from 'playwright-core'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { HOSTILE } from './sample-session.ts'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const SAMPLES = fileURLToPath(new URL('../../../samples', import.meta.url))
/** The longest of the samples. */
const SAMPLE = 'pi:d703a1a9-1b7b-4fb1-b512-c9738b1fe617'
const HOSTILE_SESSION = 'generic:hostile'
const SILENT_SESSION = 'generic:silent'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const run = promisify(execFile)

interface ReplayedPolicy {
  readonly policy: string
  readonly requests: number
  readonly costUsd: number
  readonly costWithRestoresUsd: number
  readonly cacheHitRatio: number
  readonly peakTokens: number
  readonly removals: number
  readonly rewrites: number
  readonly missedReferences: number
  readonly savedAgainstRecordedUsd: number
}

const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))
const path = (id: string, query: string): string => `sessions/${encodeURIComponent(id)}?zone=UTC&${query}`

/** Long files whose name is hostile, one of them in a call of each turn; and a session to which nobody answered. */
const addOddSessions = async (store: Store): Promise<void> => {
  const say = (index: number, role: 'user' | 'assistant', content: readonly ContentBlock[]) => ({
    entry: { kind: 'message' as const, at: 1_760_000_000_000 + index * 1_000, role, id: `m${index}`, content },
    externalId: `m${index}`,
  })
  const turns = Array.from({ length: 40 }, (_, turn) => [
    say(turn * 2 + 1, 'assistant', [
      { type: 'tool_call', id: `c${turn}`, name: 'Read', input: { file_path: `/x/${turn}/${HOSTILE}` } },
    ]),
    say(turn * 2 + 2, 'user', [
      {
        type: 'tool_result',
        callId: `c${turn}`,
        content: [{ type: 'text', text: `${turn} ${'stone upon stone '.repeat(700)}` }],
      },
    ]),
  ])
  const facts = { agent: 'generic' }
  const first = [say(0, 'user', [{ type: 'text', text: 'Read them all.' }])]
  await store.sessions.append({ ...facts, id: HOSTILE_SESSION, externalId: 'hostile', title: HOSTILE }, 0, [
    ...first,
    ...turns.flat(),
  ])
  await store.sessions.append(
    { ...facts, id: SILENT_SESSION, externalId: 'silent', title: 'Nobody answered' },
    0,
    first,
  )
}

/** The texts within an element that reach beyond its edges, or into another one of them. */
const textsOutside = (element: Locator): Promise<readonly string[]> =>
  element.evaluate((box) => {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
    const texts: { text: string; rects: DOMRect[] }[] = []
    while (walker.nextNode() !== null) {
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      texts.push({ text: range.toString(), rects: [...range.getClientRects()] })
    }
    const edges = box.getBoundingClientRect()
    const overlap = (one: DOMRect, other: DOMRect): boolean =>
      one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
    return texts
      .filter(
        ({ rects }, index) =>
          rects.some(({ left, right }) => left < edges.left || right > edges.right) ||
          rects.some((rect) =>
            texts.some((other, at) => at !== index && other.rects.some((own) => overlap(rect, own))),
          ),
      )
      .map(({ text }) => text)
  })

describeInBrowser('a session under another policy', () => {
  let dashboard: DashboardUnderTest
  beforeAll(async () => {
    dashboard = await startDashboard(addOddSessions)
    await run(process.execPath, [CLI, 'import', '--from', SAMPLES, '--store', `file:${dashboard.file}`])
  })
  afterAll(() => dashboard.close())

  const onCommandLine = async (
    ...options: readonly string[]
  ): Promise<readonly [paidUsd: number, chosen: ReplayedPolicy]> => {
    const { stdout } = await run(process.execPath, [
      CLI,
      'replay',
      SAMPLE,
      '--json',
      '--store',
      `file:${dashboard.file}`,
      ...options,
    ])
    const { policies, paid } = JSON.parse(stdout) as {
      readonly policies: readonly ReplayedPolicy[]
      readonly paid: { readonly costUsd: number }
    }
    const chosen = policies.at(-1)
    if (chosen === undefined) throw new Error('the command replayed nothing')
    return [paid.costUsd, chosen]
  }

  const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Under another policy' })
  /** What a tile says, without the notes behind it. */
  const tile = async (page: Page, name: string): Promise<string> => {
    const value = panelOf(page).locator(`[data-total="${name}"] [data-figure]`).first()
    await value.waitFor()
    return value.evaluate((element) => element.firstChild?.textContent ?? '')
  }

  const expectNumbers = async (page: Page, [paidUsd, chosen]: readonly [number, ReplayedPolicy]): Promise<void> => {
    expect({
      cost: await tile(page, 'Cost'),
      saved: await tile(page, 'Saved'),
      cached: await tile(page, 'Cache hit ratio'),
      rewrites: await tile(page, 'Rewrites'),
      misses: await tile(page, 'Misses'),
    }).toEqual({
      cost: usd(chosen.costWithRestoresUsd),
      saved: usd(chosen.savedAgainstRecordedUsd),
      cached: `${(chosen.cacheHitRatio * 100).toFixed(1)}%`,
      rewrites: chosen.rewrites.toLocaleString('en-US'),
      misses: chosen.missedReferences.toLocaleString('en-US'),
    })
    const panel = panelOf(page)
    await panel
      .locator('[data-paid]')
      .getByText(`Paid, as recorded: ${usd(paidUsd)} for `)
      .waitFor()
    // The tables have each request and each rewrite: their maximum and their sums are the same numbers.
    await panel.getByText('The size of every request, as a table').click()
    const sizes = panel.getByRole('table', { name: /Input of each request/ }).locator('tbody tr')
    await sizes.first().waitFor()
    const numbers = (await sizes.locator('td:last-child').allTextContents()).map((text) =>
      Number(text.replaceAll(',', '')),
    )
    expect([numbers.length, Math.max(...numbers)]).toEqual([chosen.requests, chosen.peakTokens])
    await panel.getByText('Every rewrite, as a table').click()
    const rewrites = panel.getByRole('table', { name: /Rewrites of the context/ }).locator('tbody tr')
    await rewrites.first().waitFor()
    const blocks = (await rewrites.locator('td:nth-child(4)').allTextContents()).map((text) =>
      Number(text.replaceAll(',', '')),
    )
    const notes = (await panel.locator('[data-total="Rewrites"] [hidden]').textContent()) ?? ''
    // What a policy had put in itself is no block of the conversation.
    const renewed = Number(/renewed ([\d,]+) note/.exec(notes)?.[1]?.replaceAll(',', '') ?? 0)
    expect([blocks.length, blocks.reduce((sum, one) => sum + one, 0) + renewed]).toEqual([
      chosen.rewrites,
      chosen.removals,
    ])
  }

  it('shows the numbers of the command line, for the defaults and for what the address names', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_440, height: 1_000 } })
    const page = await dashboard.open(context, path(SAMPLE, ''))
    const opener = page.getByRole('button', { name: 'Under another policy' })
    await opener.waitFor()
    expect(await opener.getAttribute('aria-expanded')).toBe('false')
    // Nothing is replayed before somebody asks.
    expect(await panelOf(page).getByRole('combobox').count()).toBe(0)
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/policy=cache-aware/)
    await expectNumbers(
      page,
      await onCommandLine(
        '--policy',
        'none,cache-aware',
        '--preset',
        'safe',
        '--window',
        '200000',
        '--prices',
        'claude-sonnet-4-5',
      ),
    )
    await page.close()

    const other = await dashboard.open(context, path(SAMPLE, 'policy=clio&window=64k'))
    await expectNumbers(
      other,
      await onCommandLine('--policy', 'none,clio', '--window', '64000', '--prices', 'claude-sonnet-4-5'),
    )
    await panelOf(other).getByLabel('Policy').selectOption('cache-aware')
    await panelOf(other).getByLabel('Preset').selectOption('lean')
    await other.waitForURL(/preset=lean/)
    const [, lean] = await onCommandLine(
      '--policy',
      'none,cache-aware',
      '--preset',
      'lean',
      '--window',
      '64000',
      '--prices',
      'claude-sonnet-4-5',
    )
    await panelOf(other).locator('[data-total="Cost"]').getByText(usd(lean.costWithRestoresUsd)).waitFor()
    await other.goBack()
    await other.waitForURL((url) => !url.search.includes('preset'))
    await context.close()
  })

  it('explains a rewrite chosen by keyboard, and links to the removed entries', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_440, height: 1_000 } })
    const page = await dashboard.open(context, path(SAMPLE, 'policy=cache-aware'))
    const chart = page.getByRole('group', { name: /Input of each request/ })
    await chart.locator('[data-mark]').first().waitFor({ state: 'attached' })
    expect(await chart.locator('[data-mark]').count()).toBe(Number(await tile(page, 'Rewrites')))
    expect(await chart.locator('[data-limit]').count()).toBe(1)
    // To the chart as everybody gets there.
    await page.getByRole('link', { name: 'How they are counted' }).focus()
    for (let stop = 0; stop < 3 && !(await chart.evaluate((element) => element === document.activeElement)); stop += 1)
      await page.keyboard.press('Tab')
    expect(await chart.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await chart
      .getByText(/Rewrite: \d+ blocks cut or taken out/)
      .first()
      .waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.waitForURL(/rewrite=\d+/)
    const removals = panelOf(page).locator('[data-removals]')
    await removals.getByText(/To get it back: /).waitFor()
    await removals.getByText(/became [\d,]+\./).waitFor()
    const before = new URL(page.url()).searchParams.get('rewrite')
    await removals.getByRole('button', { name: 'Previous rewrite' }).click()
    await page.waitForURL((url) => url.searchParams.get('rewrite') !== before)
    // The link of a block leads to its entry in the conversation.
    const link = removals.getByRole('link').first()
    await link.waitFor()
    // The list of the rewrite before is on its way.
    await page.waitForLoadState('networkidle')
    await link.focus()
    const entry = Number((await link.textContent())?.replace(/\D/g, ''))
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`at=${entry}(?:&|$)`))
    // A result stands with its call, which is marked in its place.
    await page.locator('[data-index][class*="bg-accent"] article').waitFor()
    const [stored] = await dashboard.store.sessions.read(SAMPLE, { fromSeq: entry, limit: 1 })
    expect(stored?.kind).toBe('message')
    await context.close()
  })

  it.each([1_440, 400])('keeps names and numbers inside a request’s hint, %i px wide', async (width) => {
    const context = await dashboard.browser.newContext({ viewport: { width, height: 1_000 } })
    for (const policy of ['cache-aware', 'recorded']) {
      const page = await dashboard.open(context, path(SAMPLE, `policy=${policy}`))
      const chart = page.getByRole('group', { name: /Input of each request/ })
      await chart.locator('[data-series]').first().waitFor({ state: 'attached' })
      await chart.hover()
      const hint = chart.locator('[data-hint]')
      await hint.waitFor()
      expect([policy, await textsOutside(hint)]).toEqual([policy, []])
      await page.close()
    }
    await context.close()
  })

  it('shows names of files as text', async () => {
    const context = await dashboard.browser.newContext({ viewport: { width: 1_440, height: 1_000 } })
    const page = await dashboard.open(context, path(HOSTILE_SESSION, 'policy=cline&window=64k'))
    const chart = page.getByRole('group', { name: /Input of each request/ })
    await chart.locator('[data-mark]').first().waitFor({ state: 'attached' })
    await panelOf(page).getByText('Default prices, because', { exact: false }).waitFor()
    await panelOf(page).getByText('Every rewrite, as a table').click()
    await panelOf(page).getByRole('table').getByRole('button').first().click()
    await panelOf(page)
      .locator('[data-removals]')
      .getByText('<script>window.broken = 1</script>', { exact: false })
      .first()
      .waitFor()
    expect(await page.evaluate('window.broken')).toBeUndefined()
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
    await context.close()
  })

  it('says when there is nothing to replay, and which values of the address are unknown', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, path(SILENT_SESSION, 'policy=best&window=200k'))
    await page.getByText('There is nothing to replay').waitFor()
    await page.getByText('There is no policy “best”', { exact: false }).waitFor()
    await context.close()
  })

  it.each(['light', 'dark'] as const)('is accessible in %s, wide and narrow', async (colorScheme) => {
    for (const width of [1_440, 400, 3_840]) {
      const context = await dashboard.browser.newContext({
        colorScheme,
        viewport: { width, height: 1_000 },
        reducedMotion: 'reduce',
      })
      const page = await dashboard.open(context, path(SAMPLE, 'policy=cache-aware'))
      const panel = panelOf(page)
      await panel.getByText('Every rewrite, as a table').click()
      await panel.getByRole('table').getByRole('button').first().click()
      await panel.getByText(/To get it back: /).waitFor()
      await panel.getByText('Every rewrite, as a table').click()
      await panel.screenshot({ path: join(dashboard.screenshots, `session-replay-${colorScheme}-${width}.png`) })
      for (const fold of await panel.locator('summary').all()) await fold.click()
      expect([width, await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')]).toEqual([
        width,
        false,
      ])
      await page.evaluate(axe)
      const { violations } = await page.evaluate<{
        readonly violations: readonly {
          readonly id: string
          readonly impact: string | null
          readonly nodes: readonly { readonly html: string }[]
        }[]
      }>('axe.run(document, { resultTypes: ["violations"] })')
      const found = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => [id, nodes[0]?.html])
      expect([colorScheme, width, found]).toEqual([colorScheme, width, []])
      await context.close()
    }
  })

  it('reported no errors', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
