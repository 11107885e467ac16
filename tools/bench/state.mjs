// Settings and state, measured in a process of its own that runs on the sources.
import { fileURLToPath } from 'node:url'
import { runWell } from './processes.mjs'

const worker = fileURLToPath(new URL('state-worker.mjs', import.meta.url))

/**
 * Measures settings on each database, in a process of its own. Rejects when that fails.
 * @param {{ sets: number, changes: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function state({ sets, changes, log }) {
  log(`state: ${sets} sets, and ${changes} changes of another process on each database…`)
  const { stdout } = await runWell([
    process.execPath,
    '--conditions=@cairn/source',
    worker,
    String(sets),
    String(changes),
  ])
  return JSON.parse(stdout)
}
