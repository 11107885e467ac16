/**
 * What changed between checkpoints, on their page and on a session's, equals what `cairn checkpoint diff --json` prints,
 * for changes at random. The seed is printed; `CAIRN_FIGURES_SEED` gives the same again.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { isTooWide, violationsOf } from './accessible.ts'
import { startCairn } from './cairn-process.ts'
import type { CairnProcess } from './cairn-process.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { TOKEN, startServer } from './server.ts'
import { random } from './synthetic-usage.ts'

const SEED = Number(process.env['CAIRN_FIGURES_SEED'] ?? Date.now() % 1_000_000)
const ROUNDS = 6
/** What the page lists of one comparison, and shows of one file. */
const LISTED = 200
const SHOWN_LINES = 300
const ODD = 'src/<img src=x onerror=alert(1)>\u202egnp.ts'

interface PrintedDifference {
  readonly path: string
  readonly change: 'added' | 'modified' | 'removed' | 'mode'
  readonly patch: readonly string[] | null
}

const WORDS = { added: 'added', modified: 'modified', removed: 'removed', mode: 'with other permissions' } as const
const visible = (text: string): string => text.replaceAll('\u202e', '⟨U+202E⟩')

/** The sentence of the command about all files. */
const countsOf = (files: readonly PrintedDifference[]): string =>
  Object.entries(WORDS)
    .flatMap(([change, words]) => {
      const count = files.filter((each) => each.change === change).length
      return count === 0 ? [] : [`${count} ${words}`]
    })
    .join(', ') || 'no file differs'

/** The open details of a checkpoint: what the page shows of the changes. */
const SHOWN = `(() => {
  const section = document.querySelector('section[aria-label="What changed"]')
  return {
    total: section.querySelector('[data-total]')?.textContent ?? '',
    files: [...section.querySelectorAll('[data-file]')].map((item) => item.dataset.file + ' ' + item.querySelector('[data-path]').textContent),
    text: section.innerText,
  }
})()`

interface Shown {
  readonly total: string
  readonly files: readonly string[]
  readonly text: string
}

describeInBrowser('what changed between checkpoints', () => {
  let dashboard: DashboardUnderTest
  let base: string
  let root: string
  let command: CairnProcess
  let page: Page
  /** Newest last. */
  const ids: string[] = []
  const next = random(SEED)
  const below = (limit: number): number => Math.floor(next() * limit)

  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const linesOf = (count: number): string => Array.from({ length: count }, () => `line ${below(40)}\n`).join('')
  const checkpoint = async (label: string): Promise<void> => {
    const words = ['checkpoint', 'create', '--workspace', root, '--label', label]
    ids.push(((await command.json(...words)) as { readonly id: string }).id)
  }
  const diff = async (...named: readonly string[]): Promise<readonly PrintedDifference[]> => {
    const printed = await command.json('checkpoint', 'diff', ...named, '--workspace', root)
    return (printed as { readonly files: readonly PrintedDifference[] }).files
  }
  const shortOf = (id: string): string => id.slice(-8).toLowerCase()
  const openRow = async (id: string): Promise<void> => {
    await page.goto(`${dashboard.server.url}checkpoints?zone=UTC&project=${encodeURIComponent(root)}`)
    await page.getByRole('button', { name: `More: changes, commands and what was left out of ${shortOf(id)}` }).click()
    await page.getByRole('region', { name: 'What changed' }).waitFor()
  }
  const shown = (): Promise<Shown> => page.evaluate(SHOWN)
  /** Waits until these two are compared. */
  const isCompared = async (from: string, to: string): Promise<void> => {
    await page.getByText(`cairn checkpoint diff ${shortOf(from)} ${shortOf(to)}`).waitFor()
  }

  beforeAll(async () => {
    console.info(`changes between checkpoints: seed ${SEED}`)
    base = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-changes-')))
    root = join(base, "it's here")
    mkdirSync(root)
    mkdirSync(join(base, 'home'))
    dashboard = await startDashboard(async () => undefined, {
      isWritable: true,
      variables: { CAIRN_HOME: join(base, 'home') },
    })
    command = await startCairn(dashboard.file, 'UTC', join(base, 'home'))
    for (let file = 0; file < 12; file += 1) write(`src/file-${file}.ts`, linesOf(1 + below(60)))
    write('.gitignore', 'dist/\n')
    write('dist/out.js', '1')
    write('logo.png', Buffer.from([1, 0, 2]))
    write('run.sh', 'exit 0\n')
    await checkpoint('the <b>first</b>')
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (let change = 0; change < 5; change += 1) {
        const path = `src/file-${below(16)}.ts`
        if (below(4) === 0) rmSync(join(root, path), { force: true })
        else write(path, linesOf(below(30 * round)))
      }
      if (round === 2) {
        write('logo.png', Buffer.from([1, 0, 3]))
        write(ODD, '<script>alert(1)</script>\n\u202e\u001b[31m\n')
        write('.gitignore', '')
        chmodSync(join(root, 'run.sh'), 0o755)
      }
      if (round === 4) write('src/long.ts', linesOf(5_000))
      if (round === 5) for (let file = 0; file < LISTED + 40; file += 1) write(`many/${1_000 + file}.txt`, `${file}\n`)
      await checkpoint(`round ${round}`)
    }
    const context = await dashboard.browser.newContext({ viewport: { width: 1_280, height: 1_000 } })
    page = await dashboard.open(context, 'checkpoints')
  })
  afterAll(async () => {
    command.stop()
    await dashboard.close()
    rmSync(base, { recursive: true, force: true })
  })

  it('is what the command prints, since the one before and between any two', async () => {
    const pairs: (readonly [number, number])[] = ids.flatMap((_, index) => (index === 0 ? [] : [[index - 1, index]]))
    for (let extra = 0; extra < 3; extra += 1) {
      const [one, two] = [below(ids.length), below(ids.length)]
      if (one !== two) pairs.push([one, two])
    }
    for (const [other, opened] of pairs) {
      const [from = '', to = ''] = [ids[Math.min(other, opened)], ids[Math.max(other, opened)]]
      await openRow(ids[opened] ?? '')
      if (other !== opened - 1) await page.getByLabel('Compared with').selectOption(ids[other] ?? '')
      await isCompared(from, to)
      const files = await diff(from, to)
      const { total, files: listed, text } = await shown()
      expect([from, to, total]).toEqual([from, to, countsOf(files)])
      expect(listed).toEqual(files.slice(0, LISTED).map(({ change, path }) => `${change} ${visible(path)}`))
      expect(text.includes('more files not listed; the command below prints all.')).toBe(files.length > LISTED)
      expect(text).toContain(`(${shortOf(from)}) to`)
    }
    await openRow(ids[0] ?? '')
    await page.getByText('It is the oldest one of its folder that is kept').waitFor()
  })

  it('has the lines of each file that is opened, as text', async () => {
    let met = 0
    for (const index of [2, 4]) {
      const [from = '', to = ''] = [ids[index - 1], ids[index]]
      await openRow(to)
      await isCompared(from, to)
      for (const { path, change, patch } of await diff(from, to)) {
        const item = page.locator('[data-file]', { has: page.getByText(visible(path), { exact: true }) })
        await item.getByRole('button').click()
        const region = item.getByRole('region')
        if (patch === null || patch.length === 0) {
          await region.getByText(/^(?:No text, or too long|The file is empty|Only the permissions)/).waitFor()
          continue
        }
        met += 1
        const count = (sign: string): string =>
          patch.filter((line) => line.startsWith(sign)).length.toLocaleString('en-US')
        expect(await region.locator('[data-lines]').innerText()).toBe(
          `Lines added: ${count('+')}, removed: ${count('-')}`,
        )
        const lines = await region.locator('bdi').allTextContents()
        const expected = patch.slice(0, SHOWN_LINES).map((line) => (line.startsWith('@@') ? line : line.slice(1)))
        expect([path, change, lines]).toEqual([
          path,
          change,
          expected.map((line) => visible(line).replaceAll('\u001b', '␛')),
        ])
        const left = patch.length - SHOWN_LINES
        if (left > 0) await region.getByText(`${left.toLocaleString('en-US')} more lines are not shown`).waitFor()
      }
      const { text } = await shown()
      if (index === 2) {
        expect(text).toContain('The earlier checkpoint left it out (ignored by git’s rules)')
        expect(text).toContain('Not compared: what the two left out (1 and 0 files or folders).')
      }
    }
    expect(met).toBeGreaterThan(2)
    expect(dashboard.complaints).toEqual([])
  })

  it('is accessible when it is open, in light and dark, wide and narrow', async () => {
    const [from = '', to = ''] = [ids[1], ids[2]]
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1_280, 400]) {
        const context = await dashboard.browser.newContext({
          colorScheme,
          viewport: { width, height: 1_000 },
          reducedMotion: 'reduce',
        })
        const before = page
        page = await dashboard.open(context, 'checkpoints')
        await openRow(to)
        await isCompared(from, to)
        const buttons = await page.locator('[data-file] > button').all()
        for (const button of buttons) await button.click()
        await page.waitForLoadState('networkidle')
        expect([width, await isTooWide(page)]).toEqual([width, false])
        expect([colorScheme, width, await violationsOf(page)]).toEqual([colorScheme, width, []])
        await page.screenshot({ path: join(dashboard.screenshots, `checkpoint-changes-${colorScheme}-${width}.png`) })
        await context.close()
        page = before
      }
  })

  it('is only read, of ids and paths that can not lead elsewhere', async () => {
    const call = async (procedure: string, input: Readonly<Record<string, string>>) => {
      const query = encodeURIComponent(JSON.stringify(input))
      const response = await page.request.get(`${dashboard.server.url}api/trpc/${procedure}?input=${query}`)
      return { status: response.status(), body: await response.text() }
    }
    const kept = () => readdirSync(join(base, 'home'), { recursive: true, encoding: 'utf8' }).toSorted()
    const before = kept()
    const id = ids[2] ?? ''
    expect((await call('checkpoints.changes', { id })).status).toBe(200)
    for (const wrong of ['../../etc', 'a b', '', 'x'.repeat(65)])
      expect([wrong, (await call('checkpoints.changes', { id: wrong })).status]).toEqual([wrong, 400])
    expect((await call('checkpoints.changes', { id: 'NOBODY' })).status).toBe(404)
    for (const path of ['../home/config.json', '/etc/passwd', '.git/config']) {
      const { status, body } = await call('checkpoints.patch', { id, path })
      expect([path, status]).toEqual([path, 200])
      expect(body).toContain('does not differ between these checkpoints')
    }
    expect(kept()).toEqual(before)
  })

  it('is one sentence where a dashboard can only be read, or the folder is gone', async () => {
    const id = ids.at(-1) ?? ''
    const reading = await startServer(`file:${dashboard.file}`, '127.0.0.1', {
      variables: { CAIRN_HOME: join(base, 'home') },
    })
    try {
      await page.goto(`${reading.url}checkpoints?token=${TOKEN}`)
      await page
        .getByRole('button', { name: /^More: changes/ })
        .first()
        .click()
      await page.getByText('so it shows no files of this machine').waitFor()
      expect(await page.getByLabel('Compared with').count()).toBe(0)
    } finally {
      await reading.stop()
    }
    renameSync(root, join(base, 'elsewhere'))
    try {
      await page.goto(`${dashboard.server.url}checkpoints?token=${TOKEN}`)
      await openRow(id)
      await page.getByText(`Nothing can be compared: there is no folder ${root} on this machine.`).waitFor()
    } finally {
      renameSync(join(base, 'elsewhere'), root)
    }
  })
})
