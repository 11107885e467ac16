// The list of files that agents read and edited, over all sessions: made once with the engine, then asked for over and over.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { median, percentile } from './numbers.mjs'
import { cacheFolder, schemaHash } from './paths.mjs'
import { script } from './script.mjs'

/** Increase it when the made sessions change. */
const GENERATOR = 1
const MOST_MS = 300

/**
 * Rejects when a script fails.
 * @param {{ sessions: number, runs: number, log: (text: string) => void }} options each session has 150 calls
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function files({ sessions, runs, log }) {
  const store = join(cacheFolder('stores'), `files-${sessions}-${GENERATOR}-${schemaHash()}.db`)
  if (!existsSync(store)) {
    log(`files: making a store of ${sessions} sessions with ${sessions * 150} calls (once, a minute or two)…`)
    await script('files-worker.mjs', ['fill', store, String(sessions)])
  }
  log(`files: ${runs} runs of each list…`)
  const found = JSON.parse(await script('files-worker.mjs', ['list', store, String(runs)]))
  return found.flatMap(({ by, ms, cpu }) => [
    { name: `files: ${by}`, value: median(ms), unit: 'ms', target: { most: MOST_MS }, spread: percentile(ms, 0.95) },
    { name: `files: ${by}, CPU`, value: median(cpu), unit: 'ms' },
  ])
}
