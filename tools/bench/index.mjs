// npm run bench: what the store and the command cost, in one run, as a table. Never fails on timing.
//   --only <name>       import, usage, dashboard, replay, context, mcp or start-up
//   --quick             small inputs and few runs: a look, not a measurement
//   --json <file>       the results as data
//   --write-baseline    keeps the results as what later runs are compared with
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './cairn.mjs'
import { contextSpeed } from './context-speed.mjs'
import { dashboard } from './dashboard.mjs'
import { importSpeed } from './import-speed.mjs'
import { mcpSpeed } from './mcp-speed.mjs'
import { recallScale } from './recall-scale.mjs'
import { replaySpeed } from './replay-speed.mjs'
import { table } from './result.mjs'
import { startUp } from './start-up.mjs'
import { usageSpeed } from './usage-speed.mjs'

const baselineFile = fileURLToPath(new URL('baseline.json', import.meta.url))
const log = (text) => console.error(text)

const { values } = parseArgs({
  options: { only: { type: 'string' }, quick: { type: 'boolean', default: false }, json: { type: 'string' }, 'write-baseline': { type: 'boolean', default: false } },
})
const { only, quick } = values

const parts = {
  import: () => importSpeed({ sizes: quick ? [10] : [50, 500], runs: quick ? 1 : 3, log }),
  usage: () => usageSpeed({ sizes: quick ? [10] : [50, 500], pairs: quick ? 2 : 5, log }),
  dashboard: () => dashboard({ requests: quick ? 500_000 : 10_000_000, runs: quick ? 5 : 30, log }),
  'recall-scale': () => recallScale({ messages: quick ? 50_000 : 1_000_000, runs: quick ? 5 : 40, log }),
  replay: () => replaySpeed({ runs: quick ? 1 : 3, log }),
  context: () => contextSpeed({ sizes: quick ? [2000, 10_000] : [10_000, 100_000], runs: quick ? 1 : 5, sessions: quick ? 3 : Infinity, log }),
  mcp: () => mcpSpeed({ messages: quick ? 5_000 : 100_000, starts: quick ? 3 : 15, calls: quick ? 10 : 100, log }),
  'start-up': () => startUp({ runs: quick ? 5 : 15, log }),
}
if (only !== undefined && !(only in parts)) {
  console.error(`There is no benchmark "${only}": use ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

if (only !== 'dashboard' && only !== 'context' && only !== 'recall-scale') await ensureBuilt()
const results = []
for (const [name, part] of Object.entries(parts)) {
  if (only === undefined || only === name) results.push(...(await part()))
}

// A quick run measures other things under the same names.
const baseline = !quick && existsSync(baselineFile) ? JSON.parse(readFileSync(baselineFile, 'utf8')).results : {}
console.log(`${cpus().length} processors, ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}${quick ? ', quick run' : ''}`)
console.log(table(results, baseline))

const byName = Object.fromEntries(results.map(({ name, value, unit }) => [name.trim(), { value, unit }]))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
if (values['write-baseline']) {
  if (quick) console.error('A quick run is no baseline: not written.')
  else {
    const kept = Object.fromEntries(Object.entries(byName).map(([name, { value }]) => [name, Number(value.toPrecision(4))]))
    writeFileSync(baselineFile, `${JSON.stringify({ about: 'npm run bench -- --write-baseline', results: { ...baseline, ...kept } }, null, 2)}\n`)
  }
}
