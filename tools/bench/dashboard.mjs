// The dashboard's queries over ten million requests, and its lists over 200,000 sessions: makes the store once, then asks it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn } from 'node:child_process'
import { percentile } from './numbers.mjs'
import { cacheFolder, schemaHash } from './paths.mjs'

/** Increase it when the generator changes. */
const GENERATOR = 4
const TARGETS_MS = { '30 days': 150, 'two years': 600 }
/** Of the first page as a whole, with what moved the cost. */
const OVERVIEW_TARGETS_MS = { '30 days': 60, 'two years': 200 }
const LIST_TARGETS_MS = { '30 days': 300, 'two years': 1_000 }

/**
 * Measures the dashboard's queries over a synthetic store, which is made once and kept. Rejects when a script fails.
 * @param {{ requests: number, runs: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function dashboard({ requests, runs, log }) {
  const store = join(cacheFolder('stores'), `synthetic-${requests}-${GENERATOR}-${schemaHash()}.db`)
  if (!existsSync(store)) {
    log(`dashboard: making a store of ${requests} requests (once, a minute or two)…`)
    await script('synthetic-store.mjs', [store, String(requests)])
  }
  log(`dashboard: ${runs} runs of each query over ${requests} requests…`)
  const queries = JSON.parse(await script('dashboard-queries.mjs', [store, String(runs)]))
  log(`dashboard: ${runs} runs of the whole overview…`)
  const overviews = JSON.parse(
    await script('overview-queries.mjs', [store, String(runs)], ['--conditions=react-server']),
  )
  log(`dashboard: ${runs} runs of each list…`)
  const lists = JSON.parse(await script('session-lists.mjs', [store, String(runs)]))
  return [
    ...queries.flatMap((times) => resultsOf('by', times, TARGETS_MS, log)),
    ...overviews.flatMap((times) => resultsOf('overview of', times, OVERVIEW_TARGETS_MS, log)),
    ...lists.flatMap((times) => resultsOf('sessions by', times, LIST_TARGETS_MS, log)),
  ]
}

/** The results of a query; a slow one is logged. */
function resultsOf(what, { by, span, ms, slowest }, targets, log) {
  const name = `${what} ${by}, ${span}`
  const p95 = percentile(ms, 0.95)
  if (p95 > targets[span]) log(`  ${name}: slowest ${slowest.ms.toFixed(0)} ms for ${JSON.stringify(slowest.query)}`)
  return [
    { name: `${name}, p50`, value: percentile(ms, 0.5), unit: 'ms' },
    { name: `${name}, p95`, value: p95, unit: 'ms', target: { most: targets[span] } },
  ]
}

/** In a separate process, on the packages' sources: its memory is not counted as this one's. */
function script(name, args, conditions = []) {
  const child = spawn(
    process.execPath,
    ['--conditions=@cairn/source', ...conditions, fileURLToPath(new URL(name, import.meta.url)), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  )
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${name} ended with ${code}`))))
  })
}
