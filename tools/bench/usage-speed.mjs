// `cairn usage` on an imported store against ccusage, which scans the files each time. Same files, no network, in
// turn, so that changes of the machine's speed affect both alike.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cairnCommand, cairnEnvironment, cairnJson } from './cairn.mjs'
import { storeOf } from './import-speed.mjs'
import { median } from './numbers.mjs'
import { cacheFolder, ccusageScript } from './paths.mjs'
import { runWell } from './processes.mjs'
import { transcripts } from './transcripts.mjs'

/**
 * Measures `cairn usage` beside ccusage, over stores of these sizes; no results where there is nothing to make them of.
 * @param {{ sizes: readonly number[], pairs: number, log: (text: string) => void }} options sizes in MB
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function usageSpeed({ sizes, pairs, log }) {
  const results = []
  for (const size of sizes) {
    const input = transcripts(size, { log })
    if (input === undefined) {
      log('usage: skipped, there are neither real transcripts nor samples')
      return []
    }
    const store = storeOf(size)
    if (!existsSync(store))
      await cairnJson(['import', '--agent', 'claude-code', '--from', input.folder, '--store', `file:${store}`])
    for (const by of ['day', 'session']) results.push(...(await compare(size, by, input, store, pairs, log)))
  }
  return results
}

/** Measures two commands in turns, and compares what they find. */
async function compare(size, by, input, store, pairs, log) {
  // Its cache, if it has one, would be left in a home folder: it gets an empty one, and the files from the variable.
  const scan = [process.execPath, ccusageScript(), 'claude', by === 'day' ? 'daily' : 'session', '--offline', '--json']
  const scanEnvironment = {
    CLAUDE_CONFIG_DIR: input.folder,
    HOME: cacheFolder('home'),
    CODEX_HOME: join(input.folder, 'none'),
  }
  const report = cairnCommand(['usage', '--by', by, '--store', `file:${store}`, '--json'])
  const ours = []
  const theirs = []
  const ratios = []
  // The first pair warms the files' cache and is not counted.
  for (let pair = 0; pair <= pairs; pair += 1) {
    const own = await runWell(report, { env: cairnEnvironment })
    const other = await runWell(scan, { env: scanEnvironment })
    if (pair === 0) {
      log(
        `usage by ${by}, ${size} MB: cairn $${totalOf(own.stdout).toFixed(2)}, ccusage $${totalOf(other.stdout).toFixed(2)}`,
      )
      continue
    }
    ours.push(own.wallMs)
    theirs.push(other.wallMs)
    ratios.push(own.wallMs / other.wallMs)
  }
  const name = `usage by ${by}, ${size} MB`
  return [
    { name, value: median(ours), unit: 'ms' },
    { name: `  ccusage by ${by}, ${size} MB`, value: median(theirs), unit: 'ms' },
    {
      name: `  cairn / ccusage by ${by}, ${size} MB`,
      value: median(ratios),
      unit: 'ratio',
      ...(size >= 500 ? { target: { most: 1 } } : {}),
    },
  ]
}

/** Dollars, from the output of either program. */
function totalOf(stdout) {
  const report = JSON.parse(stdout)
  return report.total?.costUsd ?? report.totals?.totalCost ?? report.totals?.costUSD ?? Number.NaN
}
