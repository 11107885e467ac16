// A process of the backup benchmark; prints what it measured as JSON.
// fill <store> <bytes>: fills a store with text that does not compress well, and ends.
// write <store>: appends a message each 50 ms until standard input ends; how long each append took.
// backup <store> <target>: backs the store up; time, CPU, and how long this process' event loop stood still at most.
import { statSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openStore } from '@cairn/storage-prisma'
import { backUpStore } from '@cairn/storage-prisma/backups'
import { randomNumbers } from './numbers.mjs'

const WRITE_EACH_MS = 50
const MESSAGE_CHARACTERS = 20_000
const MESSAGES_PER_APPEND = 20
const ENTRIES_PER_SESSION = 400

const [mode, path, argument] = process.argv.slice(2)
const address = `file:${path}`
const message = (id, text) => ({
  entry: { kind: 'message', id, at: 1, role: 'user', content: [{ type: 'text', text }] },
})
const session = (name) => ({ id: `cairn:${name}`, agent: 'cairn', externalId: name })

const modes = {
  /** Fills a store up to a size in bytes with made messages. */
  async fill() {
    const random = randomNumbers(7)
    const text = () => Array.from({ length: MESSAGE_CHARACTERS / 8 }, () => random().toString(36).slice(2, 9)).join(' ')
    const store = await openStore(address)
    for (let count = 0; statSync(path).size < Number(argument); count += MESSAGES_PER_APPEND) {
      const writes = Array.from({ length: MESSAGES_PER_APPEND }, (_, index) => message(`m${count + index}`, text()))
      const result = await store.sessions.append(
        session(`s${Math.floor(count / ENTRIES_PER_SESSION)}`),
        count % ENTRIES_PER_SESSION,
        writes,
      )
      if (!result.ok) throw new Error('another process writes this store')
    }
    await store.close()
    return { bytes: statSync(path).size }
  },
  /** Writes a message every `WRITE_EACH_MS` until the input ends, and returns how long each took, in ms. */
  async write() {
    const store = await openStore(address)
    const took = []
    let isEnded = false
    process.stdin.on('end', () => (isEnded = true)).resume()
    for (let seq = 0; !isEnded; seq += 1) {
      const startedAt = performance.now()
      await store.sessions.append(session('writer'), seq, [message(`w${seq}`, `text ${seq}`)])
      took.push(performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, WRITE_EACH_MS))
    }
    await store.close()
    return { took }
  },
  /**
   * Makes a backup and measures it: times of its phases in ms, and the longest time in which nothing else could run.
   */
  async backup() {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const cpu = process.cpuUsage()
    const phases = {}
    const report = await backUpStore(path, {
      kind: 'manual',
      to: argument,
      onProgress: ({ phase }) => (phases[phase] ??= performance.now()),
    })
    const { user, system } = process.cpuUsage(cpu)
    const end = performance.now()
    return {
      ms: report.ms,
      cpuMs: (user + system) / 1000,
      bytes: report.bytes,
      faults: report.faults.length,
      copyMs: phases.checking - (end - report.ms),
      checkMs: phases.proving - phases.checking,
      proveMs: end - phases.proving,
      longestPauseMs: delay.max / 1e6,
    }
  },
}

process.stdout.write(JSON.stringify(await modes[mode]()))
