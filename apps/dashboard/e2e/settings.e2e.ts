/** The page of settings: what `cairn config --json` prints, with where each comes from; nothing that can be changed. */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { LOOKS, problemsOf } from './accessible.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { fillStore } from './synthetic-usage.ts'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const run = promisify(execFile)
/** Parts of addresses that must not be on a page. */
const PASSWORD = 'hunter2'

interface Printed {
  readonly settings: readonly {
    readonly key: string
    readonly value: unknown
    readonly origin: { readonly from: string }
  }[]
}

describeInBrowser('the page of settings', () => {
  let dashboard: DashboardUnderTest
  let folder: string
  let child: ChildProcess | undefined
  let url: string
  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      await fillStore(store, 200, Date.now())
      await store.sessions.append({ id: 'codex:keys', agent: 'codex', externalId: 'keys' }, 0, [
        {
          entry: { kind: 'message', id: 'k', at: Date.now(), role: 'user', content: [{ type: 'text', text: 'x' }] },
          redactions: 17,
        },
      ])
    })
    folder = join(dashboard.folder, 'shop')
    mkdirSync(join(folder, '.cairn'), { recursive: true })
    writeFileSync(
      join(dashboard.folder, 'config.json'),
      JSON.stringify({
        timezone: 'Asia/Tokyo',
        trustedStores: [`postgresql://ann:${PASSWORD}@db.example/cairn`],
        prices: { 'in-house/coder-32b': { input: 1.25, output: 7 } },
      }),
    )
    writeFileSync(join(folder, '.cairn', 'config.json'), JSON.stringify({ budget: { month: 120.5 } }))
    const started = spawn(
      process.execPath,
      [CLI, 'dashboard', '--no-open', '--no-watch', '--json', '--store', `file:${dashboard.file}`],
      { cwd: folder, env: variables(), stdio: ['ignore', 'pipe', 'inherit'] },
    )
    child = started
    const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string]
    url = (JSON.parse(line) as { readonly url: string }).url
  })
  afterAll(async () => {
    if (child !== undefined) {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
    await dashboard.close()
  })

  const variables = () => ({ ...process.env, NODE_OPTIONS: '', CAIRN_HOME: dashboard.folder, TZ: 'UTC' })
  const printed = async (): Promise<Printed> => {
    const { stdout } = await run(process.execPath, [CLI, 'config', '--json', '--store', `file:${dashboard.file}`], {
      env: variables(),
      cwd: folder,
    })
    return JSON.parse(stdout) as Printed
  }
  const open = async (
    look: { readonly width?: number; readonly colorScheme?: 'light' | 'dark' } = {},
  ): Promise<Page> => {
    const { width = 1_280, colorScheme = 'light' } = look
    const context = await dashboard.browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') dashboard.complaints.push(message.text())
    })
    await page.goto(url)
    await page.goto(new URL('settings', url).href)
    await page.locator('[data-setting="store"]').waitFor()
    return page
  }
  const rowText = (page: Page, key: string): Promise<string[]> =>
    page.locator(`[data-setting="${key}"] td`).allInnerTexts()

  it('has every setting of the command with its value and where it comes from', async () => {
    const { settings } = await printed()
    const page = await open()
    const shown = await page
      .getByRole('table', { name: 'Settings in files' })
      .locator('[data-setting]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-setting')))
    expect(shown).toEqual(settings.map(({ key }) => key))
    for (const { key, value, origin } of settings) {
      const [valueText = '', from = ''] = await rowText(page, key)
      if (typeof value === 'string' || typeof value === 'boolean')
        expect([key, valueText]).toEqual([key, value === '' ? '–' : String(value)])
      if (origin.from === 'default') expect([key, from]).toEqual([key, 'default'])
    }
    expect(await rowText(page, 'timezone')).toEqual([
      'Asia/Tokyo',
      `your file ${join(dashboard.folder, 'config.json')}`,
    ])
    expect(await rowText(page, 'budget.month')).toEqual([
      '120.5',
      `the project’s file ${join(folder, '.cairn', 'config.json')}`,
    ])
    expect(await rowText(page, 'store')).toEqual([`file:${dashboard.file}`, 'an option of the command'])
    expect(await page.locator('body').innerText()).not.toContain(PASSWORD)
    expect(await rowText(page, 'trustedStores')).toEqual([
      'postgresql://ann:***@db.example/cairn',
      expect.stringContaining('your file'),
    ])
    await page.context().close()
  })

  it('reads them again, has own prices in force, and counts what was replaced', async () => {
    const page = await open()
    const price = page.locator('[data-price="in-house/coder-32b"]')
    expect(await price.locator('td').first().innerText()).toBe('$1.25')
    expect(await price.innerText()).toContain('your own')
    expect(await page.locator('[data-price="gpt-5.1-codex"]').innerText()).toContain('the price list')
    const { redactions } = await dashboard.store.statistics()
    expect(redactions).toBeGreaterThanOrEqual(17)
    expect(await page.locator('[data-total="Secrets replaced"]').innerText()).toBe(redactions.toLocaleString('en-US'))
    writeFileSync(join(folder, '.cairn', 'config.json'), JSON.stringify({ budget: { month: 77 } }))
    await page.reload()
    await page.locator('[data-setting="budget.month"]').waitFor()
    expect((await rowText(page, 'budget.month'))[0]).toBe('77')
    writeFileSync(join(folder, '.cairn', 'config.json'), '{"budget":')
    await page.reload()
    await page.locator('[data-settings-problem]').waitFor()
    expect(await page.locator('[data-settings-problem]').innerText()).toContain('config.json')
    writeFileSync(join(folder, '.cairn', 'config.json'), '{}')
    await page.context().close()
  })

  it('can only be read', async () => {
    const page = await open()
    const main = page.getByRole('main')
    expect(await main.locator('input, select, textarea, form').count()).toBe(0)
    for (const button of await main.getByRole('button').all()) expect(await button.innerText()).toBe('Copy')
    await page.context().close()
  })

  it('says so where nobody tells it the settings of files', async () => {
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, 'settings')
    await page.locator('[data-settings-problem]', { hasText: 'was not started by “cairn dashboard”' }).waitFor()
    await page.getByRole('heading', { name: 'Prices in force' }).waitFor()
    await context.close()
  })

  it.each(LOOKS)('has nothing that axe objects to: %s, %i px', async (colorScheme, width) => {
    const page = await open({ colorScheme, width })
    expect(await problemsOf(page)).toEqual([])
    await page.screenshot({ path: join(dashboard.screenshots, `settings-${colorScheme}-${width}.png`), fullPage: true })
    await page.context().close()
  })

  it('reported no errors', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
