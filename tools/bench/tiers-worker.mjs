// A process that replays reads with packs held in several ways and budgets, and then what loading ahead would have had ready. Prints JSON: a table for people, and the results.
import { MemoryBudget } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import { packCacheSizes } from '../../packages/storage-prisma/src/packs/pack-cache-sizes.ts'
import { median, percentile } from './numbers.mjs'
import { predictions } from './tiers-prediction.mjs'
import { operationsOf, perform, withPasses } from './tiers-reads.mjs'

const MEGABYTE = 1024 * 1024
const BUDGETS = [8, 32, 128]
const PASSES = 5
const [path, prompts, rounds] = process.argv.slice(2)
const address = `file:${path}`

/** Ways to hold packs: not at all; all from their first use on; those that were used again for longer. */
const WAYS = {
  never: () => ({ onceBytes: 0, mostBytes: 0 }),
  first: (budget) => {
    const { mostBytes } = packCacheSizes(budget)
    return { onceBytes: mostBytes, mostBytes }
  },
  second: packCacheSizes,
}

const cpuMs = (since) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

/** Opens the store, makes all reads, and gives what they took and what was asked of the packs. */
async function replayed(operations, megabytes, way) {
  const budget = new MemoryBudget(megabytes * MEGABYTE)
  const store = await openStore(address, { memoryBudget: budget, packCache: WAYS[way](budget) })
  const [recalls, reads] = [[], []]
  const cpu = { recall: 0, read: 0, pass: 0 }
  const figuresNow = () => budget.figures.caches.find(({ name }) => name === 'packs')
  let missedByPasses = 0
  for (const operation of operations) {
    const { misses } = figuresNow()
    const [began, before] = [performance.now(), process.cpuUsage()]
    await perform(store, operation)
    const [cpuOf, ms] = [cpuMs(before), performance.now() - began]
    if (operation.kind === 'pass') {
      missedByPasses += figuresNow().misses - misses
      cpu.pass += cpuOf
    } else if (operation.kind === 'recall') {
      recalls.push(ms)
      cpu.recall += cpuOf
    } else {
      reads.push(ms)
      cpu.read += cpuOf
    }
  }
  const figures = figuresNow()
  await store.close()
  return { figures, cpu, recalls, reads, missedOutside: figures.misses - missedByPasses }
}

/** All ways in turn, in another order each round, so that none is always the first. */
async function measured(operations, megabytes) {
  const names = Object.keys(WAYS)
  const runs = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < Number(rounds); round += 1)
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length]
      runs[name].push(await replayed(operations, megabytes, name))
    }
  return runs
}

const hitRate = ({ hits, misses, shared }) => (hits + shared) / (hits + shared + misses)
/** The median over the rounds of what a run had beside the run without a cache of the same round. */
const ratioTo = (runs, others, of) => median(runs.map((run, index) => of(run) / of(others[index])))

const cell = (text, width) => String(text).padStart(width)
const HEAD = [
  'budget',
  'held',
  'in memory',
  'reads',
  'again',
  'promoted',
  'demoted',
  'MB',
  'CPU reads',
  'CPU recall',
  'p50',
  'p95',
]
const rowText = (cells) => cells.map((text, index) => cell(text, index < 2 ? 7 : 10)).join(' ')

/** A way with one budget, as a row of the table. */
function wayRow(megabytes, name, runs) {
  const { figures } = runs[0]
  return rowText([
    `${megabytes} MB`,
    name,
    `${(100 * hitRate(figures)).toFixed(1)} %`,
    figures.misses,
    figures.repeats,
    figures.promotions,
    figures.evictions,
    (figures.bytes / MEGABYTE).toFixed(1),
    `${median(runs.map(({ cpu }) => cpu.read)).toFixed(0)} ms`,
    `${median(runs.map(({ cpu }) => cpu.recall)).toFixed(0)} ms`,
    `${median(runs.map(({ reads }) => median(reads))).toFixed(2)}`,
    `${median(runs.map(({ reads }) => percentile(reads, 0.95))).toFixed(2)}`,
  ])
}

const opened = await openStore(address)
const operations = await operationsOf(opened, Number(prompts))
await opened.close()
// Once for the compiler.
await replayed(operations.slice(0, Math.ceil(operations.length / 4)), 32, 'first')

const lines = [`${operations.length} operations; ms`, rowText(HEAD)]
const results = []
let perPackMs = 0
for (const megabytes of BUDGETS) {
  const runs = await measured(operations, megabytes)
  for (const name of Object.keys(WAYS)) lines.push(wayRow(megabytes, name, runs[name]))
  const [{ figures }] = runs.second
  const ratio = (name, value) => results.push({ name: `${name}, ${megabytes} MB`, value, unit: 'ratio' })
  ratio('packs in memory', hitRate(figures))
  ratio('packs held at first use', hitRate(runs.first[0].figures))
  ratio(
    "reads' CPU / no cache",
    ratioTo(runs.second, runs.never, ({ cpu }) => cpu.read),
  )
  ratio(
    "recall's CPU / no cache",
    ratioTo(runs.second, runs.never, ({ cpu }) => cpu.recall),
  )
  const disturbed = withPasses(operations, PASSES)
  const [outside, heldMb] = [{}, {}]
  for (const name of ['first', 'second']) {
    outside[name] = (await replayed(disturbed, megabytes, name)).missedOutside
    heldMb[name] = (await replayed([{ kind: 'pass' }], megabytes, name)).figures.bytes / MEGABYTE
  }
  lines.push(
    `  with ${PASSES} passes over all sessions among them, reads of packs for the rest: first ${outside.first}, second ${outside.second}; held after one pass alone: first ${heldMb.first.toFixed(1)} MB, second ${heldMb.second.toFixed(1)} MB`,
  )
  ratio('with passes: 2nd / 1st use', outside.second / outside.first)
  ratio('held by a pass: 2nd / 1st use', heldMb.second / heldMb.first)
  const spared = runs.never[0].figures.misses - figures.misses
  const cpuOf = (run) => run.cpu.read + run.cpu.recall
  if (spared > 0) perPackMs = median(runs.never.map((run, index) => cpuOf(run) - cpuOf(runs.second[index]))) / spared
}
const predicted = await predictions({ address, path, operations, perPackMs, megabytes: 32 })
console.log(
  JSON.stringify({ text: [...lines, '', ...predicted.lines].join('\n'), results: [...results, ...predicted.results] }),
)
