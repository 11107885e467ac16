// Makes a large store of made-up talk, and asks it questions, for recall-scale.mjs. On the sources:
// node --conditions=@cairn/source recall-scale-worker.mjs make|ask <store> <messages> [<runs>]; prints JSON.
import { readFileSync } from 'node:fs'
import { openStore } from '@cairn/storage-prisma'
import { median, percentile, randomNumbers } from './numbers.mjs'
import { talk } from './recall-scale-text.mjs'

const WORKSPACES = 50
const PER_SESSION = 50
const PER_BATCH = 500
const START = Date.UTC(2025, 0, 1)
const MINUTE = 60_000

const [task = '', address = '', messagesText = '', runsText = '20'] = process.argv.slice(2)
const messages = Number(messagesText)
const memoryPeak = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024
const workspace = (index) => `/work/project${index % WORKSPACES}`

process.stdout.write(JSON.stringify(await (task === 'make' ? make() : ask(Number(runsText)))))

/** Sessions of 50 messages, in turn in each workspace, as an import would bring them. */
async function make() {
  const store = await openStore(address)
  const { text, subject } = talk(11)
  let characters = 0
  const startedAt = performance.now()
  let pending
  for (let done = 0, session = 0; done < messages; ) {
    const sessions = []
    for (let size = 0; size < PER_BATCH && done < messages; ) {
      const about = subject()
      const count = Math.min(PER_SESSION, messages - done)
      const writes = Array.from({ length: count }, (_, index) => {
        const said = text(about)
        characters += said.length
        const at = START + (done + index) * MINUTE
        return { entry: { kind: 'message', at, id: `m${index}`, role: index % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text: said }] }, externalId: `m${index}` }
      })
      sessions.push({ session: { id: `generic:s${session}`, agent: 'generic', externalId: `s${session}`, workspace: workspace(session) }, writes })
      session += 1
      size += count
      done += count
    }
    const cursor = { identity: '1', size: 1, modifiedAt: 1, offset: 1, line: 1, fingerprint: 'x', parserState: null }
    const prepared = store.imports.prepare({ path: `/talk/${session}`, agent: 'generic', baseVersion: 0, restarted: false, sessions, source: [], skips: [], cursor })
    await pending
    pending = prepared.commit()
    if (done % 100_000 < PER_BATCH) process.stderr.write(`  ${done} messages, ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
  }
  await pending
  await store.close()
  return { seconds: (performance.now() - startedAt) / 1000, characters, memoryMiB: memoryPeak() }
}

async function ask(runs) {
  const { random, sample } = await questions()
  const openedAt = performance.now()
  const store = await openStore(address)
  const first = await timed(() => store.search.search({ text: sample(8) }))
  const opened = performance.now() - openedAt
  const results = []
  for (const scope of ['all', 'one']) {
    for (const words of [3, 8, 20]) {
      const ms = []
      for (let run = -2; run < runs; run += 1) {
        const query = { text: sample(words), ...(scope === 'one' ? { workspace: workspace(Math.floor(random() * WORKSPACES)) } : {}) }
        // Views of workspaces are made at the first question.
        if (scope === 'one') await store.search.search({ ...query, text: 'house' })
        const took = await timed(() => store.search.search(query))
        if (run >= 0) ms.push(took)
      }
      results.push({ scope, words, p50: median(ms), p95: percentile(ms, 0.95) })
    }
  }
  const sessions = []
  for (let run = 0; run < Math.min(runs, 10); run += 1) sessions.push(await timed(() => store.search.sessions({ text: sample(12) })))
  const found = []
  for (let run = 0; run < 10; run += 1) {
    const id = `live${process.pid}x${run}`
    const at = performance.now()
    await store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace: workspace(run) }, 0, [{ entry: { kind: 'message', at: START, id: 'm', role: 'user', content: [{ type: 'text', text: `zyzzyva ${id}` }] } }])
    const appended = performance.now() - at
    const [hit] = await store.search.search({ text: id, limit: 1 })
    if (hit?.sessionId !== `cairn:${id}`) throw new Error(`${id} was not found`)
    found.push({ appended, ms: performance.now() - at })
    await store.sessions.delete(`cairn:${id}`)
  }
  const memoryMiB = memoryPeak()
  await store.close()
  return { opened, first, results, sessions: { p50: median(sessions), p95: percentile(sessions, 0.95) }, append: median(found.map(({ appended }) => appended)), found: median(found.map(({ ms }) => ms)), memoryMiB }
}

/** Words of messages that the store holds. */
async function questions() {
  const random = randomNumbers(5)
  const { text, subject } = talk(11)
  const said = []
  for (let session = 0; session < 400; session += 1) {
    const about = subject()
    for (let index = 0; index < PER_SESSION; index += 1) said.push(text(about))
  }
  const sample = (count) => {
    const words = said[Math.floor(random() * said.length)].replaceAll('.', '').split(' ')
    return Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
  }
  return { random, sample }
}

async function timed(work) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
