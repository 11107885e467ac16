/**
 * Photographs every page over a made-up store, light and dark: `node e2e/screenshots.ts [folder] [widths]`, after a build.
 * Without a folder they go to docs/images of the repository.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '@cairn/storage-prisma'
import { chromium } from 'playwright-core'
import { addCheckpoints } from './checkpoint-records.ts'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { FILES_SESSION, addFilesSession } from './files-session.ts'
import { addHealth } from './health-samples.ts'
import { addKnowledge } from './knowledge.ts'
import { LONG_SESSION, addLongSession } from './sample-session.ts'
import { TOKEN, startServer } from './server.ts'
import { fillStore } from './synthetic-usage.ts'

const PAGES = [
  { name: 'overview', path: '?period=90d&zone=UTC' },
  { name: 'sessions', path: 'sessions?period=90d&zone=UTC' },
  { name: 'session', path: `sessions/${encodeURIComponent(LONG_SESSION)}?zone=UTC` },
  { name: 'session-requests', path: `sessions/${encodeURIComponent(LONG_SESSION)}?zone=UTC&view=requests` },
  { name: 'session-files', path: `sessions/${encodeURIComponent(FILES_SESSION)}?zone=UTC&view=files` },
  {
    name: 'session-replay',
    path: `sessions/${encodeURIComponent(LONG_SESSION)}?zone=UTC&policy=cache-aware&window=64k`,
  },
  { name: 'session-checkpoints', path: `sessions/${encodeURIComponent(FILES_SESSION)}?zone=UTC&view=checkpoints` },
  { name: 'checkpoints', path: 'checkpoints?zone=UTC' },
  { name: 'memory', path: 'memory?zone=UTC' },
  { name: 'health', path: 'health?zone=UTC' },
  { name: 'models', path: 'models?period=90d&zone=UTC' },
  { name: 'projects', path: 'projects?period=90d&zone=UTC' },
] as const

const [folder = fileURLToPath(new URL('../../../docs/images', import.meta.url)), widths = '1440'] =
  process.argv.slice(2)
const executablePath = findChromium()
if (executablePath === undefined)
  throw new Error('Screenshots need Chromium: install it, or name it in CAIRN_CHROMIUM.')
mkdirSync(folder, { recursive: true })

const work = mkdtempSync(join(tmpdir(), 'cairn-screenshots-'))
const address = `file:${join(work, 'store.db')}`
// Always the same day, so that two runs differ in what was changed and in nothing else but the dates.
const now = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 15 * 3_600_000
const store = await openStore(address)
await fillStore(store, 9_000, now)
await addLongSession(store, 900, now)
await addFilesSession(store, 132, now)
await addCheckpoints(store, now)
await addHealth(store, now)
await addKnowledge(store)
await store.close()

const server = await startServer(address)
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of widths.split(',').map(Number)) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 1_000 } })
      const page = await context.newPage()
      await page.goto(`${server.url}?token=${TOKEN}`)
      for (const { name, path } of PAGES) {
        await page.goto(`${server.url}${path}`)
        await page
          .getByRole('table')
          .or(page.getByRole('article'))
          .or(page.getByRole('list', { name: 'Entries' }))
          .first()
          .waitFor()
        await page.waitForLoadState('networkidle')
        await page.screenshot({
          path: join(folder, `dashboard-${name}-${colorScheme}${width === 1_440 ? '' : `-${width}`}.png`),
        })
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(work, { recursive: true, force: true })
}
