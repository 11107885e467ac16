// What the dashboard's first page asks the store for, whole, with other periods and filters each time, against a store
// with synthetic usage. Run as a script by `dashboard.mjs`:
// node --conditions=@cairn/source --conditions=react-server overview-queries.mjs <store> <runs>; prints times as JSON.
import { openStore } from '@cairn/storage-prisma'
import { selectionChange } from '../../apps/dashboard/src/features/insights/change-query.ts'
import { overviewReports } from '../../apps/dashboard/src/features/overview/overview-query.ts'
import { engineOf } from '../../apps/dashboard/src/store/engine-of.ts'
import { randomNumbers } from './numbers.mjs'
import { createSelections } from './selections.mjs'
import { AGENTS, BRANCHES, END, MODELS, START, WORKSPACES } from './synthetic-team.mjs'

const selectionOf = createSelections({
  filters: { project: WORKSPACES.map((name) => `/work/${name}`), model: MODELS, branch: BRANCHES, agent: AGENTS },
  start: START,
  end: END,
  endsNow: 0,
})

const [path = '', runsText = ''] = process.argv.slice(2)
const store = await openStore(`file:${path}`)
const { insights } = engineOf(store)
const found = []
for (const span of ['30 days', 'two years'])
  for (const by of ['everything', 'one filter'])
    found.push({ by, span, ...(await timesOf(Number(runsText), by, span)) })
await store.close()
process.stdout.write(JSON.stringify(found))

/**
 * Measures the page's reports over and over; the first run is not counted. Returns the times in ms and the slowest
 * query.
 */
async function timesOf(runs, by, span) {
  const random = randomNumbers(by === 'everything' ? 1 : 2)
  const ms = []
  let slowest
  for (let index = -1; index < runs; index += 1) {
    const query = selectionOf(by, span, random)
    const startedAt = performance.now()
    const [{ byDay }] = await Promise.all([
      overviewReports(store.usage, query, END),
      selectionChange(store, insights, query, END),
    ])
    const took = performance.now() - startedAt
    if (byDay.rows.length === 0 && by === 'everything') throw new Error(`no rows for ${JSON.stringify(query)}`)
    if (index < 0) continue
    ms.push(took)
    if (slowest === undefined || took > slowest.ms) slowest = { ms: took, query }
  }
  return { ms, slowest }
}
