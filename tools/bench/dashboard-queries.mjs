// The dashboard's queries, each with random ranges and filters, against a store with synthetic usage. Run as a script
// by `dashboard.mjs`: node --conditions=@cairn/source dashboard-queries.mjs <store> <runs>; prints times as JSON.
import { openStore } from '@cairn/storage-prisma'
import { randomNumbers } from './numbers.mjs'
import { AGENTS, BRANCHES, END, MODELS, START, WORKSPACES } from './synthetic-team.mjs'

const DAY_MS = 86_400_000
const TIME_ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Australia/Sydney',
  'Asia/Tokyo',
]
const GROUPINGS = ['day', 'model', 'workspace', 'branch', 'session', 'agent']
const FILTERS = { model: MODELS, workspace: WORKSPACES.map((name) => `/work/${name}`), branch: BRANCHES, agent: AGENTS }
const SHOWN_SESSIONS = 50

const [path = '', runsText = ''] = process.argv.slice(2)
const store = await openStore(`file:${path}`)
const found = []
for (const span of ['30 days', 'two years']) {
  for (const by of GROUPINGS) found.push({ by, span, ...(await timesOf(Number(runsText), by, span)) })
}
await store.close()
process.stdout.write(JSON.stringify(found))

/**
 * Measures a query over and over, with other ranges each time; the first run is not counted. Returns the times in ms
 * and the slowest query.
 */
async function timesOf(runs, by, span) {
  const random = randomNumbers(1 + GROUPINGS.indexOf(by))
  const ms = []
  let slowest
  for (let index = -1; index < runs; index += 1) {
    const query = queryOf(by, span, random)
    const startedAt = performance.now()
    const report = await store.usage.report(query)
    const took = performance.now() - startedAt
    if (report.rows.length === 0 && query.filter === undefined) throw new Error(`no rows for ${JSON.stringify(query)}`)
    // The first warms up.
    if (index < 0) continue
    ms.push(took)
    if (slowest === undefined || took > slowest.ms) slowest = { ms: took, query }
  }
  return { ms, slowest }
}

/** Half of the queries have a filter; half of the ranges begin at midnight, as date pickers return them. */
function queryOf(by, span, random) {
  const timeZone = one(TIME_ZONES, random)
  const query = { by, timeZone, ...rangeOf(span, random), ...(by === 'session' ? { limit: SHOWN_SESSIONS } : {}) }
  const dimension = one(
    Object.keys(FILTERS).filter((name) => name !== by),
    random,
  )
  return random() < 0.5 ? query : { ...query, filter: { [dimension]: one(FILTERS[dimension], random) } }
}

/** A random range of 30 days, or one without an end. */
function rangeOf(span, random) {
  const length = span === '30 days' ? 30 * DAY_MS : END - START
  const latest = span === '30 days' ? END - length : START + 5 * DAY_MS
  const since = Math.floor(START + random() * (latest - START))
  const whole = random() < 0.5
  const from = whole ? Math.floor(since / DAY_MS) * DAY_MS : since
  // Two years up to now have no end.
  return span === '30 days' ? { since: from, until: from + length } : { since: from }
}

function one(values, random) {
  return values[Math.floor(random() * values.length)]
}
