// Replays of all recorded sessions under many policies, spread over processes. What comes out does not depend on how
// many there are, nor on how busy the machine is.
import { fork } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const worker = fileURLToPath(new URL('context-replay-worker.mjs', import.meta.url))
const MOST_PROCESSES = 2

/**
 * @typedef {object} ReplayRun
 * @property {string} label unique among the runs
 * @property {'none' | 'cline' | 'clio' | 'cache-aware'} policy
 * @property {Record<string, unknown>} [options] of the policy; of `cache-aware` its preset, too
 * @property {number} window tokens
 * @property {number} prefix tokens
 * @property {number} cacheLifetime seconds
 * @property {{ input: number, output: number, write: number, read: number }} prices USD per million tokens
 */

/**
 * @typedef {object} Figures results of a run over all sessions
 * @property {string} label
 * @property {ReplayRun['policy']} policy
 * @property {Record<string, unknown> | undefined} options
 * @property {number} cost USD with restores, the sum
 * @property {Map<string, number>} costs the same by file
 * @property {number} misses a session
 * @property {number} content content misses a session
 * @property {number} hit the share of all input that came from the cache
 * @property {number} rewrites a session
 * @property {number} overflows requests larger than the window, the sum
 */

/**
 * Replays files under all runs, in a process for each core. Rejects when one of them fails. `onFile` is told how many
 * are done.
 * @param {readonly string[]} files
 * @param {readonly ReplayRun[]} runs
 * @param {(done: number) => void} [onFile]
 * @returns {Promise<Map<string, Figures>>} by label
 */
export async function replayAll(files, runs, onFile = () => undefined) {
  const waiting = files.toReversed()
  const rows = []
  let done = 0
  const work = () =>
    new Promise((resolve, reject) => {
      const child = fork(worker, [], { execArgv: ['--conditions=@cairn/source'] })
      const next = () => {
        const file = waiting.pop()
        if (file !== undefined) child.send({ file, runs })
        else child.disconnect()
      }
      child.on('message', (replayed) => {
        rows.push(...replayed)
        onFile((done += 1))
        next()
      })
      child.on('error', reject)
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A replay ended with ${code}.`))))
      next()
    })
  await Promise.all(Array.from({ length: Math.min(MOST_PROCESSES, cpus().length, files.length) }, work))
  return new Map(runs.map(({ label }) => [label, figuresOf(rows.filter((row) => row.label === label))]))
}

/** The figures of all replays of one run, whatever order they came in. */
function figuresOf(rows) {
  // Sums of fractions depend on their order, and the processes answer in any order.
  rows.sort((left, right) => (left.file < right.file ? -1 : 1))
  const sum = (value) => rows.reduce((total, row) => total + value(row), 0)
  const inputOf = (row) => Object.values(row.tokensByUse).reduce((total, tokens) => total + tokens, 0)
  const { label, policy, options } = rows[0]
  return {
    label,
    policy,
    options,
    cost: sum((row) => row.costWithRestoresUsd),
    costs: new Map(rows.map((row) => [row.file, row.costWithRestoresUsd])),
    misses: sum((row) => row.missedReferences) / rows.length,
    content: sum((row) => row.missedContent) / rows.length,
    hit: sum((row) => row.cacheHitRatio * inputOf(row)) / sum(inputOf),
    rewrites: sum((row) => row.rewrites) / rows.length,
    overflows: sum((row) => row.overflows),
  }
}
