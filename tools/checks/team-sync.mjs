// Many stores sync at once into one PostgreSQL behind PgBouncer, or into two databases as one store, while syncs are killed, the network is cut, and pooler and
// server are restarted: the team's totals are the sum of the parts, nothing is there twice, and a sync that ends early
// says one sentence.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { addTotals, emptyTotals } from '@cairn/core'
import { cairnCommand } from '../bench/cairn.mjs'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'
import { openStore } from '../../packages/storage-prisma/src/open-store.ts'
import { id, plant } from '../../packages/storage-prisma/src/testing/planted-store.ts'
import { isPoolerInstalled, startPooler } from '../../packages/storage-prisma/src/testing/temporary-pooler.ts'
import { startPostgres } from '../../packages/storage-prisma/src/testing/temporary-postgres.ts'
import { failingNetwork } from './network.mjs'

const SHARED = 999
/** Lives of syncs that are to be killed, ms: some die before they connect, most while they send. */
const [SHORTEST_MS, LONGEST_MS] = [300, 2_500]
/** Between two disturbances, ms. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [150, 900]
const REQUESTS_OF_FIRST = 20

/**
 * Proves that syncs of many machines add up, whatever happens to them.
 * @type {import('./index.mjs').Check}
 */
export const teamSync = (options) => syncsAddUp(options, 1)

/**
 * The same with a team's store of two databases.
 * @type {import('./index.mjs').Check}
 */
export const teamShards = (options) => syncsAddUp(options, 2)

/** @param {number} databases how many the team's store is spread over */
async function syncsAddUp({ quick, seed, log }, databases) {
  if (!hasPooler(log))
    return 'skipped: PgBouncer is not installed, and could not be (apt-get install pgbouncer, as root)'
  const [machines, kills, cuts, restarts] = quick ? [8, 10, 10, 1] : [40, 50, 50, 2]
  log(`team-sync: seed ${seed}`)
  const random = randomNumbers(seed)
  const folder = scratchFolder('team-sync')
  const server = await startPostgres()
  const addresses = []
  while (addresses.length < databases) addresses.push(await server.database())
  const address = addresses.join(' ')
  const pooler = await startPooler(addresses[0], 10)
  const network = await failingNetwork(Number(new URL(pooler.through(addresses[0])).port))
  const url = addresses.map((each) => throughPort(each, network.port)).join(' ')
  try {
    const stores = await plantStores(folder, machines)
    const told = { kills: 0, runs: 0, cuts: 0, dropped: 0, sentences: new Map() }
    const disturbances = shuffled(
      [
        ...Array.from({ length: cuts }, () => () => (told.dropped += network.cut())),
        ...Array.from({ length: restarts }, () => () => pooler.restart()),
        ...Array.from({ length: restarts }, () => () => server.restart()),
      ],
      random,
    )
    const killed = shuffled(
      Array.from(
        { length: machines },
        (_, index) => Math.floor((kills * (index + 1)) / machines) - Math.floor((kills * index) / machines),
      ),
      random,
    )
    let left = machines
    const syncs = Promise.all(
      stores.map(async (machine, index) => {
        await syncUntilDone(machine, url, killed[index], random, told)
        left -= 1
      }),
    )
    // Between the end of all and the last disturbance, machines go on with new requests.
    let more = Promise.resolve()
    for (const disturb of disturbances) {
      while (network.connections() === 0) {
        if (left === 0) {
          left = machines
          more = more.then(() => addAndSync(stores, url, random, told)).then(() => (left = 0))
        }
        await wait(20)
      }
      await disturb()
      await wait(SHORTEST_PAUSE_MS + random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS))
    }
    await syncs
    await more
    await assertConverged(stores, url, address)
    assert.equal(told.kills, kills)
    const sentences = [...told.sentences].map(([sentence, count]) => `${count} × "${sentence}"`)
    const spread = []
    for (const each of addresses) spread.push((await totalOf(each)).requests)
    if (databases > 1) assert.ok(Math.min(...spread) > 0, 'a database has nothing')
    return `${machines} stores, ${databases === 1 ? '' : `${databases} databases (${spread.join(' and ')} requests), `}${told.runs} syncs, ${kills} of them killed, the network cut ${cuts} times (${told.dropped} connections), pooler and server restarted ${restarts} times each; ${(await totalOf(address)).requests} requests are the sum of the parts to the nano-dollar, nothing twice; ${sentences.length === 0 ? 'no other sync ended early' : `ended early with one sentence: ${sentences.join(', ')}`}`
  } finally {
    await network.close()
    await pooler.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The address with another port. */
function throughPort(address, port) {
  const url = new URL(address)
  url.port = String(port)
  return url.toString()
}

/** Whether there is a PgBouncer; installs Debian's as root. */
function hasPooler(log) {
  if (isPoolerInstalled()) return true
  if (process.getuid?.() !== 0) return false
  log('team-sync: installs pgbouncer with apt-get')
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update'], options)
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', 'pgbouncer'], options)
  return isPoolerInstalled()
}

/** The list in another order. */
function shuffled(list, random) {
  return list
    .map((value) => ({ value, key: random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ value }) => value)
}

/**
 * A store for each machine: sessions of its own, one of which is shared as text, and one session that all of them have.
 * @returns {Promise<{ home: string, address: string, number: number, sessions: number }[]>}
 */
async function plantStores(folder, machines) {
  const stores = []
  for (let number = 0; number < machines; number += 1) {
    const home = join(folder, `machine-${number}`)
    mkdirSync(home)
    writeFileSync(join(home, 'team.json'), JSON.stringify({ workspaces: { '/work/open': 'text' } }))
    const address = `file:${join(home, 'cairn.db')}`
    const store = await openStore(address)
    for (let session = 0; session < 3; session += 1)
      await plant(store, {
        session: id(number * 20 + session),
        messages: 2 * REQUESTS_OF_FIRST + number * 4,
        call: callOf(number, session),
        ...(session === 0 ? { workspace: '/work/open', title: 'open' } : {}),
      })
    await plant(store, { session: id(SHARED), messages: 61, call: callOf(999, 0) })
    await store.close()
    stores.push({ home, address, number, sessions: 3 })
  }
  return stores
}

/** The first of the calls that a machine's session may have. */
const callOf = (number, session) => number * 100_000 + session * 10_000

/** Gives each store one more session, and syncs all at once. */
async function addAndSync(stores, url, random, told) {
  for (const each of stores) await addSession(each)
  await Promise.all(stores.map((each) => syncUntilDone(each, url, 0, random, told)))
}

/** Plants one more session in a machine's store. */
async function addSession(machine) {
  const session = machine.sessions
  machine.sessions += 1
  const store = await openStore(machine.address)
  await plant(store, {
    session: id(machine.number * 20 + session),
    messages: 200,
    call: callOf(machine.number, session),
  })
  await store.close()
}

/** Syncs until it is done, after having been killed so often. */
async function syncUntilDone(machine, url, kills, random, told) {
  const { home } = machine
  for (let left = kills; ;) {
    const life = left > 0 ? SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS) : undefined
    const { code, signal, stderr } = await sync(home, url, life)
    told.runs += 1
    if (signal === 'SIGKILL') {
      told.kills += 1
      left -= 1
      continue
    }
    if (code === 0) {
      if (left === 0) return
      // It was faster than its killer; the next one is to have something to send.
      await addSession(machine)
      continue
    }
    // What a user is told: one sentence, on one line.
    assert.match(stderr, /^[^\n]+\.\n$/, `a sync ended with ${code} and more than a sentence`)
    const reason = /can't be reached: (?<reason>.*); nothing is lost/.exec(stderr)?.groups.reason ?? stderr.trim()
    const sentence = reason.replaceAll(/:\d{4,}/g, ':…')
    told.sentences.set(sentence, (told.sentences.get(sentence) ?? 0) + 1)
    await wait(200 + random() * 300)
  }
}

/**
 * Runs `cairn sync` of a machine once, and kills it after `life` ms where that is given; resolves with code, signal and
 * standard error.
 */
function sync(home, url, life) {
  const [program, ...args] = cairnCommand(['sync'])
  const child = spawn(program, args, {
    cwd: home,
    env: { ...process.env, NODE_OPTIONS: '', CAIRN_HOME: home, CAIRN_DATABASE_URL: '', CAIRN_TEAM_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const timer = life === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), life)
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, stderr })
    })
  })
}

/** The totals of a store. */
async function totalOf(address) {
  const store = await openStore(address)
  try {
    return (await store.usage.report({ by: 'model' })).total
  } finally {
    await store.close()
  }
}

/** Proves that the team's store is the sum of the machines', and that another sync of each finds nothing new. */
async function assertConverged(stores, url, address) {
  let sum = emptyTotals
  let sessions = 1
  const shared = await withoutShared(stores[0].address)
  for (const { address: own, home, sessions: count } of stores) {
    sum = addTotals(sum, (await withoutShared(own)).own)
    sessions += count
    const { code, stderr } = await sync(home, url)
    assert.equal(code, 0, stderr)
  }
  sum = addTotals(sum, shared.shared)
  const team = await openStore(address)
  try {
    assert.deepEqual((await team.usage.report({ by: 'model' })).total, sum, 'the totals are not the sum of the parts')
    assert.equal((await team.sessions.list({ limit: 1 })).total, sessions, 'sessions of the team’s store')
    assert.deepEqual(await team.verify(), [], 'the team’s store is damaged')
    for (const { address: own, number } of stores) {
      const open = `claude-code:${id(number * 20)}`
      const store = await openStore(own)
      assert.deepEqual(await team.sessions.read(open), await store.sessions.read(open), `the log of ${open}`)
      await store.close()
    }
  } finally {
    await team.close()
  }
}

/** The totals of a machine's store without the session that all have, and that session's. */
async function withoutShared(address) {
  const store = await openStore(address)
  try {
    const { rows, total } = await store.usage.report({ by: 'session' })
    const row = rows.find(({ key }) => key.includes(id(SHARED)))
    assert.ok(row !== undefined, 'the session that all have')
    const own = rows.filter((each) => each !== row).reduce((sum, each) => addTotals(sum, each), emptyTotals)
    assert.deepEqual(addTotals(own, row), total)
    return { own, shared: addTotals(emptyTotals, row) }
  } finally {
    await store.close()
  }
}
