// Chromium, and what a user does in the workbench with it.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Path of a Chromium on this machine: of `CAIRN_CHROMIUM` or `CHROMIUM`, which is not looked at, else Playwright's,
 * else one on the PATH; undefined when there is none.
 */
export const findChromium = () => {
  const named = process.env.CAIRN_CHROMIUM || process.env.CHROMIUM
  if (named) return named
  const own = chromium.executablePath()
  if (existsSync(own)) return own
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}

/** Starts a Chromium that talks to nobody else; rejects where it can't be. `close` it at the end. */
export const launch = (executablePath) =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** How long to wait, ms: far longer than anything takes, even on a busy machine with two cores. */
const LIMIT_MS = 45_000
/** The workbench itself is megabytes of script. */
const START_LIMIT_MS = 120_000

const SIDE_BAR = '.sidebar .monaco-list-row'

/** One window of the editor on a folder, once the extension stands in it; rejects after `START_LIMIT_MS`. */
export const openWindow = async (browser, url, folder, { colorScheme = 'light' } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme })
  const page = await context.newPage()
  page.setDefaultTimeout(LIMIT_MS)
  const load = async () => {
    await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`, {
      waitUntil: 'domcontentloaded',
      timeout: START_LIMIT_MS,
    })
    await page.waitForSelector('.monaco-workbench', { timeout: START_LIMIT_MS })
    await page.waitForSelector('.activitybar .action-label[aria-label^="Cairn"]', { timeout: START_LIMIT_MS })
  }
  await load()

  const status = page.locator('.statusbar-item[id*="cairn.usage"]')
  return {
    page,
    status,
    close: () => context.close(),
    reload: load,
    openSideBar: async () => {
      if ((await page.locator('.sidebar .title-label:has-text("Cairn")').count()) === 0)
        await page.click('.activitybar .action-label[aria-label^="Cairn"]')
      await page.waitForSelector('.sidebar .pane-header:has-text("Sessions"), .sidebar .title-label:has-text("Cairn")')
    },
    widenSideBar: async (width) => {
      const box = await page.locator('.sidebar').boundingBox()
      const [from, y] = [box.x + box.width, box.y + box.height / 2]
      await page.mouse.move(from, y)
      await page.mouse.down()
      await page.mouse.move(box.x + width, y, { steps: 5 })
      await page.mouse.up()
    },
    rows: () => page.locator(SIDE_BAR).allInnerTexts(),
    row: (text) => page.locator(SIDE_BAR, { hasText: text }).first(),
    runCommand: async (name) => {
      // A list that is still closing would take the key.
      await page.locator('.quick-input-widget').first().waitFor({ state: 'hidden' })
      await page.keyboard.press('F1')
      // The editor puts the first mark itself, sooner or later.
      await page.locator('.quick-input-box input').first().fill(`>${name}`)
      // Enter would run whatever stands first while the list is still being filtered.
      await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click()
    },
    /** Chooses from a row's context menu. The menu takes no click for a moment after it has opened: clicks until it closes. */
    chooseFor: async (row, name) => {
      await row.click({ button: 'right' })
      const chosen = page.locator('.monaco-menu .action-label', { hasText: name })
      await chosen.waitFor()
      for (let clicks = 0; clicks < 20 && (await chosen.isVisible()); clicks++) {
        await chosen.click({ timeout: 5_000 }).catch(() => undefined)
        await chosen.waitFor({ state: 'hidden', timeout: 2_000 }).catch(() => undefined)
      }
    },
    /** The lines that the editor shows, with plain spaces. */
    editorText: async () => {
      const lines = await page.locator('.editor-instance .view-line').evaluateAll((found) =>
        found
          .map((line) => [Number.parseFloat(line.style.top), line.textContent])
          .toSorted(([a], [b]) => a - b)
          .map(([, text]) => text),
      )
      return lines.join('\n').replaceAll('\u00a0', ' ')
    },
    waitForEditor: (text) => page.locator('.editor-instance .view-line', { hasText: text }).first().waitFor(),
  }
}
