/** The page and the command line sum the same requests: random filters, in three zones, compared in the browser. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { formatUsd, nanoFromUsd } from '@cairn/core'
import { FILTERS, writeSelection } from '../src/features/selection/selection.ts'
import type { Filter, FilterName } from '../src/features/selection/selection.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { AGENTS, BRANCHES, MODEL_NAMES, PROJECTS, fillStore, random } from './synthetic-usage.ts'

const DAY_MS = 86_400_000
const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const VALUES: Readonly<Record<FilterName, readonly string[]>> = {
  project: PROJECTS,
  model: MODEL_NAMES,
  agent: AGENTS,
  branch: BRANCHES,
}
const FLAGS: Readonly<Record<FilterName, string>> = {
  project: '--workspace',
  model: '--model',
  agent: '--agent',
  branch: '--branch',
}

interface UsageTotal {
  readonly requests: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  readonly outputTokens: number
  readonly costUsd: number
  readonly unpricedRequests: number
}

const run = promisify(execFile)

describeInBrowser('the page and the command line', () => {
  let dashboard: DashboardUnderTest
  beforeAll(async () => {
    dashboard = await startDashboard((store) => fillStore(store, 1_500, Date.now()))
  })
  afterAll(() => dashboard.close())

  const usage = async (from: string, to: string, timeZone: string, filter: Filter): Promise<UsageTotal> => {
    // A project by its name: the command line would look for a path of another system in the folder that it runs in.
    const filters = FILTERS.flatMap((name) =>
      filter[name] === undefined
        ? []
        : [FLAGS[name], name === 'project' ? (filter[name].split(/[\\/]/).at(-1) ?? '') : filter[name]],
    )
    const { stdout } = await run(
      process.execPath,
      [
        CLI,
        'usage',
        '--json',
        '--store',
        `file:${dashboard.file}`,
        '--since',
        from,
        '--until',
        to,
        '--timezone',
        timeZone,
        ...filters,
      ],
      {
        cwd: '/',
        env: { ...process.env, NODE_OPTIONS: '' },
      },
    )
    return (JSON.parse(stdout) as { readonly total: UsageTotal }).total
  }

  it.each(['UTC', 'America/St_Johns', 'Pacific/Kiritimati'])(
    'agree for five random filters in %s',
    async (timeZone) => {
      const next = random(timeZone.length)
      const dayAgo = (most: number): string =>
        new Date(Date.now() - Math.floor(next() * most) * DAY_MS).toISOString().slice(0, 10)
      const context = await dashboard.browser.newContext()
      let requests = 0
      for (let round = 0; round < 5; round += 1) {
        const [from = '', to = ''] = [dayAgo(80), dayAgo(80)].sort()
        const filter: Partial<Record<FilterName, string>> = {}
        for (const name of FILTERS) {
          const value = VALUES[name][Math.floor(next() * VALUES[name].length)]
          if (value !== undefined && next() < 0.4) filter[name] = value
        }
        const total = await usage(from, to, timeZone, filter)
        requests += total.requests
        const page = await dashboard.open(context, writeSelection({ period: '30d', from, to, zone: timeZone, filter }))
        const what = JSON.stringify({ from, to, filter })
        if (total.requests === 0) {
          await page
            .getByRole('heading', { name: /^Nothing for / })
            .or(page.getByRole('heading', { name: 'Nothing in this period' }))
            .waitFor()
        } else {
          await page.getByRole('heading', { name: 'By model' }).waitFor()
          const cost = total.unpricedRequests === total.requests ? 'unpriced' : formatUsd(nanoFromUsd(total.costUsd))
          expect([what, await page.locator('[data-total="Requests"]').innerText()]).toEqual([
            what,
            total.requests.toLocaleString('en-US'),
          ])
          expect([
            what,
            await page
              .locator('[data-total="Cost"]')
              .evaluate((element) => (element.querySelector('[tabindex]') ?? element).firstChild?.textContent),
          ]).toEqual([what, cost])
          const input = total.inputTokens + total.cacheReadTokens + total.cacheWrite5mTokens + total.cacheWrite1hTokens
          await page.locator('[data-total="Tokens"]').hover()
          await page.locator('[data-total="Tokens"] span').first().hover()
          await page
            .locator('[popover]', {
              hasText: `${input.toLocaleString('en-US')} in and ${total.outputTokens.toLocaleString('en-US')} out`,
            })
            .waitFor()
        }
        await page.close()
      }
      expect(requests).toBeGreaterThan(0)
      await context.close()
    },
  )
})
