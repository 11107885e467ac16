// Preparing requests: in a growing session, and the first one of a stored session; and beside it the
// claims of Cline and CLIO about their steps.
import { fileURLToPath } from 'node:url'
import { contextClaims } from './context-claims.mjs'
import { median } from './numbers.mjs'
import { runWell } from './processes.mjs'

const worker = fileURLToPath(new URL('context-live-worker.mjs', import.meta.url))
/** Runs the worker, and resolves with the JSON that it prints. */
const worked = async (...args) =>
  JSON.parse(
    (await runWell([process.execPath, '--conditions=@cairn/source', '--max-old-space-size=8192', worker, ...args]))
      .stdout,
  )

const MICROSECONDS = 1000
const STORED_MESSAGES = 10_000

/**
 * Measures how long the next request of a live session, and the first of a stored one, take to prepare.
 * @param {{ sizes: readonly [number, number], runs: number, sessions: number, log: (text: string) => void }} options
 *   `sizes`: messages of the small and of the large session
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function contextSpeed({ sizes, runs, sessions, log }) {
  const results = []
  const [small, large] = await worked('live', sizes.join(','))
  for (const { messages, medianMs, p95Ms, worstMs } of [small, large]) {
    results.push({
      name: `next request, ${messages} messages`,
      value: medianMs * MICROSECONDS,
      unit: 'µs',
      target: { most: 1 * MICROSECONDS },
      spread: p95Ms * MICROSECONDS,
    })
    log(
      `context: ${messages} messages: median ${medianMs.toFixed(3)} ms, p95 ${p95Ms.toFixed(3)} ms, worst ${worstMs.toFixed(0)} ms`,
    )
  }
  results.push({
    name: `the same, ${large.messages} / ${small.messages}`,
    value: large.medianMs / small.medianMs,
    unit: 'ratio',
    target: { most: 1.3 },
  })

  const times = []
  for (let run = 0; run < runs; run += 1) times.push(await worked('stored', String(STORED_MESSAGES)))
  const name = `first request, ${STORED_MESSAGES} stored`
  results.push({ name, value: median(times.map(({ ms }) => ms)), unit: 'ms', target: { most: 200 } })
  results.push({ name: `${name}, CPU`, value: median(times.map(({ cpuMs }) => cpuMs)), unit: 'ms' })
  log(`context: ${name}: ${times.map(({ ms, cpuMs }) => `${ms.toFixed(0)} (CPU ${cpuMs.toFixed(0)})`).join(', ')} ms`)

  const claims = await contextClaims({ most: sessions, log })
  if (claims.text !== '') console.log(`${claims.text}\n`)
  return [...results, ...claims.results]
}
