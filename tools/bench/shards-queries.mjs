// What the dashboard's first page asks for, of all shards at once and with their sums merged, with other periods, zones and
// filters each time. Run as a script by `shards.mjs`:
// node --conditions=@cairn/source --conditions=react-server shards-queries.mjs <runs> <address>…; prints times as JSON.
import { openStore } from '@cairn/storage-prisma'
import { selectionChange } from '../../apps/dashboard/src/features/insights/change-query.ts'
import { overviewReports } from '../../apps/dashboard/src/features/overview/overview-query.ts'
import { projectNames } from '../../apps/dashboard/src/features/usage/store-project-names.ts'
import { engineOf } from '../../apps/dashboard/src/store/engine-of.ts'
import { randomNumbers } from './numbers.mjs'
import { createSelections } from './selections.mjs'
import { AGENTS, BRANCHES, END, MODELS, START, WORKSPACES } from './shards-team.mjs'

const selectionOf = createSelections({
  filters: { project: WORKSPACES.map((name) => `/work/${name}`), model: MODELS, branch: BRANCHES, agent: AGENTS },
  start: START,
  end: END,
  endsNow: 0.5,
})
const DIMENSIONS = ['byDay', 'byModel', 'byProject', 'byBranch', 'byAgent']

const [runsText = '', ...addresses] = process.argv.slice(2)
const store = await openStore(addresses.join(' '), { isReadOnly: true })
const found = []
for (const span of ['30 days', 'two years'])
  for (const by of ['everything', 'one filter'])
    found.push({ by, span, ...(await timesOf(Number(runsText), by, span)) })
await store.close()
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
    const totals = totalsOf(await overviewOf(store, query))
    const took = performance.now() - startedAt
    if (totals.byDay.requests === 0 && by === 'everything') throw new Error(`no requests for ${JSON.stringify(query)}`)
    if (index < 0) continue
    if (DIMENSIONS.some((name) => !isSame(totals[name], totals.byDay))) apart += 1
    ms.push(took)
    if (slowest === undefined || took > slowest.ms) slowest = { ms: took, query }
  }
  return { ms, slowest, apart }
}

/** What the page asks of the store. */
async function overviewOf(store, query) {
  const [reports] = await Promise.all([
    overviewReports(store.usage, query, END),
    selectionChange(store, engineOf(store).insights, query, END),
  ])
  await projectNames(store)
  return reports
}

/** The totals of each grouping. */
function totalsOf(page) {
  return Object.fromEntries(DIMENSIONS.map((name) => [name, page[name].total]))
}

function isSame(left, right) {
  return left.requests === right.requests && left.costNano === right.costNano
}
