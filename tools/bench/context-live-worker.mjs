// A process that prepares requests of a made-up session and prints how long that took, as JSON. Runs on the sources.
//   live <messages,…>   sessions that grow: the newest requests at each of these sizes
//   stored <messages>   the log at once, then the first request
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cacheAwarePolicy, createContext } from '@cairn/core'
import { median, percentile, randomNumbers } from './numbers.mjs'

const CHARACTERS_PER_TOKEN = 2.7
const READ_CHARACTERS = 5000
const FILES = 300
const PAUSE_MS = 20_000
/** The newest requests at a size that are measured. */
const MEASURED = 1000

const random = randomNumbers(1)

/** Collects all garbage at once. */
function collectGarbage() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
const names = Array.from({ length: 20_000 }, (_, index) => `name${index.toString(36)}Of${index % 97}`)
const name = (index) => names[index % names.length]
const versions = new Map()

/** A numbered file of 5 kB; one line of it differs at each read. */
function contentOf(file) {
  const version = (versions.get(file) ?? 0) + 1
  versions.set(file, version)
  const lines = []
  for (let line = 1, length = 0; length < READ_CHARACTERS; line += 1) {
    const salt = line === 1 + (version % 60) ? version : 0
    const text = `${String(line).padStart(6)}→  const ${name(file * 31 + line * 7 + salt)} = ${name(file * 17 + line)}(${name(line * line + file)})`
    lines.push(text)
    length += text.length
  }
  return lines.join('\n')
}

const FIRST = {
  kind: 'message',
  seq: 0,
  at: 0,
  id: 'u',
  role: 'user',
  content: [{ type: 'text', text: 'Mend what is broken.' }],
}

/** A reply that reads a file, and what it read. */
function exchange(index, seq) {
  const file = Math.floor(random() * FILES)
  const at = index * PAUSE_MS
  const call = { type: 'tool_call', id: `c${index}`, name: 'Read', input: { file_path: `/w/src/file${file}.ts` } }
  const result = { type: 'tool_result', callId: `c${index}`, content: [{ type: 'text', text: contentOf(file) }] }
  return [
    {
      kind: 'message',
      seq,
      at,
      id: `a${index}`,
      role: 'assistant',
      responseId: `r${index}`,
      content: [{ type: 'text', text: `I read file ${file}.` }, call],
    },
    { kind: 'message', seq: seq + 1, at: at + 500, id: `t${index}`, role: 'tool', content: [result] },
  ]
}

const situation = (now) => ({
  now,
  window: 200_000,
  availableTokens: 172_000,
  prefix: 20_000,
  lastUsed: 0,
  prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
  cacheLifetime: 300,
  refusals: 0,
})

/** A session that takes an exchange at a time and prepares the request after it. */
function createSession() {
  const context = createContext(cacheAwarePolicy(), CHARACTERS_PER_TOKEN)
  context.step([FIRST])
  let messages = 1
  let index = 0
  return {
    get messages() {
      return messages
    },
    /** Returns the milliseconds that taking and preparing took. */
    next: () => {
      const entries = exchange(index, context.view.nextSeq)
      const from = performance.now()
      context.step(entries)
      context.prepare(situation(entries[1].at + 1000))
      const took = performance.now() - from
      index += 1
      messages += entries.length
      return took
    },
  }
}

/** Sessions of these sizes, whose newest requests are made in turn: other load on the machine affects all alike. */
function live(sizes) {
  const sessions = sizes.map((size) => {
    const session = createSession()
    while (session.messages < size - 2 * MEASURED) session.next()
    return { size, session, times: [] }
  })
  for (let request = 0; request < MEASURED; request += 1)
    for (const { session, times } of sessions) times.push(session.next())
  return sessions.map(({ size, times }) => ({
    messages: size,
    medianMs: median(times),
    p95Ms: percentile(times, 0.95),
    worstMs: percentile(times, 1),
  }))
}

/** Measures the first request of a stored session, in CPU time of this thread. */
function stored(messages) {
  const log = [FIRST]
  for (let index = 0; log.length < messages; index += 1) log.push(...exchange(index, log.length))
  // What made the log is not measured, nor is clearing away after it.
  collectGarbage()
  const from = performance.now()
  // CPU time of this thread: the time on an idle machine, without waits for the garbage collector.
  const before = process.threadCpuUsage()
  const context = createContext(cacheAwarePolicy(), CHARACTERS_PER_TOKEN)
  context.step(log)
  context.prepare(situation(log.at(-1).at + 1000))
  const { user, system } = process.threadCpuUsage(before)
  return { ms: performance.now() - from, cpuMs: (user + system) / 1000 }
}

const [mode, sizes] = process.argv.slice(2)
console.log(JSON.stringify(mode === 'live' ? live(sizes.split(',').map(Number)) : stored(Number(sizes))))
