/**
 * Every figure of the pages equals what `cairn … --json` prints, for selections at random in three time zones. The seed
 * is printed; `CAIRN_FIGURES_SEED` gives the same ones again, `CAIRN_FIGURES` says how many (default 40).
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startCairn } from './cairn-process.ts'
import type { CairnProcess } from './cairn-process.ts'
import { describeInBrowser, startDashboard } from './dashboard-under-test.ts'
import type { DashboardUnderTest } from './dashboard-under-test.ts'
import { expectedBudgets, expectedInsights, expectedLeaks, insightsOf } from './figures-insights.ts'
import { expectedMemory, rememberOf } from './figures-memory.ts'
import { DIMENSIONS, commitFigures, expectedDimension, expectedOverview, reportOf } from './figures-overview.ts'
import type { Ask } from './figures-overview.ts'
import { createVisits, shownPage } from './figures-page.ts'
import type { ShownPage } from './figures-page.ts'
import { FILTERS, addressOf, dayIn, randomSelection } from './figures-selection.ts'
import type { Wanted } from './figures-selection.ts'
import {
  SESSION_ROWS,
  SESSION_SORTS,
  expectedSession,
  expectedSessions,
  orderOf,
  shownCost,
  sessionsCut,
  sessionsOf,
} from './figures-sessions.ts'
import { DAYS, ZONES, clockChanges, fillFigures } from './figures-store.ts'
import type { MadeStore } from './figures-store.ts'
import { random } from './synthetic-usage.ts'

const COMBINATIONS = Number(process.env['CAIRN_FIGURES'] ?? 40)
const SEED = Number(process.env['CAIRN_FIGURES_SEED'] ?? Date.now() % 1_000_000)
/** Panels of the overview that come after its figures. */
const ALONE = ['project'] as const

const DAY_MS = 86_400_000
const KINDS = ['overview', 'dimension', 'sessions', 'overview', 'insights', 'session'] as const

describeInBrowser('the figures of the dashboard', () => {
  let dashboard: DashboardUnderTest
  let code: string
  let home: string
  let made: MadeStore
  let page: Page
  let visit: (url: string) => Promise<void>
  const commands = new Map<string, CairnProcess>()
  const next = random(SEED)
  const tables = new Map<string, number>()
  const tally = { figures: 0, empty: 0, again: 0, asked: 0 }

  beforeAll(async () => {
    console.info(`figures: seed ${SEED}, ${COMBINATIONS} combinations`)
    code = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-figures-')))
    home = join(code, '.home')
    mkdirSync(home)
    writeFileSync(join(home, 'config.json'), JSON.stringify({ budget: { month: 431.75 } }))
    dashboard = await startDashboard(
      async (store) => {
        made = await fillFigures(store, code, SEED, Date.now())
        const folders = made.projects.flatMap((project) => project.folders).filter((path) => path.startsWith(code))
        await rememberOf(store, folders, SEED)
      },
      { variables: { CAIRN_HOME: home } },
    )
    for (const zone of ZONES) commands.set(zone, await startCairn(dashboard.file, zone, home))
    // The zone of the browser is none of them: what counts is that of the address.
    const context = await dashboard.browser.newContext({
      timezoneId: 'Australia/Lord_Howe',
      // Wide enough for the outline of a session; little else has to be drawn.
      viewport: { width: 1_700, height: 600 },
    })
    page = await dashboard.open(context, 'health')
    visit = createVisits(page)
  })
  afterAll(async () => {
    for (const command of commands.values()) command.stop()
    await dashboard.close()
    rmSync(code, { recursive: true, force: true })
  })

  const askIn =
    (zone: string): Ask =>
    (...words) => {
      const command = commands.get(zone)
      if (command === undefined) throw new Error(`nobody answers in ${zone}`)
      tally.asked += 1
      return command.json(...words)
    }

  /** Looks at a page, and asks the command for the same. */
  const bothOf = async (
    path: string,
    expectedOf: (shown: ShownPage, now: number) => Promise<ReadonlyMap<string, string>>,
  ): Promise<{
    readonly shown: Record<string, string>
    readonly expected: Record<string, string>
    readonly page: ShownPage
  }> => {
    const now = Date.now()
    await visit(`${dashboard.server.url}${path}`)
    const seen = await shownPage(page)
    const expected = await expectedOf(seen, now)
    // What has no digit is no figure, unless the command says that it is one.
    const shown = [...seen.figures].filter(
      ([name, text]) => /\d/.test(text) || name.startsWith('remark ') || expected.has(name),
    )
    return { shown: Object.fromEntries(shown), expected: Object.fromEntries(expected), page: seen }
  }

  /** A page shows all that it must, and no other figure. */
  const expectSame = async (
    path: string,
    expectedOf: (shown: ShownPage, now: number) => Promise<ReadonlyMap<string, string>>,
  ): Promise<ShownPage> => {
    let both = await bothOf(path, expectedOf)
    if (
      JSON.stringify(Object.entries(both.shown).toSorted()) !== JSON.stringify(Object.entries(both.expected).toSorted())
    ) {
      // Midnight, or the end of five hours, may have come between the two.
      tally.again += 1
      const other = Object.keys({ ...both.shown, ...both.expected }).filter(
        (name) => both.shown[name] !== both.expected[name],
      )
      console.info(`figures: ${path} is looked at again, for ${other.slice(0, 5).join('; ')}`)
      both = await bothOf(path, expectedOf)
    }
    expect({ path, ...both.shown }).toEqual({ path, ...both.expected })
    for (const name of Object.keys(both.shown)) {
      const [table = ''] = name.split(' / ')
      tables.set(table, (tables.get(table) ?? 0) + 1)
    }
    tally.figures += Object.keys(both.shown).length
    if (Object.keys(both.shown).length === 0) {
      tally.empty += 1
      expect([path, both.page.notices.length]).toEqual([path, 1])
    }
    return both.page
  }

  const checkOverview = async (wanted: Wanted): Promise<void> => {
    const ask = askIn(wanted.zone)
    await expectSame(`?${addressOf(wanted)}`, async (shown, now) => {
      const figures = await expectedOverview(ask, wanted, now, shown)
      if (figures.size === 0) return figures
      const printed = await insightsOf(ask, wanted, now)
      expectedBudgets(figures, printed)
      const isAlone = FILTERS.every((name) => wanted.filter[name] === undefined || ALONE.some((one) => one === name))
      if (isAlone) expectedLeaks(figures, printed, 3)
      const { project, branch } = wanted.filter
      const [folder] = made.projects.find(({ key }) => key === project)?.folders ?? []
      if (folder !== undefined && branch !== undefined) await commitFigures(figures, ask, wanted, now, folder)
      return figures
    })
  }

  /** A part of a title, in another case; of none at times. */
  const pickText = (chance: () => number): string => ['TOTAL', 'it', '<i>', 'nowhere'][Math.floor(chance() * 4)] ?? 'it'

  const checkSessions = async (wanted: Wanted): Promise<void> => {
    const ask = askIn(wanted.zone)
    const text = next() < 0.3 ? pickText(next) : ''
    const sort = SESSION_SORTS[Math.floor(next() * SESSION_SORTS.length)] ?? 'updated'
    const listed = await sessionsOf(ask, wanted, Date.now(), sort, text)
    expect(listed.sessions.length).toBe(listed.total)
    const { rows } = await reportOf(ask, 'session', wanted, Date.now())
    const order = orderOf(listed, rows, wanted, sort)
    const last = Math.max(1, Math.ceil(listed.total / SESSION_ROWS))
    const ids: string[] = []
    for (let number = 1; number <= last; number += 1) {
      const path = `sessions?${addressOf(wanted)}&sort=${sort}&page=${number}${text === '' ? '' : `&q=${text}`}`
      const seen = await expectSame(path, (shown, now) => expectedSessions(ask, wanted, now, sort, text, shown))
      const shownIds = seen.rows.get('sessions') ?? []
      ids.push(...shownIds)
      if (order.join() === listed.sessions.map(({ id }) => id).join())
        expect(shownIds).toEqual(await sessionsCut(ask, wanted, Date.now(), sort, text, number))
    }
    expect([sort, addressOf(wanted), ids.toSorted()]).toEqual([sort, addressOf(wanted), order.toSorted()])
    if (sort !== 'cost') expect([sort, ids]).toEqual([sort, order])
    else {
      const costs = ids.flatMap((id) => shownCost(id, listed, rows, wanted))
      expect(costs).toEqual(costs.toSorted((left, right) => right - left))
    }
  }

  const checkSession = async (wanted: Wanted): Promise<void> => {
    const id = made.sessionIds[Math.floor(next() ** 1.5 * made.sessionIds.length)] ?? ''
    const number = 1 + Math.floor(next() * 3)
    const path = `sessions/${encodeURIComponent(id)}?zone=${wanted.zone}`
    const ask = askIn(wanted.zone)
    await expectSame(path, (shown) => expectedSession(ask, id, undefined, shown))
    await expectSame(`${path}&view=requests&page=${number}`, (shown) => expectedSession(ask, id, number, shown))
  }

  const check = async (kind: (typeof KINDS)[number], wanted: Wanted, index: number): Promise<void> => {
    const ask = askIn(wanted.zone)
    if (kind === 'overview') return checkOverview(wanted)
    if (kind === 'sessions') return checkSessions(wanted)
    if (kind === 'session') return checkSession(wanted)
    const { project } = wanted.filter
    if (kind === 'insights') {
      const asked = { ...wanted, filter: project === undefined ? {} : { project } }
      await expectSame(`insights?${addressOf(asked)}`, (_shown, now) => expectedInsights(ask, asked, now))
      return
    }
    const dimension = DIMENSIONS[Math.floor(index / KINDS.length) % DIMENSIONS.length] ?? 'model'
    const pages = { model: 'models', project: 'projects', branch: 'branches', agent: 'agents' }
    const number = 1 + Math.floor(next() * 2)
    await expectSame(`${pages[dimension]}?${addressOf(wanted)}&page=${number}`, (_shown, now) =>
      expectedDimension(ask, wanted, now, dimension, number),
    )
  }

  it('are those of the command for all that there is, days with other hours, and commits', async () => {
    const [shop, api] = made.projects
    // Nobody has asked the command yet, which looks at new folders.
    await visit(`${dashboard.server.url}projects?period=all`)
    const keys = (await shownPage(page)).rows.get('project')
    expect(keys).toEqual(expect.arrayContaining([shop?.key, api?.key]))
    expect(keys).toHaveLength(made.projects.length + 1)
    const all = { period: 'all', from: undefined, to: undefined, filter: {} }
    for (const zone of ZONES) {
      await checkOverview({ ...all, zone })
      for (const at of clockChanges(zone, Date.now() - DAYS * DAY_MS, Date.now())) {
        const day = dayIn(zone, at - DAY_MS / 12)
        await checkOverview({ ...all, zone, from: day, to: day })
      }
      for (const branch of ['main', 'feat/search'])
        await checkOverview({ ...all, zone, filter: { project: api?.key ?? '', branch } })
    }
    for (const table of ['commits', 'steps', 'leaks', 'budgets', ...DIMENSIONS])
      expect([table, tables.get(table)]).toEqual([table, expect.any(Number)])
  })

  it(
    'are those of the command for selections at random',
    async () => {
      for (let index = 0; index < COMBINATIONS; index += 1) {
        const wanted = randomSelection(made, next, Date.now())
        const kind = KINDS[index % KINDS.length] ?? 'overview'
        await check(kind, wanted, index)
        if (index % 25 === 24) console.info(`figures: ${index + 1} combinations, ${tally.figures} figures are the same`)
      }
      console.info(
        `figures: ${tally.figures} are the same in ${COMBINATIONS} combinations; ${tally.empty} pages had none, ${tally.again} were looked at again, the command was asked ${tally.asked} times\n${[...tables].map(([table, figures]) => `${table} ${figures}`).join(', ')}`,
      )
      const wanted = COMBINATIONS < 18 ? [] : ['sessions', 'requests', 'outline', 'movers-model', 'spending', 'remark']
      for (const table of wanted) expect([table, tables.get(table)]).toEqual([table, expect.any(Number)])
    },
    // Some seconds each on a slow machine.
    60_000 + COMBINATIONS * 30_000,
  )

  it('are those of the command for what is remembered of projects', async () => {
    const ask = askIn('UTC')
    for (const path of made.projects.flatMap(({ folders }) => folders).filter((folder) => folder.startsWith(code))) {
      const project = encodeURIComponent(path)
      for (const kind of [undefined, 'pattern', 'failure'])
        await expectSame(`memory?project=${project}${kind === undefined ? '' : `&kind=${kind}`}`, () =>
          expectedMemory(ask, path, kind),
        )
    }
  })

  it('reported no errors', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
