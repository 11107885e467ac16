// Processes that write until they are killed, or for some time, and what they acknowledged.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('writer-process.mjs', import.meta.url))
/** Nothing takes so long, on a busy machine either: who waits so long has found a process that hangs. */
const PATIENCE_MS = 120_000
const LONGEST_ERROR = 2_000

/**
 * @typedef {object} Killing when a process is killed
 * @property {string} kind the records that are counted
 * @property {number} records after so many of them; 0: from the beginning, while the store is opened
 * @property {number} ms so long after that
 */

/**
 * Starts a process; it writes when told to.
 * @param {{ scene: import('./open-engine.mjs').Scene, process: string, seed: number, kinds: readonly string[], seconds?: number }} writing `seconds`: it ends by itself
 * @returns {{ ready: Promise<void>, writeUntil: (killing: Killing) => Promise<Record<string, any[]>>, writeToTheEnd: () => Promise<Record<string, any[]>> }} `writeUntil` resolves
 * with the acknowledged records by kind once the process is dead, and rejects when it ended by itself or hangs
 */
export function startWriter({ scene, process: name, seed, kinds, seconds = 0 }) {
  const parameters = [JSON.stringify(scene), name, String(seed), String(seconds), ...kinds]
  const child = spawn(process.execPath, ['--conditions=@cairn/source', SCRIPT, ...parameters], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const records = Object.fromEntries([...kinds, 'reads'].map((kind) => [kind, []]))
  let [output, errors] = ['', '']
  const listeners = new Set()
  child.stdin.on('error', () => undefined)
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (output + text).split('\n')
    // What a kill has cut off was not acknowledged.
    output = lines.pop()
    for (const line of lines) {
      const [kind, record] = JSON.parse(line)
      if (kind !== 'ready') records[kind].push(record)
      for (const listener of listeners) listener(kind)
    }
  })
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL' ? seconds === 0 : code === 0 && seconds > 0) resolve()
      else
        reject(
          new Error(
            `the writer ${name} (${kinds.join(', ')}) ended with ${code ?? signal}: ${errors.slice(0, LONGEST_ERROR)}`,
          ),
        )
    })
  })
  // Reported when it is awaited.
  ended.catch(() => undefined)
  /**
   * Resolves at the nth record of a kind from now, or when the writer has ended; kills it and rejects if that takes
   * longer than `PATIENCE_MS`.
   */
  const told = (kind, count) =>
    new Promise((resolve, reject) => {
      let left = count
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        reject(
          new Error(
            `the writer ${name} (${kinds.join(', ')}) acknowledged nothing of ${kind} in ${PATIENCE_MS / 1_000} s: ${errors.slice(0, LONGEST_ERROR)}`,
          ),
        )
      }, PATIENCE_MS)
      const end = (settle) => (value) => {
        clearTimeout(timer)
        listeners.delete(listener)
        settle(value)
      }
      const listener = (each) => {
        if (each === kind) left -= 1
        if (left <= 0) end(resolve)()
      }
      listeners.add(listener)
      ended.then(end(resolve), end(reject))
      if (count === 0) end(resolve)()
    })
  return {
    ready: told('ready', 1),
    writeToTheEnd: async () => {
      child.stdin.write('go\n')
      await ended
      return records
    },
    writeUntil: async ({ kind, records: count, ms }) => {
      const enough = told(kind, count)
      child.stdin.write('go\n')
      await enough
      const timer = setTimeout(() => child.kill('SIGKILL'), ms)
      try {
        await ended
      } finally {
        clearTimeout(timer)
      }
      return records
    },
  }
}
