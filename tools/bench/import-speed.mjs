// Time and memory of an import, the share of it that is redaction, the size of its store, and the cost of a second import
// that finds nothing new.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cairnJson } from './cairn.mjs'
import { median } from './numbers.mjs'
import { cacheFolder, schemaHash } from './paths.mjs'
import { runWell } from './processes.mjs'
import { transcripts } from './transcripts.mjs'

const MEGABYTE = 1_000_000
const redactionWorker = fileURLToPath(new URL('redaction-worker.mjs', import.meta.url))

/**
 * The store that an import of this size leaves: `usage` is measured on it. Its path, whether it exists or not; another
 * one when the tables change.
 */
export const storeOf = (megabytes) => join(cacheFolder('stores'), `import-${megabytes}-${schemaHash()}.db`)

/** Bytes of a SQLite store, its log included. Missing files count 0. */
export const storeBytes = (path) =>
  ['', '-wal', '-shm'].reduce((sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0), 0)

/**
 * Removes a SQLite store with its log, if it is there.
 * @param {string} path
 */
export function removeStore(path) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

/**
 * Measures imports of these sizes; no results where there is nothing to make transcripts of.
 * @param {{ sizes: readonly number[], runs: number, log: (text: string) => void }} options sizes in MB
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function importSpeed({ sizes, runs, log }) {
  const results = []
  for (const size of sizes) {
    const input = transcripts(size, { log })
    if (input === undefined) {
      log('import: skipped, there are neither real transcripts nor samples')
      return []
    }
    log(`import: ${size} MB in ${input.files} files, ${input.origin}`)
    results.push(...(await measure(size, input, runs, log)))
  }
  return results
}

/** CPU time of redaction alone, ms. */
async function redactionMs(folder) {
  const { stdout } = await runWell([process.execPath, '--conditions=@cairn/source', redactionWorker, folder])
  return JSON.parse(stdout).cpuMs
}

/** Measures imports of one size, in turns with what they are compared with. */
async function measure(size, input, runs, log) {
  const store = storeOf(size)
  const firsts = []
  // In turn with the imports: both are as busy a machine's.
  const redactions = []
  for (let index = 0; index < runs; index += 1) {
    removeStore(store)
    const { wallMs, cpuMs, peakBytes, json } = await cairnJson([
      'import',
      '--agent',
      'claude-code',
      '--from',
      input.folder,
      '--store',
      `file:${store}`,
    ])
    log(
      `  ${(wallMs / 1000).toFixed(1)} s, ${json.messages} messages, ${json.requests} requests, ${json.skipped.length} skipped`,
    )
    firsts.push({ wallMs, cpuMs, peakBytes })
    redactions.push((await redactionMs(input.folder)) / cpuMs)
  }
  const bytes = storeBytes(store)
  const seconds = []
  for (let index = 0; index < 3; index += 1) {
    const again = await cairnJson([
      'import',
      '--agent',
      'claude-code',
      '--from',
      input.folder,
      '--store',
      `file:${store}`,
    ])
    if (again.json.messages !== 0 || again.json.requests !== 0)
      log(`  NOT INCREMENTAL: the second import found ${again.json.messages} messages`)
    seconds.push(again.wallMs)
  }
  const wall = median(firsts.map((first) => first.wallMs))
  const peaks = firsts.flatMap(({ peakBytes }) => (peakBytes === null ? [] : [peakBytes]))
  return [
    { name: `import ${size} MB`, value: input.bytes / MEGABYTE / (wall / 1000), unit: 'MB/s', target: { least: 15 } },
    { name: `import ${size} MB, CPU`, value: median(firsts.map((first) => first.cpuMs)) / 1000, unit: 's' },
    { name: `redaction / import, ${size} MB, CPU`, value: median(redactions), unit: 'ratio', target: { most: 0.12 } },
    ...(peaks.length === 0
      ? []
      : [
          {
            name: `import ${size} MB, peak memory`,
            value: Math.max(...peaks) / 2 ** 20,
            unit: 'MiB',
            target: { most: 350 },
          },
        ]),
    { name: `store / input, ${size} MB`, value: bytes / input.bytes, unit: 'ratio', target: { most: 0.35 } },
    { name: `second import / first, ${size} MB`, value: median(seconds) / wall, unit: 'ratio', target: { most: 0.1 } },
  ]
}
