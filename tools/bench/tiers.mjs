// What is read again and again, and from where: real sessions in a store of their own, read as programs read them, by a process that runs on the sources.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cairnJson } from './cairn.mjs'
import { dataFolder, samplesFolder, scratchFolder } from './paths.mjs'
import { runWell } from './processes.mjs'

const worker = fileURLToPath(new URL('tiers-worker.mjs', import.meta.url))

/**
 * Measures what holding packs in memory saves, with budgets of several sizes, and what loading them ahead would. Rejects when
 * an import or the worker fails.
 * @param {{ prompts: number, rounds: number, log: (text: string) => void }} options `prompts`: of how many prompts of the
 *   sessions the reads are replayed; `rounds`: how often, with each way of holding packs
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function tiers({ prompts, rounds, log }) {
  const folder = scratchFolder('tiers')
  try {
    const data = dataFolder()
    const sources = data === undefined ? [samplesFolder] : [join(data, 'trajectories'), join(data, 'transcripts')]
    const path = join(folder, 'store.db')
    const { json } = await cairnJson([
      'import',
      ...sources.flatMap((from) => ['--from', from]),
      '--store',
      `file:${path}`,
    ])
    log(
      `tiers: ${json.messages} messages of ${json.sessions} sessions, reads for ${prompts} prompts, ${rounds} rounds…`,
    )
    const { stdout, stderr } = await runWell([
      process.execPath,
      '--conditions=@cairn/source',
      worker,
      path,
      String(prompts),
      String(rounds),
    ])
    log(stderr.trimEnd())
    const { text, results } = JSON.parse(stdout)
    console.log(`${text}\n`)
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
