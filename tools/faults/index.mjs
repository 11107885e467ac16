// npm run test:faults [-- options]: processes that write are killed at random moments, and everything that they had
// acknowledged is looked for. `--help` lists the options.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { requireTypeScript } from '../bench/typescript.mjs'
import { median } from '../bench/numbers.mjs'
import { recordTotals } from '../jest/totals.mjs'

// On the sources of the packages, so that no build can be stale.
const CONDITION = '--conditions=@cairn/source'
const ROUNDS = 200
const MOST_FAULTS_SHOWN = 10
/** Of the rounds on PostgreSQL. */
const RESTARTED_ROUNDS = 0.4
const LATEST_RESTART_MS = 1_500

requireTypeScript('npm run test:faults')
if (!process.execArgv.includes(CONDITION)) {
  const { status } = spawnSync(process.execPath, [CONDITION, ...process.argv.slice(1)], { stdio: 'inherit' })
  process.exit(status ?? 1)
}

const { writers } = await import('./writers/index.mjs')
const { runRounds } = await import('./run.mjs')
const names = Object.keys(writers)

/** Says what is wrong, and ends the process with 2. */
const usage = (sentence) => {
  console.error(`${sentence} --help lists the options.`)
  process.exit(2)
}

/** The options of the command line; ends the process with 2 for wrong ones. */
const options = () => {
  try {
    return parseArgs({
      options: {
        rounds: { type: 'string', default: String(ROUNDS) },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        only: { type: 'string' },
        postgres: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return usage(error.message.replace(/\.?$/, '.'))
  }
}

const { help, only, postgres, ...numbers } = options()
if (help) {
  console.log(`npm run test:faults [-- options]: kills processes that write, and looks for everything that they had acknowledged.

Two processes write a few kinds of data each to one store, and are killed (SIGKILL) at random moments, one after the other:
that is a round. Then the store is opened; each acknowledged write must be there as it was written, the store must find no
fault in itself, an interrupted restore must be wholly done or wholly undone, and no unfinished file may be left.

Kinds of data: ${names.join(', ')}

Options:
  --rounds <count>   default ${ROUNDS}
  --seed <number>    the random choices of an earlier run again
  --only <kind,…>    only these kinds of data
  --postgres         on a PostgreSQL server of its own, which is restarted in the middle of some rounds
  --help             this`)
  process.exit(0)
}
/** The number of an option; ends the process with 2 for one that is none. */
const wholeNumber = (name, least) => {
  const value = Number(numbers[name])
  if (!Number.isSafeInteger(value) || value < least)
    usage(`--${name} takes a whole number from ${least} on, and "${numbers[name]}" is none.`)
  return value
}
const [rounds, seed] = [wholeNumber('rounds', 1), wholeNumber('seed', 0)]
const kinds = only === undefined ? names : only.split(',')
const unknown = kinds.find((kind) => !names.includes(kind))
if (unknown !== undefined) usage(`There is no kind of data "${unknown}": use ${names.join(', ')}.`)

const server = postgres
  ? await (await import('../../packages/storage-prisma/src/testing/temporary-postgres.ts')).startPostgres()
  : undefined
let restarts = 0
/** Restarts the server in some rounds, at some moment while the processes write. */
const restart = async (random) => {
  if (random() >= RESTARTED_ROUNDS) return
  await setTimeout(random() * LATEST_RESTART_MS)
  await server.restart()
  restarts += 1
}

console.log(`test:faults: ${rounds} rounds on ${postgres ? 'PostgreSQL' : 'SQLite'}, seed ${seed}`)
const startedAt = performance.now()
const { kills, acknowledged, failures, openMs } = await runRounds({
  rounds,
  seed,
  kinds,
  newAddress: async (folder) => server?.database() ?? `file:${join(folder, 'store', 'store.db')}`,
  disturb: server && restart,
  progress: (text) => console.error(text),
})
await server?.stop()
for (const { round, faults, folder } of failures) {
  console.log(`FAILED  round ${round + 1}; what it left is in ${folder}`)
  for (const fault of faults.slice(0, MOST_FAULTS_SHOWN)) console.log(`        ${fault}`)
  if (faults.length > MOST_FAULTS_SHOWN) console.log(`        and ${faults.length - MOST_FAULTS_SHOWN} more`)
}
recordTotals(
  rounds - failures.length,
  failures.map(({ round, faults }) => ({ name: `tools faults › round ${round + 1}, seed ${seed}`, error: faults[0] })),
)
const counts = Object.entries(acknowledged).map(([kind, count]) => `${kind} ${count}`)
const sum = Object.values(acknowledged).reduce((total, count) => total + count, 0)
const opened =
  openMs.length === 0
    ? ''
    : `, opened again in ${median(openMs).toFixed(0)} ms at the median and ${Math.max(...openMs).toFixed(0)} ms at worst`
console.log(
  `Total: ${rounds} rounds, ${kills} kills, ${postgres ? `${restarts} restarts of the server, ` : ''}${sum} writes acknowledged (${counts.join(', ')}), ${failures.length} rounds with a loss${opened} [${((performance.now() - startedAt) / 1_000).toFixed(0)} s]`,
)
process.exit(failures.length === 0 ? 0 : 1)
