// A process that measures settings and state, and prints the results as JSON: how a cache answers a replayed use, what a hundred thousand sets cost, and how soon a change is seen
// by another process, on SQLite and on PostgreSQL.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '@cairn/storage-prisma'
import { startPostgres } from '../../packages/storage-prisma/src/testing/temporary-postgres.ts'
import { percentile } from './numbers.mjs'
import { scratchFolder } from './paths.mjs'
import { CHANGED, GLOBAL, numberKey, openState } from './state-shared.mjs'

const worker = fileURLToPath(new URL('state-writer-worker.mjs', import.meta.url))
/** Between two commits, ms: they are seen one at a time, and not gathered. */
const PAUSE_MS = 8
const NOTICE_MS = 40

const log = (text) => console.error(text)

/** Measures on SQLite, and on PostgreSQL where it can be started. */
async function measured(sets, changes) {
  const folder = scratchFolder('state')
  const server = await startPostgres().catch((error) => {
    log(`state: PostgreSQL is left out: ${error.message}`)
    return undefined
  })
  try {
    const results = [...(await cacheUse(join(folder, 'use.db'))), ...(await manySets(join(folder, 'sets.db'), sets))]
    const databases = [['SQLite', `file:${join(folder, 'seen.db')}`]]
    if (server !== undefined) databases.push(['PostgreSQL', await server.database()])
    for (const [name, address] of databases) {
      log(`state: ${changes} changes of another process, ${name}…`)
      results.push(...(await seen(name, address, changes)))
    }
    return results
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads as a session makes them, of a few keys in three scopes; a read that has to ask the storage is a miss. */
async function cacheUse(path) {
  const store = await openStore(`file:${path}`)
  let asked = 0
  const storage = {
    ...store.state,
    set: (scope, values) => store.state.set(scope, values),
    changes: (scope, since) => {
      asked += 1
      return store.state.changes(scope, since)
    },
  }
  const opened = openState({ ...store, state: storage, onChange: store.onChange })
  const scopes = [GLOBAL, { tier: 'workspace', workspace: '/w' }, { tier: 'session', sessionId: 's' }]
  let reads = 0
  for (let turn = 0; turn < 1_000; turn += 1) {
    await opened.open(...scopes)
    for (let key = 0; key < 12; key += 1) {
      opened.get(numberKey(`k${key}`), scopes[key % 3])
      reads += 1
    }
    // Every tenth turn something is set, and written, which a notice follows.
    if (turn % 10 === 0) {
      opened.set(numberKey(`k${turn % 12}`), scopes[turn % 3], turn)
      await opened.flush()
      // Until its notice has come, and what it asks of the storage is counted.
      await wait(NOTICE_MS)
    }
  }
  await opened.close()
  await store.close()
  return [
    {
      name: 'state: reads without the storage',
      value: (reads - asked) / reads,
      unit: 'ratio',
      target: { least: 0.95 },
    },
  ]
}

/** Measures many sets in a row: how long they take, and in how many batches they are written. */
async function manySets(path, sets) {
  const store = await openStore(`file:${path}`)
  let batches = 0
  const storage = {
    ...store.state,
    changes: (scope, since) => store.state.changes(scope, since),
    set: (scope, values) => {
      batches += 1
      return store.state.set(scope, values)
    },
  }
  const opened = openState({ ...store, state: storage, onChange: () => () => undefined })
  await opened.open(GLOBAL)
  const keys = Array.from({ length: 100 }, (_, index) => numberKey(`k${index}`))
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  for (let index = 0; index < sets; index += 1) opened.set(keys[index % keys.length], GLOBAL, index)
  const { user, system } = process.cpuUsage(cpu)
  await opened.close()
  const stored = performance.now()
  const last = await store.state.get(GLOBAL, 'k99')
  await store.close()
  if (last !== sets - 1) throw new Error(`The last value is ${last}, and not ${sets - 1}.`)
  return [
    { name: 'state: 100,000 sets of 100 keys, CPU', value: (user + system) / 1_000, unit: 'ms', target: { most: 200 } },
    { name: 'state: until they are stored, wall', value: stored - began, unit: 'ms' },
    { name: 'state: batches for them', value: batches, unit: 'count', target: { most: 3 } },
  ]
}

/** Changes of a second process, each a commit, until this one has the value. Both read the machine's clock. */
async function seen(name, address, changes) {
  const store = await openStore(address)
  const opened = openState(store)
  await opened.open(CHANGED)
  const seenAt = new Map()
  let complete
  const all = new Promise((resolve) => (complete = resolve))
  opened.listen((event) => {
    if (event.type !== 'changed') return
    seenAt.set(event.key, performance.timeOrigin + performance.now())
    if (seenAt.size === changes) complete()
  })
  const child = spawn(
    process.execPath,
    [...process.execArgv, '--conditions=@cairn/source', worker, address, String(changes), String(PAUSE_MS)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (written += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  const code = await ended
  if (code !== 0) throw new Error(`The process that writes ended with ${code}.`)
  const patience = setTimeout(complete, 5_000)
  await all
  clearTimeout(patience)
  await opened.close()
  await store.close()
  // Of what was acknowledged: the commit itself is no part of it. A change may be seen before its writer hears of it.
  const delays = JSON.parse(written).flatMap((at, index) => {
    const seen = seenAt.get(`k${index}`)
    return seen === undefined ? [] : [Math.max(0, seen - at)]
  })
  return [
    {
      name: `state: seen elsewhere, p50, ${name}`,
      value: percentile(delays, 0.5),
      unit: 'ms',
      target: { most: 5 },
    },
    {
      name: `state: seen elsewhere, p95, ${name}`,
      value: percentile(delays, 0.95),
      unit: 'ms',
      target: { most: 25 },
    },
    {
      name: `state: changes missed, ${name}`,
      value: changes - seenAt.size,
      unit: 'count',
      target: { most: 0 },
    },
  ]
}

const [sets, changes] = process.argv.slice(2)
console.log(JSON.stringify(await measured(Number(sets), Number(changes))))
