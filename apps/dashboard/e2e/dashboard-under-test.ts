/** What the tests in the browser share: the browser, the built dashboard over a filled store, and what its pages complain about. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { TOKEN, startServer } from './server.ts'
import type { RunningServer, ServerOptions } from './server.ts'

const executablePath = findChromium()
const isMissing = executablePath === undefined
const needsChromium = 'The dashboard’s tests in the browser need Chromium: install it, or name it in CAIRN_CHROMIUM.'

/** `describe`, or a skip where there is no browser; in CI that is a failure. */
export const describeInBrowser = (name: string, tests: () => void): void => {
  if (isMissing) console.error(needsChromium)
  if (isMissing && process.env['CI'] === 'true') {
    // Elsewhere they are an offer; here they were meant to run.
    it('finds Chromium', () => {
      throw new Error(needsChromium)
    })
  }
  ;(isMissing ? describe.skip : describe)(name, tests)
}

export interface DashboardUnderTest {
  readonly folder: string
  /** Path of the store's file. */
  readonly file: string
  readonly screenshots: string
  readonly store: Store
  readonly server: RunningServer
  readonly browser: Browser
  /** Refused scripts and styles, exceptions, failed requests. */
  readonly complaints: string[]
  /** A page of the dashboard; `path` without a slash at its beginning. */
  open(context: BrowserContext, path?: string): Promise<Page>
  close(): Promise<void>
}

/**
 * A dashboard over a new store in a temporary folder, and a browser; `close` ends and removes all of it. What pages
 * complain about is in `complaints`. The user's settings lie in the same folder, `config.json`; there are none at first.
 * @param fill what the store holds before the server starts
 */
export const startDashboard = async (
  fill: (store: Store) => Promise<void>,
  options: ServerOptions = {},
): Promise<DashboardUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-dashboard-'))
  const screenshots = process.env['CAIRN_SCREENSHOTS'] ?? join(folder, 'screenshots')
  mkdirSync(screenshots, { recursive: true })
  const file = join(folder, 'store.db')
  const store = await openStore(`file:${file}`)
  await fill(store)
  const server = await startServer(`file:${file}`, '127.0.0.1', {
    ...options,
    variables: { CAIRN_HOME: folder, ...options.variables },
  })
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: CHROMIUM_FLAGS,
  })
  const complaints: string[] = []
  return {
    folder,
    file,
    screenshots,
    store,
    server,
    browser,
    complaints,
    open: async (context, path = '') => {
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return
        complaints.push(`${message.text()} ${message.location().url}`)
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`${server.url}${path}${path.includes('?') ? '&' : '?'}token=${TOKEN}`)
      return page
    },
    close: async () => {
      await browser.close()
      await server.stop()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
