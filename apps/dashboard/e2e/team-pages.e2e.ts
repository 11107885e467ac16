/** A team's dashboard in the browser: each role sees the pages that it may open, and nothing is asked for in vain. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { describeInBrowser } from './dashboard-under-test.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'
import { HOST } from './team-attempts.ts'
import { makeTeamFolder } from './team-folder.ts'
import { SESSIONS } from './team-store.ts'

const FIGURES = ['Overview', 'Sessions', 'Models', 'Projects', 'Branches', 'Agents']
const EXPECTED = {
  viewer: { links: FIGURES, pages: ['', 'sessions', 'models', 'agents'] },
  lead: { links: [FIGURES[0], 'Insights', ...FIGURES.slice(1)], pages: ['', 'sessions', 'insights'] },
} as const

describeInBrowser('the pages of a team’s dashboard', () => {
  const executablePath = findChromium()
  let folder: string
  let server: RunningServer
  let browser: Browser
  const tokens = { viewer: '', lead: '' }

  beforeAll(async () => {
    const team = await makeTeamFolder({ roles: { viewer: ['staff'], lead: ['leads'] } })
    folder = team.folder
    const { issuer } = team
    tokens.viewer = await issuer.token({ claims: { sub: 'ada', email: 'ada@example.com', groups: ['staff'] } })
    tokens.lead = await issuer.token({ claims: { sub: 'lea', email: 'lea@example.com', groups: ['leads'] } })
    server = await startServer(team.store, '127.0.0.1', {
      token: '',
      variables: team.variables,
    })
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      // As the proxy would be reached by the dashboard's name.
      args: [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${HOST} ${new URL(server.url).host}`],
    })
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const refusals = (): string => {
    const file = join(folder, 'team-audit.jsonl')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  const openAs = async (role: keyof typeof tokens): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1_920, height: 900 },
      timezoneId: 'UTC',
      extraHTTPHeaders: { authorization: `Bearer ${tokens[role]}`, 'x-forwarded-for': '192.0.2.7' },
    })
    return context.newPage()
  }

  it.each(['viewer', 'lead'] as const)(
    'a %s: only pages that it may open, and no part of them is refused',
    async (role) => {
      const { links, pages } = EXPECTED[role]
      const page = await openAs(role)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
      })
      for (const path of [...pages, `sessions/${encodeURIComponent(SESSIONS.ada)}`]) {
        await page.goto(`http://${HOST}/${path}`, { waitUntil: 'networkidle' })
        expect([path, await page.locator('nav[aria-label="Pages"] > ul > li > a').allInnerTexts()]).toEqual([
          path,
          links,
        ])
        expect(await page.getByRole('button', { name: 'Search', exact: true }).count()).toBe(0)
      }
      expect(refused).toEqual([])
      expect(refusals()).toBe('')
      await page.context().close()
    },
  )
})
