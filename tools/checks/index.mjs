// npm run checks [-- name…]: what the store promises, proved with processes that are killed, run at once, and fed
// with damaged files. Each check takes from seconds to minutes; `--quick` makes them short, `--help` lists them.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { requireTypeScript } from '../bench/typescript.mjs'

// Some checks use the packages themselves: on their sources, so that no build can be stale.
const CONDITION = '--conditions=@cairn/source'

/**
 * @typedef {{ quick: boolean, seconds: number, seed: number, log: (text: string) => void }} CheckOptions
 * @typedef {(options: CheckOptions) => Promise<string>} Check says what it found; rejects when it found a fault
 */

requireTypeScript('npm run checks')
if (!process.execArgv.includes(CONDITION)) {
  const { status } = spawnSync(process.execPath, [CONDITION, ...process.argv.slice(1)], { stdio: 'inherit' })
  process.exit(status ?? 1)
}

const { ensureBuilt } = await import('../bench/cairn.mjs')
/** @type {Record<string, Check>} */
const checks = {
  'replay-trace': (await import('./replay-trace.mjs')).replayTrace,
  'gateway-policy': (await import('./gateway-policy.mjs')).gatewayPolicy,
  reference: (await import('./reference.mjs')).reference,
  insights: (await import('./insights.mjs')).insights,
  raw: (await import('./raw.mjs')).raw,
  damaged: (await import('./damaged.mjs')).damaged,
  'damaged-stores': (await import('./damaged-stores.mjs')).damagedStores,
  'two-at-once': (await import('./two-at-once.mjs')).twoAtOnce,
  kill: (await import('./kill.mjs')).kill,
  'setup-files': (await import('./setup-files.mjs')).setupFiles,
  'setup-killed': (await import('./setup-killed.mjs')).setupKilled,
  checkpoints: (await import('./checkpoints.mjs')).checkpoints,
  'agent-kills': (await import('./agent-kills.mjs')).agentKills,
  'team-sync': (await import('./team-sync.mjs')).teamSync,
  'team-shards': (await import('./team-sync.mjs')).teamShards,
  failover: (await import('./failover.mjs')).failover,
  'watch-kills': (await import('./watch-kills.mjs')).watchKills,
  attribution: (await import('./attribution.mjs')).attribution,
  imports: (await import('./imports/index.mjs')).imports,
  ...(await import('./agents-at-once.mjs')).agentsAtOnce,
  ...(await import('./eight-writers.mjs')).eightWriters,
  ...(await import('./everything-at-once.mjs')).everythingAtOnce,
  ...(await import('./memory-writers.mjs')).memoryWriters,
}

/** The options of the command line; a wrong one prints a sentence and ends the process with 2. */
const parsed = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        seconds: { type: 'string' },
        seed: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    console.error(`${error.message.replace(/\.?$/, '.')} --help lists checks and options.`)
    process.exit(2)
  }
}
const { values, positionals } = parsed()
if (values.help) {
  console.log(`npm run checks [-- options] [name…]: what the store promises, proved. Without a name, all of it.

Checks: ${Object.keys(checks).join(', ')}

Options:
  --quick            a minute in all
  --seconds <count>  how long what runs at once goes on
  --seed <number>    the random choices of agent-kills, checkpoints and setup-… again
  --help             this`)
  process.exit(0)
}
const unknown = positionals.filter((name) => !(name in checks))
if (unknown.length > 0) {
  console.error(`There is no check "${unknown[0]}": use ${Object.keys(checks).join(', ')}.`)
  process.exit(2)
}

await ensureBuilt()
const seconds = Number(values.seconds ?? (values.quick ? 3 : 30))
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!Number.isSafeInteger(seed)) {
  console.error(`--seed takes a whole number, and "${values.seed}" is none.`)
  process.exit(2)
}
let failed = 0
for (const [name, check] of Object.entries(checks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const startedAt = performance.now()
  const took = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
  try {
    console.log(
      `ok      ${name}: ${await check({ quick: values.quick, seconds, seed, log: (text) => console.error(text) })} [${took()}]`,
    )
  } catch (error) {
    failed += 1
    console.log(
      `FAILED  ${name}: ${error instanceof Error ? error.message.slice(0, 4_000) : String(error)} [${took()}]`,
    )
  }
}
console.log(failed === 0 ? 'Total: all checks passed' : `Total: ${failed} checks failed`)
// Not by exitCode: the hooks that stop a PostgreSQL server end the process with 0.
process.exit(failed === 0 ? 0 : 1)
