/** The page of files over all sessions: what `cairn files --json` prints, for every order; and the way to the last edit. */
import type { Page } from 'playwright-core'
import { cairnJson } from './cairn.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { FILES_SESSION, addFilesSession } from './files-session.ts'

interface Printed {
  readonly files: readonly {
    readonly path: string
    readonly workspace: string | null
    readonly edits: number
    readonly reads: number
    readonly sessions: number
    readonly lastEdit: { readonly sessionId: string; readonly seq: number } | null
  }[]
  readonly total: number
}

const PAGE_ROWS = 50
const ORDERS = [
  ['', []],
  ['&order=ascending', ['--reverse']],
  ['&sort=reads', ['--sort', 'reads']],
  ['&sort=sessions&order=ascending', ['--sort', 'sessions', '--reverse']],
  ['&sort=last', ['--sort', 'last']],
  ['&sort=path', ['--sort', 'path']],
  ['&sort=path&order=descending', ['--sort', 'path', '--reverse']],
  ['&q=deep billing', ['deep', 'billing']],
  ['&agent=pi', ['--agent', 'pi']],
  ['&branch=main', ['--branch', 'main']],
] as const

describeInBrowser('the page of files', () => {
  let dashboard: DashboardUnderTest
  let page: Page

  beforeAll(async () => {
    dashboard = await startDashboard(async (store) => {
      const now = Date.now()
      await addFilesSession(store, 150, now - 3_600_000)
      const calls = Array.from({ length: 7 }, (_, index) => ({
        entry: {
          kind: 'message' as const,
          id: `pi-${index}`,
          at: now - index * 1_000,
          role: 'assistant' as const,
          content: [
            {
              type: 'tool_call' as const,
              id: `c${index}`,
              name: index % 3 === 0 ? 'edit' : 'read',
              input: { path: `/home/ann/code/checkout/packages/search/src/module-${index % 2 === 0 ? 1 : 40}.ts` },
            },
          ],
        },
      }))
      const facts = { id: 'pi:other', agent: 'pi', externalId: 'other', workspace: '/home/ann/code/checkout' }
      await store.sessions.append(facts, 0, calls)
    })
    const context = await dashboard.browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })
    page = await dashboard.open(context, 'files?period=all')
    await page.locator('[data-table=files]').waitFor()
  })
  afterAll(async () => {
    await dashboard.close()
  })

  const printed = async (words: readonly string[]): Promise<Printed> =>
    (await cairnJson(dashboard.file, ['files', ...words, '--limit', '1000'])) as Printed

  /** Rows of the page as `path: edits, reads, sessions`. */
  const shownRows = (): Promise<readonly string[]> =>
    page.locator('[data-table=files] tbody tr').evaluateAll((rows) =>
      rows.map((row) => {
        const [, path = ''] = JSON.parse(row.getAttribute('data-key') ?? '[]') as readonly string[]
        const figures = ['edits', 'reads', 'sessions'].map(
          (name) => row.querySelector(`[data-measure=${name}]`)?.textContent.trim() ?? '',
        )
        return `${path}: ${figures.join(', ')}`
      }),
    )

  const visit = async (query: string): Promise<void> => {
    await page.goto(`${dashboard.server.url}files?period=all${query}`)
    await page.locator('[data-table=files]').waitFor()
  }

  it.each(ORDERS)('with %s shows what the command prints with %p, page by page', async (query, words) => {
    const { files, total } = await printed(words)
    expect(files).toHaveLength(total)
    expect(total).toBeGreaterThan(0)
    const lines = files.map(({ path, edits, reads, sessions }) => `${path}: ${edits}, ${reads}, ${sessions}`)
    await visit(query)
    expect(await page.locator('[data-total=Rows]').textContent()).toBe(`${total} ${total === 1 ? 'file' : 'files'}`)
    expect(await shownRows()).toEqual(lines.slice(0, PAGE_ROWS))
    const last = Math.ceil(total / PAGE_ROWS)
    if (last === 1) return
    await visit(`${query}&page=${last}`)
    expect(await shownRows()).toEqual(lines.slice((last - 1) * PAGE_ROWS))
  })

  it('leads to the last edit of a file in its session', async () => {
    const [first] = (await printed(['module-1.ts'])).files
    expect(first?.lastEdit).not.toBeNull()
    await visit('&q=module-1.ts')
    await page.getByRole('link', { name: `Last edit of ${first?.path ?? ''}: ` }).click()
    await page.waitForURL(/\/sessions\//)
    const { sessionId, seq } = first?.lastEdit ?? { sessionId: FILES_SESSION, seq: -1 }
    expect(decodeURIComponent(page.url())).toContain(`/sessions/${sessionId}?at=${seq}`)
    await page.locator(`[data-index="${seq}"]`).waitFor()
  })

  it('shows hostile paths as text, and says where nothing is found', async () => {
    await visit('&q=onerror')
    await page.getByText('onerror=alert(1)').waitFor()
    await page.goto(`${dashboard.server.url}files?period=all&q=nowhere-to-be-found`)
    await page.getByRole('heading', { name: 'No file matches' }).waitFor()
    await page.getByRole('button', { name: 'Show all files' }).click()
    await page.locator('[data-table=files]').waitFor()
  })

  it('names the filters that leave nothing, and takes them off', async () => {
    const nowhere = `project=${encodeURIComponent('/srv/elsewhere/no-such')}`
    await page.goto(`${dashboard.server.url}files?period=all&${nowhere}`)
    await page.getByRole('heading', { name: 'Nothing for project /srv/elsewhere/no-such' }).waitFor()
    // All time is shown already.
    expect(await page.getByRole('button', { name: 'Show all time' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show all projects' }).click()
    await page.locator('[data-table=files]').waitFor()
    expect(new URL(page.url()).search).toBe('?period=all')
    await page.goto(`${dashboard.server.url}files?period=last-month&agent=aider&${nowhere}`)
    await page.getByRole('heading', { name: 'Nothing for project /srv/elsewhere/no-such and agent aider' }).waitFor()
    await page.getByRole('button', { name: 'Show all time' }).click()
    await page.waitForURL(/period=all/)
    await page.getByRole('status').getByRole('button', { name: 'Clear filters' }).click()
    await page.locator('[data-table=files]').waitFor()
    // Other pages say the same.
    for (const path of ['', 'sessions', 'models', 'insights', 'checkpoints', 'memory']) {
      await page.goto(`${dashboard.server.url}${path}?period=all&${nowhere}`)
      await page.getByRole('heading', { name: 'Nothing for project /srv/elsewhere/no-such' }).waitFor()
      await page.getByRole('button', { name: 'Show all projects' }).click()
      await page.waitForURL((url) => !url.search.includes('project'))
    }
    expect(dashboard.complaints).toEqual([])
  })
})
