// Programs with a time limit, and waiting for what other processes do.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const LONGEST_RUN_MS = 300_000
const LONGEST_WAIT_MS = 180_000
const BETWEEN_LOOKS_MS = 200

/**
 * Runs a program to its end; standard input is empty.
 * @param {readonly string[]} words
 * @param {{cwd: string, env: Record<string, string>}} options
 * @returns {Promise<{status: number | null, stdout: string, stderr: string}>} rejects where it can't be started or doesn't end
 */
export function runProgram([program = '', ...words], { cwd, env }) {
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32'
    const stdio = ['ignore', 'pipe', 'pipe']
    // Its own group: what it started ends with it when it takes too long.
    const child = spawn(program, words, { cwd, env, stdio, windowsHide: true, detached: !isWindows })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text
      })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (isWindows || child.pid === undefined) child.kill()
      else process.kill(-child.pid, 'SIGKILL')
    }, LONGEST_RUN_MS)
    child.on('error', reject)
    // Not "close": a child of the program may hold its output open.
    child.on('exit', (status) => {
      clearTimeout(timer)
      const told = `${output.stdout}\n${output.stderr}`.trim()
      if (isLate) reject(new Error(`${program} was not done after ${LONGEST_RUN_MS / 1000} s: ${told}`))
      else setImmediate(() => resolve({ status, ...output }))
    })
  })
}

/**
 * Looks again and again until there is something. Rejects after a time limit, or as `look` does.
 * @template T
 * @param {string} what named when it does not come
 * @param {() => Promise<T | undefined>} look
 * @returns {Promise<T>}
 */
export async function waitFor(what, look) {
  for (const end = Date.now() + LONGEST_WAIT_MS; ; await sleep(BETWEEN_LOOKS_MS)) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`After ${LONGEST_WAIT_MS / 1000} s there was no ${what}.`)
  }
}
