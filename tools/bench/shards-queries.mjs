// What the dashboard's first page asks for, of all shards at once and with their sums merged, with other periods, zones and
// filters each time. Run as a script by `shards.mjs`:
// node --conditions=@cairn/source --conditions=react-server shards-queries.mjs <runs> <address>…; prints times as JSON.
import { addTotals, emptyTotals } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import { selectionChange } from '../../apps/dashboard/src/features/insights/change-query.ts'
import { overviewReports } from '../../apps/dashboard/src/features/overview/overview-query.ts'
import { projectNames } from '../../apps/dashboard/src/features/usage/store-project-names.ts'
import { engineOf } from '../../apps/dashboard/src/store/engine-of.ts'
import { randomNumbers } from './numbers.mjs'
import { AGENTS, BRANCHES, END, MODELS, START, WORKSPACES } from './shards-team.mjs'

const DAY_MS = 86_400_000
const TIME_ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Tokyo', 'Australia/Sydney']
const FILTERS = { project: WORKSPACES.map((name) => `/work/${name}`), model: MODELS, branch: BRANCHES, agent: AGENTS }
const DIMENSIONS = ['byDay', 'byModel', 'byProject', 'byBranch', 'byAgent']

const [runsText = '', ...addresses] = process.argv.slice(2)
const stores = []
for (const address of addresses) stores.push(await openStore(address, { isReadOnly: true }))
const found = []
for (const span of ['30 days', 'two years'])
  for (const by of ['everything', 'one filter'])
    found.push({ by, span, ...(await timesOf(Number(runsText), by, span)) })
for (const store of stores) await store.close()
process.stdout.write(JSON.stringify(found))

/**
 * Measures the page's reports over and over; the first run is not counted. Returns the times in ms, the slowest query, and
 * in how many runs a shard's groupings had different totals: their store was written to in between.
 */
async function timesOf(runs, by, span) {
  const random = randomNumbers(by === 'everything' ? 1 : 2)
  const ms = []
  let slowest
  let apart = 0
  for (let index = -1; index < runs; index += 1) {
    const query = selectionOf(by, span, random)
    const startedAt = performance.now()
    const pages = await Promise.all(stores.map((store) => overviewOf(store, query)))
    const merged = mergedTotals(pages)
    const took = performance.now() - startedAt
    if (merged.byDay.requests === 0 && by === 'everything') throw new Error(`no requests for ${JSON.stringify(query)}`)
    if (index < 0) continue
    if (DIMENSIONS.some((name) => !isSame(merged[name], merged.byDay))) apart += 1
    ms.push(took)
    if (slowest === undefined || took > slowest.ms) slowest = { ms: took, query }
  }
  return { ms, slowest, apart }
}

/** What the page asks of one store. */
async function overviewOf(store, query) {
  const [reports] = await Promise.all([
    overviewReports(store.usage, query, END),
    selectionChange(store, engineOf(store).insights, query, END),
  ])
  await projectNames(store)
  return reports
}

/** The totals of each grouping over all shards: sums are merged, nothing is counted anew. */
function mergedTotals(pages) {
  return Object.fromEntries(
    DIMENSIONS.map((name) => {
      const rows = new Map()
      for (const page of pages)
        for (const row of page[name].rows) rows.set(row.key, addTotals(rows.get(row.key) ?? emptyTotals, row))
      return [name, pages.reduce((sum, page) => addTotals(sum, page[name].total), emptyTotals)]
    }),
  )
}

function isSame(left, right) {
  return left.requests === right.requests && left.costNano === right.costNano
}

/** A selection as the page's address gives it; of short periods half end now. */
function selectionOf(by, span, random) {
  const days = span === '30 days' ? 30 : Math.round((END - START) / DAY_MS) + 1
  const last = span === '30 days' && random() < 0.5 ? START + DAY_MS * (60 + Math.floor(random() * 665)) : END
  const dimension = one(Object.keys(FILTERS), random)
  return {
    period: '30d',
    from: dateOf(last - (days - 1) * DAY_MS),
    to: dateOf(last),
    timeZone: one(TIME_ZONES, random),
    filter: by === 'everything' ? {} : { [dimension]: one(FILTERS[dimension], random) },
  }
}

function dateOf(at) {
  return new Date(at).toISOString().slice(0, 10)
}

function one(values, random) {
  return values[Math.floor(random() * values.length)]
}
