// Makes a large store of synthetic chat, and queries it, for recall-scale.mjs. On the sources:
// node --conditions=@cairn/source recall-scale-worker.mjs make <store> <messages>, questions <file>, ask <store> <file> <runs>,
// compare <store> <file> <runs> <other store>;
// prints JSON.
import { readFileSync, writeFileSync } from 'node:fs'
import { openStore } from '@cairn/storage-prisma'
import { median, percentile, randomNumbers } from './numbers.mjs'

const WORKSPACES = 50
const PER_SESSION = 50
const PER_BATCH = 500
const START = Date.UTC(2025, 0, 1)
const MINUTE = 60_000

const [task = '', address = '', argument = '', runs = '20', other = ''] = process.argv.slice(2)
/** The largest resident set of this process so far, MiB. */
const memoryPeak = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024
const workspace = (index) => `/work/project${index % WORKSPACES}`

const tasks = {
  make: () => make(Number(argument)),
  questions: () => questions(address),
  ask: () => ask(JSON.parse(readFileSync(argument, 'utf8')), Number(runs)),
  compare: () => compare(JSON.parse(readFileSync(argument, 'utf8')), Number(runs)),
}
process.stdout.write(JSON.stringify(await tasks[task]()))

/** Sessions of 50 messages, in turn in each workspace, as an import would bring them. */
async function make(messages) {
  const store = await openStore(address)
  const { text, subject } = (await import('./recall-scale-text.mjs')).talk(11)
  let characters = 0
  const startedAt = performance.now()
  let pending
  for (let done = 0, session = 0; done < messages;) {
    const sessions = []
    for (let size = 0; size < PER_BATCH && done < messages;) {
      const about = subject()
      const count = Math.min(PER_SESSION, messages - done)
      const writes = Array.from({ length: count }, (_, index) => {
        const messageText = text(about)
        characters += messageText.length
        const at = START + (done + index) * MINUTE
        return {
          entry: {
            kind: 'message',
            at,
            id: `m${index}`,
            role: index % 2 === 0 ? 'user' : 'assistant',
            content: [{ type: 'text', text: messageText }],
          },
          externalId: `m${index}`,
        }
      })
      sessions.push({
        session: {
          id: `generic:s${session}`,
          agent: 'generic',
          externalId: `s${session}`,
          workspace: workspace(session),
        },
        writes,
      })
      session += 1
      size += count
      done += count
    }
    const cursor = { identity: '1', size: 1, modifiedAt: 1, offset: 1, line: 1, fingerprint: 'x', parserState: null }
    const prepared = store.imports.prepare({
      path: `/talk/${session}`,
      agent: 'generic',
      baseVersion: 0,
      restarted: false,
      sessions,
      source: [],
      skips: [],
      cursor,
    })
    await pending
    pending = prepared.commit()
    if (done % 100_000 < PER_BATCH)
      process.stderr.write(`  ${done} messages, ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
  }
  await pending
  await store.close()
  return { seconds: (performance.now() - startedAt) / 1000, characters, memoryMiB: memoryPeak() }
}

/**
 * Measures queries of several lengths and scopes, the first of all apart, and how soon a new message is found; times in
 * ms.
 */
async function ask(asked, runs) {
  const random = randomNumbers(6)
  let turn = 0
  const sample = (words) => asked[words][(turn += 1) % asked[words].length]
  const store = await openStore(address)
  const first = await timed(() => store.search.search({ text: sample(8) }))
  const results = []
  for (const scope of ['all', 'one']) {
    for (const words of [3, 8, 20]) {
      const ms = []
      for (let run = -2; run < runs; run += 1) {
        const query = {
          text: sample(words),
          ...(scope === 'one' ? { workspace: workspace(Math.floor(random() * WORKSPACES)) } : {}),
        }
        // Views of workspaces are made at the first question.
        if (scope === 'one') await store.search.search({ ...query, text: 'house' })
        const took = await timed(() => store.search.search(query))
        if (run >= 0) ms.push(took)
      }
      results.push({ scope, words, p50: median(ms), p95: percentile(ms, 0.95) })
    }
  }
  const sessions = []
  for (let run = 0; run < Math.min(runs, 10); run += 1)
    sessions.push(await timed(() => store.search.sessions({ text: sample(12) })))
  const found = []
  for (let run = 0; run < 10; run += 1) {
    const id = `live${process.pid}x${run}`
    const at = performance.now()
    await store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace: workspace(run) }, 0, [
      {
        entry: {
          kind: 'message',
          at: START,
          id: 'm',
          role: 'user',
          content: [{ type: 'text', text: `zyzzyva ${id}` }],
        },
      },
    ])
    const appended = performance.now() - at
    const [hit] = await store.search.search({ text: id, limit: 1 })
    if (hit?.sessionId !== `cairn:${id}`) throw new Error(`${id} was not found`)
    found.push({ appended, ms: performance.now() - at })
    await store.sessions.delete(`cairn:${id}`)
  }
  await store.close()
  return {
    first,
    results,
    sessions: { p50: median(sessions), p95: percentile(sessions, 0.95) },
    append: median(found.map(({ appended }) => appended)),
    found: median(found.map(({ ms }) => ms)),
  }
}

/** The same queries to two stores in turn: whether the results are equal, and the median time of each, ms. */
async function compare(asked, runs) {
  const stores = [await openStore(address), await openStore(other)]
  let [count, different] = [0, 0]
  const scopes = []
  for (const scope of ['everywhere', 'one workspace']) {
    const ms = [[], []]
    for (const words of [3, 8, 20]) {
      for (let run = -3; run < runs; run += 1) {
        const scopeFilter = scope === 'everywhere' ? {} : { workspace: workspace(words) }
        const answers = []
        for (const [index, store] of stores.entries()) {
          const startedAt = performance.now()
          answers.push(
            JSON.stringify(await store.search.search({ text: asked[words][run + 3], limit: 50, ...scopeFilter })),
          )
          if (run >= 0) ms[index].push(performance.now() - startedAt)
        }
        count += 1
        if (answers[0] !== answers[1]) different += 1
      }
    }
    scopes.push({ scope, sqlite: median(ms[0]), postgresql: median(ms[1]) })
  }
  for (const store of stores) await store.close()
  return { asked: count, different, scopes }
}

/** Queries of 3, 8, 12 and 20 words of one message in the store. */
async function questions(file) {
  const random = randomNumbers(5)
  const { text, subject } = (await import('./recall-scale-text.mjs')).talk(11)
  const messageText = []
  for (let session = 0; session < 400; session += 1) {
    const about = subject()
    for (let index = 0; index < PER_SESSION; index += 1) messageText.push(text(about))
  }
  const sample = (count) => {
    const words = messageText[Math.floor(random() * messageText.length)].replaceAll('.', '').split(' ')
    return Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
  }
  writeFileSync(
    file,
    JSON.stringify(
      Object.fromEntries([3, 8, 12, 20].map((count) => [count, Array.from({ length: 200 }, () => sample(count))])),
    ),
  )
  return {}
}

/** How many ms something takes. */
async function timed(work) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
