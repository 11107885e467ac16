// What each page of the dashboard about usage asks the store for, over spans of different lengths, against a store with
// synthetic usage. Run as a script by `dashboard.mjs` and `growth.mjs`:
// node --conditions=@cairn/source --conditions=react-server page-queries.mjs <store> <runs> [<spans> [<questions>]]
// (comma-separated; default all); prints times as JSON.
import { parseDiscounts, parseSubscriptions } from '@cairn/core/insights'
import { openStore } from '@cairn/storage-prisma'
import { dimensionPage } from '../../apps/dashboard/src/features/dimension/dimension-query.ts'
import { selectionChange } from '../../apps/dashboard/src/features/insights/change-query.ts'
import { overviewReports } from '../../apps/dashboard/src/features/overview/overview-query.ts'
import { filterChoices } from '../../apps/dashboard/src/features/selection/choices-query.ts'
import { selectedUsage } from '../../apps/dashboard/src/features/selection/selection-input.ts'
import { latestUsage } from '../../apps/dashboard/src/features/usage/latest-query.ts'
import { outsideUsage } from '../../apps/dashboard/src/features/usage/outside-query.ts'
import { engineOf } from '../../apps/dashboard/src/store/engine-of.ts'
import { randomNumbers } from './numbers.mjs'
import { BRANCHES, END, MODELS, WORKSPACES } from './synthetic-team.mjs'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A Friday afternoon, with sessions at work. */
const NOW = END - 2 * DAY_MS - 9 * HOUR_MS
const TIME_ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Tokyo']
const DAYS = { '7 days': 7, '30 days': 30, '90 days': 90, 'two years': 726 }
/** What takes this long, ms, is not asked again. */
const LONGEST_MS = 20_000

const plansOf = (subscriptions, discounts, project = null) => ({
  project,
  subscriptions: parseSubscriptions(subscriptions).value,
  discounts: parseDiscounts(discounts).value,
})
/** A subscription that was changed twice, a discount, and a project with a plan of its own. */
const PLANS = [
  plansOf(
    {
      anthropic: [
        { name: 'Pro', monthlyUsd: 20, since: '2025-01-10', until: '2025-09-14' },
        { name: 'Max 5x', monthlyUsd: 100, since: '2025-09-15', until: '2026-10-09' },
        { name: 'Max 20x', monthlyUsd: 200, since: '2026-10-10' },
      ],
    },
    { openai: [{ percent: 12.5, since: '2026-01-01' }] },
  ),
  plansOf({ anthropic: [{ name: 'Team', monthlyUsd: 150, since: '2026-01-01' }] }, {}, `/work/${WORKSPACES[7]}`),
]

const filtered = (selection, filter) => ({ ...selection, filter: { ...selection.filter, ...filter } })

/** The questions of pages, by name: those of the first page together, others one by one. */
const QUESTIONS = {
  overview: (store, selection) =>
    Promise.all([
      overviewReports(store.usage, selection, NOW),
      selectionChange(store, engineOf(store).insights, selection, NOW),
    ]),
  'overview of a project': (store, selection, random) =>
    QUESTIONS.overview(store, filtered(selection, { project: `/work/${one(WORKSPACES, random)}` })),
  'overview of a model': (store, selection, random) =>
    QUESTIONS.overview(store, filtered(selection, { model: one(MODELS, random) })),
  'overview of a branch': (store, selection, random) =>
    QUESTIONS.overview(store, filtered(selection, { branch: one(BRANCHES, random) })),
  paid: (store, selection) => engineOf(store).insights.paid({ ...selectedUsage(selection, NOW).query, plans: PLANS }),
  'paid of a project': (store, selection, random) =>
    QUESTIONS.paid(store, filtered(selection, { project: `/work/${one(WORKSPACES, random)}` })),
  'paid of a model': (store, selection, random) =>
    QUESTIONS.paid(store, filtered(selection, { model: one(MODELS, random) })),
  'paid of a branch': (store, selection, random) =>
    QUESTIONS.paid(store, filtered(selection, { branch: one(BRANCHES, random) })),
  'what is outside': (store, selection) => outsideUsage(store.usage, selection, NOW),
  'active days': (store, selection) => {
    const { since, until } = selectedUsage(selection, NOW).query
    const range = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
    return engineOf(store).insights.activeDays({ ...range, timeZone: selection.timeZone })
  },
  'page of branches': (store, selection) =>
    dimensionPage(
      store.usage,
      { selection, dimension: 'branch', sort: 'cost', order: 'descending', text: '', page: 1 },
      NOW,
    ),
  'page of projects': (store, selection) =>
    dimensionPage(
      store.usage,
      { selection, dimension: 'project', sort: 'cost', order: 'descending', text: '', page: 1 },
      NOW,
    ),
  leaks: (store, selection) => {
    const { since, until } = selectedUsage(selection, NOW).query
    return engineOf(store).insights.leaks({
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    })
  },
}
/** Those that no period narrows. */
const TIMELESS = {
  'filter choices': (store) => filterChoices(store.usage),
  'latest usage': (store, selection) => latestUsage(store.usage, selection, NOW),
  spending: (store, { timeZone }) => engineOf(store).insights.spending({ timeZone }),
  budgets: async (store, { timeZone }) => {
    await store.usage.report({ by: 'workspace' })
    return engineOf(store).insights.budgets({
      timeZone,
      limits: [null, ...WORKSPACES.slice(0, 3).map((name) => `/work/${name}`)].map((project) => ({
        project,
        limitUsd: 1_000,
      })),
    })
  },
  'live sessions': (store, { timeZone }) => engineOf(store).insights.live({ timeZone }),
}

const [path = '', runsText = '', spansText = '', questionsText = ''] = process.argv.slice(2)
const runs = Number(runsText)
const isWanted = (text, name) => text === '' || text.split(',').includes(name)
Date.now = () => NOW
const store = await openStore(path.includes('://') ? path : `file:${path}`)
const found = []
for (const span of [...Object.keys(DAYS), 'all time'])
  for (const [by, ask] of Object.entries(QUESTIONS))
    if (isWanted(spansText, span) && isWanted(questionsText, by)) found.push(await timesOf(by, span, ask))
for (const [by, ask] of Object.entries(TIMELESS))
  if (isWanted(questionsText, by)) found.push(await timesOf(by, 'always', ask))
await store.close()
process.stdout.write(JSON.stringify(found))

/** Measures a question over and over; the first run is not counted unless it is the only one. */
async function timesOf(by, span, ask) {
  const random = randomNumbers(1 + by.length)
  const ms = []
  const cpu = []
  let slowest
  for (let index = -1; index < runs; index += 1) {
    const selection = selectionOf(span, random)
    const startedAt = performance.now()
    const cpuBefore = process.cpuUsage()
    await ask(store, selection, random)
    const took = performance.now() - startedAt
    const used = process.cpuUsage(cpuBefore)
    if (index < 0 && took < LONGEST_MS) continue
    ms.push(took)
    cpu.push((used.user + used.system) / 1000)
    if (slowest === undefined || took > slowest.ms) slowest = { ms: took, query: selection }
    if (took >= LONGEST_MS) break
  }
  process.stderr.write(
    `  ${by}, ${span}: ${ms.map((each) => each.toFixed(0)).join(' ')} | cpu ${cpu.map((each) => each.toFixed(0)).join(' ')}\n`,
  )
  return { by, span, ms, cpu, slowest }
}

/** A selection as the page's address gives it; days that end today or up to a month before. */
function selectionOf(span, random) {
  const days = DAYS[span]
  const last = NOW - Math.floor(random() * (span === 'two years' ? 1 : 30)) * DAY_MS
  return {
    period: 'all',
    ...(days === undefined ? {} : { from: dateOf(last - (days - 1) * DAY_MS), to: dateOf(last) }),
    timeZone: one(TIME_ZONES, random),
    filter: {},
  }
}

function dateOf(at) {
  return new Date(at).toISOString().slice(0, 10)
}

function one(values, random) {
  return values[Math.floor(random() * values.length)]
}
