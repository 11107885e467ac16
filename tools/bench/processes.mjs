// Runs a command and accounts for it: wall time, CPU time, peak memory.
//
// CPU time comes from the shell's `time`, which has it from the operating system when the command has ended; peak
// memory is the high-water mark that Linux keeps for each process, read while it runs (null on other systems).
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const POLL_MS = 15

/**
 * @typedef {object} Run
 * @property {number} wallMs
 * @property {number} cpuMs user + system, children included
 * @property {number | null} peakBytes resident set of the largest process
 * @property {number} exitCode
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * Runs a command to its end. Never rejects for what the command does: look at `exitCode`. It rejects where the program
 * can't be started.
 * @param {readonly string[]} command a program with its arguments
 * @param {{ cwd?: string, env?: Record<string, string>, input?: string }} [options] `input`: what the command reads
 * @returns {Promise<Run>}
 */
export function run(command, { cwd, env, input } = {}) {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%3R %3U %3S"; { time "$@" 2>&4; } 4>&2 2>&3', 'bash', ...command], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  // A command may end without having read it.
  child.stdin?.on('error', () => undefined).end(input)
  const texts = collect([child.stdout, child.stderr, child.stdio[3]])
  let peak = 0
  const poll = setInterval(() => (peak = Math.max(peak, peakOf(child.pid) ?? 0)), POLL_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(poll)
      const [stdout, stderr, times] = texts.map((chunks) => Buffer.concat(chunks).toString('utf8'))
      const [wall, user, system] = times.trim().split('\n').at(-1).split(' ').map(Number)
      resolve({
        wallMs: wall * 1000,
        cpuMs: (user + system) * 1000,
        peakBytes: peak === 0 ? null : peak,
        exitCode: code ?? -1,
        stdout,
        stderr,
      })
    })
  })
}

/**
 * As `run`, but a failure ends the benchmark with what the command said. Rejects where it ends with another code than
 * 0.
 * @param {readonly string[]} command
 * @param {{ cwd?: string, env?: Record<string, string>, input?: string }} [options]
 */
export async function runWell(command, options) {
  const result = await run(command, options)
  if (result.exitCode !== 0)
    throw new Error(`${command.join(' ')} ended with ${result.exitCode}: ${result.stderr.slice(-2000)}`)
  return result
}

/** The chunks of each stream, which grow as they come. */
function collect(streams) {
  return streams.map((stream) => {
    const chunks = []
    stream.on('data', (chunk) => chunks.push(chunk))
    return chunks
  })
}

/**
 * The largest resident set so far of a process or one that it started, bytes: a command may run in another Node than it was
 * called with. Null where the system does not tell.
 * @param {number} pid
 * @returns {number | null}
 */
export function peakOf(pid) {
  try {
    const own = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((text) => text !== '')
    return Math.max(own, ...children.map((child) => peakOf(child) ?? 0))
  } catch {
    return null
  }
}
