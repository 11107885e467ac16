// Search in a large store: how long a query takes, how much memory the process needs, and what indexing a message costs.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeStore, storeBytes } from './import-speed.mjs'
import { cairnCommand, cairnEnvironment } from './cairn.mjs'
import { cacheFolder, repository, schemaHash, scratchFolder } from './paths.mjs'
import { runWell } from './processes.mjs'

const worker = fileURLToPath(new URL('recall-scale-worker.mjs', import.meta.url))
/** Runs the worker with arguments and resolves with the JSON that it prints; rejects when it fails. */
export const runWorker = async (...args) =>
  JSON.parse((await runWell([process.execPath, '--conditions=@cairn/source', worker, ...args])).stdout)

/** Changes when what is stored of a message does. */
function indexHash() {
  const hash = createHash('sha256').update(schemaHash())
  for (const folder of ['text-analysis', 'recall/index']) {
    const path = join(repository, 'packages', 'core', 'src', folder)
    for (const name of readdirSync(path).sort())
      if (/^(?:message-codec|segment|postings|build|scan|words|stem|forms|hash|passages)\.ts$/.test(name))
        hash.update(readFileSync(join(path, name)))
  }
  return hash.digest('hex').slice(0, 12)
}

/**
 * The store of this many messages, created if it does not exist.
 * @param {number} messages
 * @param {(text: string) => void} log
 * @returns {Promise<{ path: string, results: readonly import('./result.mjs').Result[] }>} with what making it took
 */
export async function talkStore(messages, log) {
  const path = join(cacheFolder('stores'), `talk-${messages}-${indexHash()}.db`)
  if (existsSync(path)) return { path, results: [] }
  log(`recall-scale: making a store of ${messages} messages`)
  removeStore(`${path}.part`)
  const { seconds, characters, memoryMiB } = await runWorker('make', `file:${path}.part`, String(messages))
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(`${path}.part${suffix}`)) renameSync(`${path}.part${suffix}`, path + suffix)
  log(
    `  ${seconds.toFixed(0)} s, ${(characters / messages).toFixed(0)} characters a message, ${(storeBytes(path) / 1e6).toFixed(0)} MB`,
  )
  return {
    path,
    results: [
      { name: 'talk written and indexed', value: characters / 1e6 / seconds, unit: 'MB/s' },
      { name: 'the same, peak memory', value: memoryMiB, unit: 'MiB', target: { most: 350 } },
    ],
  }
}

/** Peak memory of `cairn recall` that answers 180 questions of 3, 8 and 20 words everywhere, MiB. */
async function memoryOfCommand(path, folder, asked) {
  const queries = join(folder, 'queries.jsonl')
  const lines = Array.from({ length: 60 }, (_, index) =>
    [3, 8, 20].map((words) => ({ id: `${words}-${index}`, query: asked[words][index] })),
  ).flat()
  writeFileSync(queries, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { peakBytes } = await runWell(cairnCommand(['recall', '--store', `file:${path}`, '--queries', queries]), {
    env: cairnEnvironment,
  })
  return peakBytes === null ? undefined : peakBytes / 2 ** 20
}

/**
 * Measures searches in a large store, which is made once and kept.
 * @param {{ messages: number, runs: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function recallScale({ messages, runs, log }) {
  const { path, results: made } = await talkStore(messages, log)
  const results = [...made]
  const folder = scratchFolder('questions')
  const questions = join(folder, 'questions.json')
  await runWorker('questions', questions)
  const found = await runWorker('ask', `file:${path}`, questions, String(runs))
  const memory = await memoryOfCommand(path, folder, JSON.parse(readFileSync(questions, 'utf8')))
  rmSync(folder, { recursive: true, force: true })
  for (const { scope, words, p50, p95 } of found.results) {
    const most = scope === 'all' ? [70, 120] : [15, 15]
    const name = `${words} words, ${scope === 'all' ? 'everywhere' : 'one workspace'}`
    results.push(
      { name: `${name}, p50`, value: p50, unit: 'ms', target: { most: most[0] } },
      { name: `${name}, p95`, value: p95, unit: 'ms', target: { most: most[1] } },
    )
  }
  results.push(
    { name: 'sessions, 12 words, everywhere, p50', value: found.sessions.p50, unit: 'ms', spread: found.sessions.p95 },
    { name: 'first question of a process', value: found.first, unit: 'ms' },
    { name: 'append', value: found.append, unit: 'ms' },
    { name: 'append, then found everywhere', value: found.found, unit: 'ms' },
    // 300 MB.
    ...(memory === undefined
      ? []
      : [{ name: `memory, ${messages} messages`, value: memory, unit: 'MiB', target: { most: 286 } }]),
  )
  return results
}
