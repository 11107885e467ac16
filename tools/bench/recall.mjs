// npm run bench:recall: how many of the relevant results recall finds, through the command alone, beside plain BM25 and CLIO.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cairnCommand, cairnEnvironment, ensureBuilt } from './cairn.mjs'
import { scratchFolder } from './paths.mjs'
import { runWell } from './processes.mjs'
import { allSets, keyOf } from './recall-data.mjs'
import { recallGoals } from './recall-goals.mjs'
import { LEGEND, printTable, tableOf } from './recall-metrics.mjs'
import { table } from './result.mjs'

const OPTIONS = {
  only: { type: 'string', does: 'one data set: LoCoMo, "coding turns", "coding sessions" or DevMemBench' },
  ranker: { type: 'string', does: 'one ranker: cairn, bm25 or clio' },
  store: { type: 'string', does: 'another store than a file of its own, as its address; it must be empty' },
  help: { type: 'boolean', does: 'this text' },
}

/** The options given; an unknown one ends the program with a sentence. */
function given() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    console.error(`${error.message.split('.')[0]}. See: npm run bench:recall -- --help`)
    process.exit(2)
  }
}

const values = given()
if (values.help) {
  const rows = Object.entries(OPTIONS).map(([name, { does }]) => `  --${name.padEnd(8)} ${does}`)
  console.log(`npm run bench:recall [-- options]: how many of the relevant results recall finds.

${rows.join('\n')}`)
  process.exit(0)
}
const RANKERS = { cairn: 'Cairn', bm25: 'plain BM25', clio: "CLIO's score" }
const LIMIT = 50
const AGENT = 'generic'

const known = allSets()
if (values.only !== undefined && known.length > 0 && !known.some(({ name }) => name === values.only)) {
  console.error(`There is no data set "${values.only}": use ${known.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const sets = known.filter(({ name }) => values.only === undefined || name === values.only)
if (sets.length === 0) {
  console.log('The benchmark of recall is skipped: its data sets do not lie beside the repository (../shared/data).')
  process.exit(0)
}
await ensureBuilt()

const folder = scratchFolder('recall')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const cairn = (args) => runWell(cairnCommand(args), { env: cairnEnvironment })
const jsonLines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** The key of a result in the data set. */
const keyOfResult = (query, { sessionId, externalId }) => {
  const session = sessionId.slice(AGENT.length + 1)
  return query.by === 'session' ? session : keyOf(session, externalId)
}

/** What each query of a set finds by a ranker, through the command. */
const answers = async (set, store, ranker) => {
  const queries = new Map(set.queries.map((query) => [query.id, query]))
  const file = join(folder, 'queries.jsonl')
  writeFileSync(
    file,
    jsonLines(
      set.queries.map(({ id, query, workspace, branch, until, by }) => ({ id, query, workspace, branch, until, by })),
    ),
  )
  const { stdout } = await cairn([
    'recall',
    '--queries',
    file,
    '--limit',
    String(LIMIT),
    '--ranker',
    ranker,
    '--store',
    store,
    '--json',
  ])
  return new Map(
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { id, results, error } = JSON.parse(line)
        if (error !== undefined) throw new Error(`Query ${id}: ${error.message}`)
        return [id, [...new Set(results.map((result) => keyOfResult(queries.get(id), result)))]]
      }),
  )
}

/** Cairn's rows by data set. */
const own = new Map()
console.log(`${LEGEND}\n`)
for (const set of sets) {
  const setFolder = join(folder, set.name.replaceAll(' ', '-'))
  mkdirSync(setFolder)
  const lines = join(setFolder, 'messages.jsonl')
  writeFileSync(lines, jsonLines(set.lines))
  const store = values.store ?? `file:${join(setFolder, 'store.db')}`
  console.error(`${set.name}: importing ${set.lines.length} messages …`)
  await cairn(['import', '--agent', AGENT, '--from', lines, '--store', store])
  for (const [ranker, title] of Object.entries(RANKERS)) {
    if (values.ranker !== undefined && values.ranker !== ranker) continue
    console.error(`${set.name}: ${set.queries.length} queries by ${title} …`)
    const start = performance.now()
    const found = await answers(set, store, ranker)
    console.error(
      `  ${((performance.now() - start) / set.queries.length).toFixed(1)} ms a query, the process's start included`,
    )
    const rows = tableOf(set, found)
    if (ranker === 'cairn') own.set(set.name, rows)
    printTable(`${set.name}: ${title}`, set, ranker === 'cairn' ? rows : rows.slice(0, 1))
  }
  console.log()
}
if (own.size > 0) console.log(table(recallGoals(own), {}))
