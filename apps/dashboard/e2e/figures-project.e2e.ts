/**
 * The figures of the pages of checkpoints, of a session's files and of health equal what `cairn … --json` prints, for
 * folders, sessions, states, orders and pages at random. The seed is printed; `CAIRN_FIGURES_SEED` gives the same again.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { startCairn } from './cairn-process.ts'
import type { CairnProcess } from './cairn-process.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import type { Ask } from './figures-overview.ts'
import { createVisits, shownPage } from './figures-page.ts'
import type { ShownPage } from './figures-page.ts'
import { checkpointFigures, checkpointsOf, expectedFiles, fileFigures, healthFigures } from './figures-project.ts'
import type { FileChoice, PrintedDoctor, PrintedFiles } from './figures-project.ts'
import { ZONES, fillFigures } from './figures-store.ts'
import type { MadeStore } from './figures-store.ts'
import { FILES_SESSION, addFilesSession } from './files-session.ts'
import { addHealth } from './health-samples.ts'
import { random } from './synthetic-usage.ts'

const SEED = Number(process.env['CAIRN_FIGURES_SEED'] ?? Date.now() % 1_000_000)
const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
/** Of one folder: more than a page has. */
const MANY = 53
const PAGE_ROWS = 50
const SESSIONS = 6
const STATES: readonly FileChoice[] = ['all', 'active', 'stale', 'removed', 'failed']
const SORTS = ['path', 'state', 'usedAt', 'reads', 'readTokens', 'rereadTokens']

describeInBrowser('the figures of what happens in projects', () => {
  let dashboard: DashboardUnderTest
  let code: string
  let command: CairnProcess
  let made: MadeStore
  let page: Page
  let visit: (url: string) => Promise<void>
  /** Folders that have checkpoints, the one with the most first. */
  let roots: readonly string[]
  const leftOut = new Map<string, number>()
  const next = random(SEED)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T

  const ask: Ask = (...words) => command.json(...words)

  /** Makes a checkpoint of a folder in which something changed. */
  const checkpoint = async (root: string, number: number, words: readonly string[] = []): Promise<void> => {
    const lines = 1 + Math.floor(10 ** (4 * next()))
    writeFileSync(join(root, `file-${number}.txt`), 'one line more\n'.repeat(lines))
    if (number % 3 === 0) writeFileSync(join(root, `secret-${number}.pem`), 'x')
    const label = number % 4 === 1 ? [] : ['--label', `Step ${number} <b>of</b> ${root.slice(-4)}`]
    const { id, leftOut: omitted } = (await command.json(
      ...['checkpoint', 'create', '--workspace', root, ...label, ...words],
    )) as { readonly id: string; readonly leftOut: readonly unknown[] }
    leftOut.set(id, omitted.length)
  }

  beforeAll(async () => {
    console.info(`figures of projects: seed ${SEED}`)
    code = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-figures-')))
    const home = join(code, '.home')
    mkdirSync(home)
    dashboard = await startDashboard(
      async (store) => {
        made = await fillFigures(store, code, SEED, Date.now())
        await addFilesSession(store, 132, Date.now())
        await addHealth(store, Date.now())
      },
      { variables: { CAIRN_HOME: home } },
    )
    command = await startCairn(dashboard.file, 'UTC', home)
    const context = await dashboard.browser.newContext({
      timezoneId: 'Australia/Lord_Howe',
      viewport: { width: 1_700, height: 600 },
    })
    page = await dashboard.open(context, 'health')
    visit = createVisits(page)
    roots = made.projects.flatMap(({ folders }) => folders).filter((path) => path.startsWith(code))
    for (const root of roots) {
      mkdirSync(join(root, 'src'), { recursive: true })
      // Sessions have read some of these, and of others they will find that they are gone.
      for (const part of [0, 2]) writeFileSync(join(root, 'src', `part-${part}.ts`), `export const part = ${part}\n`)
    }
  })
  afterAll(async () => {
    command.stop()
    await dashboard.close()
    rmSync(code, { recursive: true, force: true })
  })

  /** What a page shows of some tables and totals, and all of it. */
  const shownOf = async (path: string, kinds: RegExp): Promise<{ shown: Record<string, string>; seen: ShownPage }> => {
    await visit(`${dashboard.server.url}${path}`)
    const seen = await shownPage(page)
    return { shown: Object.fromEntries([...seen.figures].filter(([name]) => kinds.test(name))), seen }
  }

  it('are those of the command for checkpoints, of a folder, of all and of a session', async () => {
    const [first = '', ...others] = roots
    for (let number = 0; number < MANY; number += 1) await checkpoint(first, number)
    for (const [index, root] of others.entries())
      for (let number = 0; number <= index * 2; number += 1) await checkpoint(root, number)
    const { sessions } = (await command.json('session', 'list', '--limit', '1000')) as {
      readonly sessions: readonly { readonly id: string; readonly workspace: string | null }[]
    }
    const ofRoot = (root: string): readonly string[] =>
      sessions.filter(({ workspace }) => workspace === root).map(({ id }) => id)
    const withOwn = roots.flatMap((root) =>
      ofRoot(root)
        .slice(0, 1)
        .map((id) => ({ id, root })),
    )
    expect(withOwn.length).toBeGreaterThan(1)
    for (const [index, { id, root }] of withOwn.entries()) await checkpoint(root, 200 + index, ['--session', id])
    // A restore keeps what it overwrites.
    await command.json('checkpoint', 'restore', 'latest', '--workspace', first, '--yes').catch(() => undefined)
    writeFileSync(join(first, 'file-0.txt'), 'another\n')
    await command.json('checkpoint', 'restore', 'latest', '--workspace', first, '--yes')

    const kinds = /^(?:checkpoints \/|total \/ Checkpoints)/
    const lists = [
      { of: roots, query: '' },
      ...roots.map((root) => ({ of: [root], query: `&project=${encodeURIComponent(root)}` })),
    ]
    for (const { of, query } of lists) {
      const zone = pick(ZONES)
      const all = await checkpointsOf(ask, of)
      for (let number = 1; number <= Math.max(1, Math.ceil(all.length / PAGE_ROWS)); number += 1) {
        const path = `checkpoints?zone=${zone}&page=${number}${query}`
        const { shown, seen } = await shownOf(path, kinds)
        const expected = checkpointFigures(all, number, zone, leftOut)
        expect({ path, ...shown }).toEqual({ path, ...Object.fromEntries(expected) })
        const ids = all.slice((number - 1) * PAGE_ROWS, number * PAGE_ROWS).map(({ id }) => id)
        expect(seen.rows.get('checkpoints')).toEqual(ids)
      }
    }
    const all = await checkpointsOf(ask, [first])
    expect(all.length).toBeGreaterThan(PAGE_ROWS)
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['manual', 'before-restore']))
    for (const { id, root } of withOwn) {
      const { sessions: listed } = (await command.json('session', 'list', '--limit', '1000')) as {
        readonly sessions: readonly { readonly id: string; readonly startedAt: number; readonly updatedAt: number }[]
      }
      const session = listed.find((each) => each.id === id)
      if (session === undefined) throw new Error(`${id} is not listed`)
      const { startedAt, updatedAt } = session
      const own = (await checkpointsOf(ask, [root])).filter(
        ({ sessionId, at }) => sessionId === id || (sessionId === null && at >= startedAt && at <= updatedAt + 60_000),
      )
      expect(own.some(({ sessionId }) => sessionId === id)).toBe(true)
      const path = `sessions/${encodeURIComponent(id)}?view=checkpoints&zone=UTC`
      const { shown } = await shownOf(path, kinds)
      expect({ path, ...shown }).toEqual({
        path,
        ...Object.fromEntries(checkpointFigures(own, 1, 'UTC', leftOut)),
      })
    }
  }, 300_000)

  it('are those of the command for the files of sessions, in any state, order and page', async () => {
    const { sessions } = (await command.json('session', 'list', '--limit', '1000')) as {
      readonly sessions: readonly { readonly id: string; readonly workspace: string | null }[]
    }
    // Half of them of folders that are here, and whose files are compared.
    const here = sessions.filter(({ workspace }) => workspace !== null && roots.includes(workspace))
    const ids = [
      FILES_SESSION,
      ...Array.from({ length: SESSIONS }, (_, index) => pick(index % 2 === 0 ? here : sessions).id),
    ]
    const met = new Set<string>()
    for (const id of ids) {
      const printed = (await command.json('session', 'files', id, '--limit', '100000')) as PrintedFiles
      const all = expectedFiles(printed)
      for (const { state } of all) met.add(state)
      for (const state of STATES) {
        const [zone, sort, order] = [pick(ZONES), pick(SORTS), pick(['ascending', 'descending'])]
        const chosen = all.filter((file) => state === 'all' || file.state === state)
        const shownPaths: string[] = []
        for (let number = 1; number <= Math.max(1, Math.ceil(chosen.length / PAGE_ROWS)); number += 1) {
          const path = `sessions/${encodeURIComponent(id)}?view=files&zone=${zone}&state=${state}&sort=${sort}&order=${order}&page=${number}`
          const { shown, seen } = await shownOf(
            path,
            /^(?:files \/|total \/ (?:All|Active|Stale|Not in context|Failed)$)/,
          )
          if (all.length === 0) {
            expect([path, shown]).toEqual([path, {}])
            continue
          }
          const rows = seen.rows.get('files') ?? []
          expect({ path, ...shown }).toEqual({ path, ...Object.fromEntries(fileFigures(all, state, rows, zone)) })
          shownPaths.push(...rows)
        }
        expect([id, state, shownPaths.toSorted()]).toEqual([id, state, chosen.map(({ path }) => path).toSorted()])
      }
    }
    expect([...met].toSorted()).toEqual(expect.arrayContaining(['active', 'failed', 'stale']))
  }, 300_000)

  it('are those of the command for the health of the store and its backups', async () => {
    const look = async (): Promise<PrintedDoctor> => {
      let tries = 0
      for (;;) {
        // The quarter of an hour that goes on is another one for each process.
        const before = Math.floor(Date.now() / QUARTER_MS) * QUARTER_MS
        const zone = pick(ZONES)
        const { shown } = await shownOf(
          `health?zone=${zone}`,
          /^(?:total \/ (?:Size|Secrets replaced)$|content \/|skips \/|sizes \/|backups \/|failures \/|cleanup \/|quarters \/)/,
        )
        const printed = (await command.json('doctor')) as PrintedDoctor
        const expected = Object.fromEntries(healthFigures(printed, before, zone))
        const known = Object.fromEntries(
          Object.entries(shown).filter(([name]) => !name.startsWith(`quarters / ${before} /`)),
        )
        tries += 1
        const isNextQuarter = Date.now() >= before + QUARTER_MS
        if (isNextQuarter && tries < 3) continue
        expect(known).toEqual(expected)
        return printed
      }
    }
    const log = join(code, 'log.jsonl')
    const line = (text: string): string => JSON.stringify({ session: 'told', role: 'user', text })
    writeFileSync(
      log,
      [line('one'), '{"broken":', 'no JSON', line(`key sk-ant-api03-${'a1B2'.repeat(24)}`), ''].join('\n'),
    )
    await command.json('import', '--from', log, '--agent', 'generic')
    const none = await look()
    expect(none.skipped.length).toBeGreaterThan(0)
    expect([none.store.importedFiles, none.store.sourceBytes > 0]).toEqual([1, true])
    expect(none.backups).toMatchObject({ count: 0, latest: null })
    expect(none.health.trend.length).toBeGreaterThan(20)
    expect(Object.keys(none.health.failures).length).toBeGreaterThan(0)
    expect(none.cleanup?.rows.length).toBeGreaterThan(0)
    await page.getByText('There is no backup to go back to').waitFor()
    const { path } = (await command.json('backup')) as { readonly path: string }
    expect((await look()).backups).toMatchObject({ count: 1, folder: dirname(path) })
    expect(await page.getByText('There is no backup to go back to').count()).toBe(0)
    await command.json('backup', '--automatic')
    expect((await look()).backups.latest?.kind).toBe('automatic')
    expect(await page.getByText('It is a day old or more').count()).toBe(0)
    expect(none.health.trend.every(({ at }) => at > Date.now() - DAY_MS - QUARTER_MS)).toBe(true)
  }, 120_000)

  it('reported no errors', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
