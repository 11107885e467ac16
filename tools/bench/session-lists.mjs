// The lists of sessions, by each filter, each sort and both orders, from the first page and from one in the middle, against
// a store with synthetic usage. Run as a script by `dashboard.mjs`:
// node --conditions=@cairn/source session-lists.mjs <store> <runs>; prints times as JSON.
import { openStore } from '@cairn/storage-prisma'
import { randomNumbers } from './numbers.mjs'
import { AGENTS, BRANCHES, END, MODELS, START, WORKSPACES } from './synthetic-team.mjs'

const DAY_MS = 86_400_000
const PAGE = 50
const SORTS = ['updated', 'started', 'cost', 'messages']
const ORDERS = ['descending', 'ascending']

/** What a page can be filtered by; a project by its path or its name. */
const FILTERS = {
  nothing: () => ({}),
  model: (random) => ({ model: one(MODELS, random) }),
  workspace: (random) => ({ workspace: `${random() < 0.5 ? '/work/' : ''}${one(WORKSPACES, random)}` }),
  branch: (random) => ({ branch: one(BRANCHES, random) }),
  agent: (random) => ({ agent: one(AGENTS, random) }),
  text: (random) => ({ text: String(Math.floor(random() * 100)) }),
  'all names': (random) => ({
    model: one(MODELS, random),
    workspace: WORKSPACES[0],
    branch: BRANCHES[0],
    agent: one(AGENTS, random),
  }),
}

const [path = '', runsText = ''] = process.argv.slice(2)
const store = await openStore(`file:${path}`)
const found = []
for (const span of ['30 days', 'two years']) {
  for (const by of Object.keys(FILTERS)) found.push({ by, span, ...(await timesOf(Number(runsText), by, span)) })
}
await store.close()
process.stdout.write(JSON.stringify(found))

/**
 * Times in ms of `runs` queries, spread evenly over sorts and orders, each with two pages; the first run is not
 * counted. Throws if a page is not full.
 */
async function timesOf(runs, by, span) {
  const random = randomNumbers(1 + Object.keys(FILTERS).indexOf(by))
  const ms = []
  let slowest
  for (let index = -1; index < runs; index += 1) {
    const turn = index + 1
    const first = {
      sort: SORTS[turn % 4],
      order: ORDERS[Math.floor(turn / 4) % 2],
      limit: PAGE,
      ...rangeOf(span, random),
      ...FILTERS[by](random),
    }
    const { total, took } = await timed(first)
    if (total === 0 && by === 'nothing') throw new Error(`no sessions for ${JSON.stringify(first)}`)
    const within = { ...first, offset: Math.floor(random() * total) }
    const page = await timed(within)
    if (page.shown !== Math.min(PAGE, total - within.offset))
      throw new Error(`${page.shown} sessions for ${JSON.stringify(within)}`)
    // The first warms up.
    if (index < 0) continue
    for (const [query, time] of [
      [first, took],
      [within, page.took],
    ]) {
      ms.push(time)
      if (slowest === undefined || time > slowest.ms) slowest = { ms: time, query }
    }
  }
  return { ms, slowest }
}

async function timed(query) {
  const startedAt = performance.now()
  const { sessions, total } = await store.sessions.list(query)
  return { took: performance.now() - startedAt, shown: sessions.length, total }
}

/** Thirty days somewhere in the two years, mostly with an end; or all of them up to now. */
function rangeOf(span, random) {
  if (span === 'two years') return { since: Math.floor(START + random() * 5 * DAY_MS) }
  const since = Math.floor(START + random() * (END - START - 30 * DAY_MS))
  return { since, ...(random() < 0.7 ? { until: since + 30 * DAY_MS } : {}) }
}

function one(values, random) {
  return values[Math.floor(random() * values.length)]
}
