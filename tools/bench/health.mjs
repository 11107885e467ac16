// What gathering the figures of health costs: imports and appends with it and without, in turns, each in a process of its own that runs on the sources.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, percentile } from './numbers.mjs'
import { scratchFolder } from './paths.mjs'
import { runWell } from './processes.mjs'
import { transcripts } from './transcripts.mjs'

const worker = fileURLToPath(new URL('health-worker.mjs', import.meta.url))
/** Of the CPU time of a program. */
const MOST_SHARE = 0.01

/**
 * Measures CPU time. What is held against the target is what each part of gathering costs alone, by how often it was needed:
 * pairs on a busy machine differ by more than that.
 * @param {{ appends: number, megabytes: number, pairs: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function health({ appends, megabytes, pairs, log }) {
  const folder = scratchFolder('health')
  try {
    const input = transcripts(megabytes, { log })
    const works = [
      { name: `${appends} appends`, parameters: ['appends', String(appends)] },
      ...(input === undefined ? [] : [{ name: `import of ${megabytes} MB`, parameters: ['import', input.folder] }]),
    ]
    const results = []
    for (const { name, parameters } of works) {
      log(`health: ${name}, ${pairs} pairs…`)
      const runs = { on: [], off: [] }
      for (let pair = 0; pair < pairs; pair += 1)
        for (const gathering of pair % 2 === 0 ? ['on', 'off'] : ['off', 'on'])
          runs[gathering].push(await measured(folder, gathering, parameters))
      results.push(...resultsOf(name, runs))
    }
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One run over a new store. */
async function measured(folder, gathering, parameters) {
  const own = mkdtempSync(join(folder, 'store-'))
  try {
    const command = [process.execPath, '--conditions=@cairn/source', worker, own, gathering, ...parameters]
    return JSON.parse((await runWell(command)).stdout)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/**
 * The results of a measure: what gathering takes (µs), with the largest share of CPU time that it may have, and the
 * ratios of all pairs.
 */
const resultsOf = (name, { on, off }) => {
  const ratios = on.map(({ cpuMs }, index) => cpuMs / off[index].cpuMs)
  const cpuMs = median(on.map((run) => run.cpuMs))
  const gatheringMs = median(on.map((run) => run.gatheringMs))
  return [
    {
      name: `health, ${name}`,
      value: gatheringMs * 1_000,
      unit: 'µs',
      target: { most: MOST_SHARE * cpuMs * 1_000 },
    },
    { name: '  CPU with it, of all pairs', value: sum(on) / sum(off), unit: 'ratio' },
    { name: '  the middle pair', value: median(ratios), unit: 'ratio', spread: percentile(ratios, 0.95) },
    { name: '  CPU in all', value: cpuMs, unit: 'ms' },
  ]
}

const sum = (runs) => runs.reduce((total, { cpuMs }) => total + cpuMs, 0)
