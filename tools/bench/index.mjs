// npm run bench: what the store and the command cost, in one run, as a table. Never fails on timing. `--help` lists its parts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { appendPostgresql } from './append-postgresql.mjs'
import { backup } from './backup.mjs'
import { ensureBuilt } from './cairn.mjs'
import { checkpoints } from './checkpoints.mjs'
import { contextSpeed } from './context-speed.mjs'
import { dashboard } from './dashboard.mjs'
import { edits } from './edits.mjs'
import { gateway } from './gateway.mjs'
import { health } from './health.mjs'
import { hooks } from './hooks.mjs'
import { importSpeed } from './import-speed.mjs'
import { imports } from './imports.mjs'
import { mcpSpeed } from './mcp-speed.mjs'
import { policies } from './policies.mjs'
import { providers } from './providers.mjs'
import { recallPostgresql } from './recall-postgresql.mjs'
import { recallScale } from './recall-scale.mjs'
import { related } from './related.mjs'
import { replaySpeed } from './replay-speed.mjs'
import { table } from './result.mjs'
import { shards } from './shards.mjs'
import { startUp } from './start-up.mjs'
import { state } from './state.mjs'
import { tiers } from './tiers.mjs'
import { tracking } from './tracking.mjs'
import { requireTypeScript } from './typescript.mjs'
import { usageSpeed } from './usage-speed.mjs'
import { watch } from './watch.mjs'

const baselineFile = fileURLToPath(new URL('baseline.json', import.meta.url))
const log = (text) => console.error(text)

const OPTIONS = {
  only: { type: 'string', about: '--only <part>', does: 'one part' },
  quick: {
    type: 'boolean',
    default: false,
    about: '--quick',
    does: 'small inputs and few runs: a look, not a measurement',
  },
  requests: { type: 'string', about: '--requests <number>', does: 'requests on each shard' },
  megabytes: { type: 'string', about: '--megabytes <size>', does: 'size of the store that is backed up' },
  json: { type: 'string', about: '--json <file>', does: 'the results as data' },
  'write-baseline': {
    type: 'boolean',
    default: false,
    about: '--write-baseline',
    does: 'keeps the results as what later runs are compared with',
  },
  help: { type: 'boolean', default: false, about: '--help', does: 'this' },
}

/** The options of the command line; ends the process with 2 for wrong ones. */
const parsed = () => {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    console.error(`${error.message.replace(/\.?$/, '.')} --help lists parts and options.`)
    process.exit(2)
  }
}
const values = parsed()
const { only, quick } = values

const parts = {
  import: {
    does: 'importing transcripts: time and memory',
    run: () => importSpeed({ sizes: quick ? [10] : [50, 500], runs: quick ? 1 : 3, log }),
  },
  imports: {
    does: 'which file imports which, beside oxc-parser; the project map',
    run: () => imports({ rounds: quick ? 1 : 5, log }),
  },
  usage: {
    does: 'cairn usage beside ccusage',
    run: () => usageSpeed({ sizes: quick ? [10] : [50, 500], pairs: quick ? 2 : 5, log }),
  },
  dashboard: {
    does: 'the questions of the dashboard over millions of requests',
    run: () => dashboard({ requests: quick ? 500_000 : 10_000_000, runs: quick ? 5 : 30, log }),
  },
  shards: {
    does: 'the overview of two shards on replicas, beside eight writers; retention (--requests <number>)',
    run: () =>
      shards({ requests: Number(values.requests ?? (quick ? 100_000 : 1_000_000)), runs: quick ? 10 : 100, log }),
  },
  'recall-scale': {
    does: 'recall in a store of a million messages: time and memory',
    run: () => recallScale({ messages: quick ? 50_000 : 1_000_000, runs: quick ? 5 : 40, log }),
  },
  'recall-postgresql': {
    does: 'the same store in PostgreSQL: the same answers, and how long they take',
    run: () => recallPostgresql({ messages: quick ? 20_000 : 1_000_000, runs: quick ? 5 : 30, log }),
  },
  'append-postgresql': {
    does: 'appends of eight processes to a PostgreSQL server on this machine',
    run: () => appendPostgresql({ writers: 8, seconds: quick ? 3 : 10, rounds: quick ? 1 : 3, log }),
  },
  tracking: {
    does: 'who changes files: how soon it is told while they are written to all the time',
    run: () => tracking({ files: 2_000, seconds: quick ? 10 : 60, log }),
  },
  replay: { does: 'cairn replay of a long transcript', run: () => replaySpeed({ runs: quick ? 1 : 3, log }) },
  context: {
    does: 'preparing requests of long sessions',
    run: () =>
      contextSpeed({
        sizes: quick ? [2000, 10_000] : [10_000, 100_000],
        runs: quick ? 1 : 5,
        sessions: quick ? 3 : Infinity,
        log,
      }),
  },
  policies: {
    does: 'what the default context policy costs and loses on recorded sessions, whole and by halves',
    run: () => policies({ sessions: quick ? 4 : Infinity, log }),
  },
  mcp: {
    does: 'the MCP server: start, calls of its tools, memory',
    run: () => mcpSpeed({ messages: quick ? 5_000 : 100_000, starts: quick ? 3 : 15, calls: quick ? 10 : 100, log }),
  },
  edits: {
    does: 'edits of recorded sessions, made by the agent’s tool: as recorded?',
    run: () => edits({ most: quick ? 100 : Infinity, log }),
  },
  gateway: {
    does: 'the gateway: time until the first byte, bytes, totals, memory, cut connections',
    run: () => gateway({ requests: quick ? 200 : 1_000, cuts: quick ? 60 : 200, log }),
  },
  hooks: {
    does: 'hooks and status line beside a Node that does nothing',
    run: () => hooks({ messages: quick ? 5_000 : 70_000, runs: quick ? 5 : 21, log }),
  },
  watch: {
    does: 'cairn watch: from a transcript to the store, and at rest',
    run: () => watch({ files: 20, rounds: quick ? 5 : 30, idleSeconds: quick ? 5 : 10, log }),
  },
  providers: {
    does: "streams of models: the port beside the provider's library, the first piece, memory",
    run: () => providers({ runs: quick ? 5 : 15, rounds: quick ? 2 : 4, firsts: quick ? 50 : 300, log }),
  },
  checkpoints: {
    does: 'checkpoints of a large repository beside git add -A',
    run: () => checkpoints({ files: quick ? 3_000 : 50_000, rounds: quick ? 3 : 7, more: quick ? 10 : 500, log }),
  },
  related: {
    does: 'related files: how many of the files of real commits are found, and how long that takes',
    run: () => related({ files: quick ? 3_000 : 20_000, questions: quick ? 7 : 21, log }),
  },
  state: {
    does: 'settings and state: the cache, writing behind, changes of another process',
    run: () => state({ sets: 100_000, changes: quick ? 200 : 1_000, log }),
  },
  tiers: {
    does: 'what is read again: packs held in memory by use, and what loading ahead would have had ready',
    run: () => tiers({ prompts: quick ? 40 : 150, rounds: quick ? 1 : 3, log }),
  },
  health: {
    does: 'what gathering the figures of health costs in appends and imports',
    run: () => health({ appends: 1_000, megabytes: quick ? 5 : 20, pairs: quick ? 2 : 9, log }),
  },
  backup: {
    does: 'a backup, proven, beside a writer (--megabytes <size>)',
    run: () => backup({ megabytes: Number(values.megabytes ?? (quick ? 100 : 1_000)), log }),
  },
  'start-up': { does: 'starting the command, warm', run: () => startUp({ runs: quick ? 5 : 15, log }) },
}

if (values.help) {
  const rows = (items) => items.map(([name, does]) => `  ${name.padEnd(18)} ${does}`).join('\n')
  console.log(`npm run bench [-- options]: what the store and the command cost. Never fails on timing.

Parts, each of which takes minutes:
${rows(Object.entries(parts).map(([name, { does }]) => [name, does]))}

Options:
${rows(Object.values(OPTIONS).map(({ about, does }) => [about, does]))}

The quality of recall is measured by: npm run bench:recall, npm run bench:prompt-recall`)
  process.exit(0)
}
if (only !== undefined && !(only in parts)) {
  console.error(`There is no benchmark "${only}": use ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

requireTypeScript('npm run bench')
if (
  only !== 'checkpoints' &&
  only !== 'dashboard' &&
  only !== 'edits' &&
  only !== 'context' &&
  only !== 'policies' &&
  only !== 'health' &&
  only !== 'imports' &&
  only !== 'recall-postgresql' &&
  only !== 'shards' &&
  only !== 'state'
)
  await ensureBuilt()
const results = []
for (const [name, part] of Object.entries(parts)) {
  if (only === undefined || only === name) results.push(...(await part.run()))
}

// A quick run uses other sizes under the same names.
const baseline = !quick && existsSync(baselineFile) ? JSON.parse(readFileSync(baselineFile, 'utf8')).results : {}
console.log(
  `${cpus().length} processors, ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}${quick ? ', quick run' : ''}`,
)
console.log(table(results, baseline))

const byName = Object.fromEntries(results.map(({ name, value, unit }) => [name.trim(), { value, unit }]))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
if (values['write-baseline']) {
  if (quick) console.error('A quick run is no baseline: not written.')
  else {
    const kept = Object.fromEntries(
      Object.entries(byName).map(([name, { value }]) => [name, Number(value.toPrecision(4))]),
    )
    writeFileSync(
      baselineFile,
      `${JSON.stringify({ about: 'npm run bench -- --write-baseline', results: { ...baseline, ...kept } }, null, 2)}\n`,
    )
  }
}
