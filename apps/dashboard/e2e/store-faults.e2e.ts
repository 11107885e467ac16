/** The store deleted, replaced, damaged, locked or migrated while a page is open: it says so, and goes on by itself. */
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '@cairn/storage-prisma'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { TOKEN } from './server.ts'
import { fillStore } from './synthetic-usage.ts'

const PATIENCE_MS = 15_000
const LATER =
  "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ('x', 'x', 1, '29990101000000_later', 1); ALTER TABLE session ADD COLUMN later INT"

/** Runs SQL in a store's file, past the store. */
const inDatabase = (file: string, sql: string): void => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describeInBrowser('a store with a fault', () => {
  let dashboard: DashboardUnderTest
  beforeAll(async () => {
    dashboard = await startDashboard((store) => fillStore(store, 80, Date.now()))
  })
  afterAll(() => dashboard.close())

  it('that was deleted is reported, is not created again, and is shown when it is back', async () => {
    const context = await dashboard.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${dashboard.server.url}?token=${TOKEN}&period=all`)
    await page.locator('[data-total="Requests"]', { hasText: '80' }).waitFor()
    const away = join(dashboard.folder, 'away.db')
    for (const suffix of ['', '-wal', '-shm']) renameSync(dashboard.file + suffix, away + suffix)
    await page.getByText('it was deleted or moved while it was open').first().waitFor({ timeout: PATIENCE_MS })
    for (const suffix of ['', '-wal', '-shm']) renameSync(away + suffix, dashboard.file + suffix)
    await page.getByText('Live', { exact: true }).waitFor({ timeout: PATIENCE_MS })
    await page.locator('[data-total="Requests"]', { hasText: '80' }).waitFor({ timeout: PATIENCE_MS })
    await context.close()
  })

  it('that another process has locked for writing is still read', async () => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    const other = new DatabaseSync(dashboard.file)
    other.exec('BEGIN EXCLUSIVE')
    const context = await dashboard.browser.newContext()
    const page = await dashboard.open(context, 'sessions?period=all')
    await page.getByText('10 sessions').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    other.exec('ROLLBACK')
    other.close()
    await context.close()
  })

  it('that is damaged is reported, and is shown when it is intact again', async () => {
    const context = await dashboard.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${dashboard.server.url}?token=${TOKEN}&period=all`)
    await page.locator('[data-total="Requests"]', { hasText: '80' }).waitFor()
    const good = join(dashboard.folder, 'good.db')
    for (const suffix of ['', '-wal', '-shm']) renameSync(dashboard.file + suffix, good + suffix)
    writeFileSync(dashboard.file, 'This is a letter, and not a database. '.repeat(200))
    await page.getByText('is damaged').first().waitFor({ timeout: PATIENCE_MS })
    rmSync(dashboard.file)
    for (const suffix of ['', '-wal', '-shm']) renameSync(good + suffix, dashboard.file + suffix)
    await page.getByText('Live', { exact: true }).waitFor({ timeout: PATIENCE_MS })
    await page.locator('[data-total="Requests"]', { hasText: '80' }).waitFor({ timeout: PATIENCE_MS })
    await context.close()
  })

  it('that was replaced by another shows the other', async () => {
    const context = await dashboard.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${dashboard.server.url}?token=${TOKEN}&period=all`)
    await page.locator('[data-total="Requests"]', { hasText: '80' }).waitFor()
    const other = join(dashboard.folder, 'other.db')
    const store = await openStore(`file:${other}`)
    await fillStore(store, 33, Date.now())
    await store.close()
    for (const suffix of ['-wal', '-shm']) rmSync(dashboard.file + suffix, { force: true })
    renameSync(other, dashboard.file)
    await page.locator('[data-total="Requests"]', { hasText: '33' }).waitFor({ timeout: PATIENCE_MS })
    await context.close()
  })
  it.each([
    ['was emptied', 'is damaged', (file: string) => truncateSync(file)],
    [
      'was overwritten',
      'is damaged',
      (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size, 'noise')),
    ],
    ['lost a table', 'it lacks the table usage_fact', (file: string) => inDatabase(file, 'DROP TABLE usage_fact')],
    [
      'was migrated by a newer version',
      'was made by a newer version of Cairn',
      (file: string) => inDatabase(file, LATER),
    ],
  ])(
    'that %s is reported on open and new pages, and is shown when a sound one is back',
    async (_what, sentence, harm) => {
      const context = await dashboard.browser.newContext()
      const page = await context.newPage()
      await page.goto(`${dashboard.server.url}?token=${TOKEN}&period=all`)
      await page.locator('[data-total="Requests"]', { hasText: '33' }).waitFor({ timeout: PATIENCE_MS })
      inDatabase(dashboard.file, 'PRAGMA wal_checkpoint(TRUNCATE)')
      const copy = join(dashboard.folder, 'sound.db')
      copyFileSync(dashboard.file, copy)
      harm(dashboard.file)
      await page.getByText(sentence).first().waitFor({ timeout: PATIENCE_MS })
      await page.reload()
      await page.locator('main').getByText(sentence).first().waitFor({ timeout: PATIENCE_MS })
      expect(await page.locator('[data-total="Requests"]').count()).toBe(0)
      for (const suffix of ['', '-wal', '-shm']) rmSync(dashboard.file + suffix, { force: true })
      renameSync(copy, dashboard.file)
      await page.getByText('Live', { exact: true }).waitFor({ timeout: PATIENCE_MS })
      await page.locator('[data-total="Requests"]', { hasText: '33' }).waitFor({ timeout: PATIENCE_MS })
      await context.close()
    },
  )
})
