// A client of `cairn mcp` over standard input and output that only measures: it does not check the answers.
import { spawn } from 'node:child_process'
import { cairnEnvironment } from './cairn.mjs'
import { peakOf } from './processes.mjs'

/**
 * @typedef {object} Session
 * @property {number} initialisedMs from the start of the process to the answer to `initialize`
 * @property {(method: string, params: object) => Promise<{ ms: number, result: any }>} ask
 * @property {() => number | null} peakBytes largest resident set of the server so far; null where the system does not report it
 * @property {() => Promise<number>} close ends the input; resolves with the time until the process is gone, ms
 */

/**
 * Starts the server and meets it. `initialisedMs` is the time until it has answered. Its `ask` resolves with an answer,
 * `close` with the ms until it ended.
 * @param {readonly string[]} command
 * @returns {Promise<Session>}
 */
export async function startMcp(command) {
  const started = performance.now()
  const child = spawn(command[0], command.slice(1), {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', ...cairnEnvironment },
  })
  const gone = new Promise((resolve) => child.on('close', resolve))
  const waiting = new Map()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const answer = JSON.parse(line)
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    }
  })
  void gone.then(() => {
    for (const resolve of waiting.values()) resolve({ error: { message: 'The server ended.' } })
  })
  let id = 0
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (method, params) => {
    const begun = performance.now()
    id += 1
    const own = id
    const answer = await new Promise((resolve) => {
      waiting.set(own, resolve)
      send({ id: own, method, params })
    })
    const ms = performance.now() - begun
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
    if (answer.result.isError === true)
      throw new Error(`${method} ${JSON.stringify(params)}: ${answer.result.content[0].text}`)
    return { ms, result: answer.result }
  }
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  const initialisedMs = performance.now() - started
  send({ method: 'notifications/initialized' })
  return {
    initialisedMs,
    ask,
    peakBytes: () => peakOf(child.pid),
    close: async () => {
      const asked = performance.now()
      child.stdin.end()
      await gone
      return performance.now() - asked
    },
  }
}
