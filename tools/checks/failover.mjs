// A replica is promoted in the middle of writes, as its server crashes: clients go on or say one sentence, and nothing that
// was acknowledged is lost. The replica confirms each commit (synchronous replication), as for any store that may lose none.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { CairnError } from '@cairn/core'
import { openStore } from '../../packages/storage-prisma/src/open-store.ts'
import { startPostgres } from '../../packages/storage-prisma/src/testing/temporary-postgres.ts'
import { startStandby } from '../../packages/storage-prisma/src/testing/temporary-standby.ts'
import { failingNetwork } from './network.mjs'

const WRITERS = 8

/**
 * Proves that writers outlive the promotion of a replica.
 * @type {import('./index.mjs').Check}
 */
export async function failover({ quick, log }) {
  const seed = await startPostgres()
  const address = await seed.database()
  await (await openStore(address)).close()
  const told = { acknowledged: 0, sentences: new Map(), longestMs: 0 }
  const rounds = quick ? 1 : 3
  try {
    for (let round = 0; round < rounds; round += 1) {
      await oneFailover(address, round, told)
      log(`failover: round ${round + 1} of ${rounds}, ${told.acknowledged} appends acknowledged so far`)
    }
  } finally {
    await seed.stop()
  }
  const sentences = [...told.sentences].map(([sentence, count]) => `${count} × "${sentence}"`)
  return `${rounds} servers crashed and their replicas were promoted under ${WRITERS} writers; ${told.acknowledged} acknowledged appends are all there, once and in order; the longest append took ${(told.longestMs / 1000).toFixed(1)} s; ${sentences.length === 0 ? 'nobody was told' : `told in one sentence: ${sentences.join(', ')}`}`
}

/** Lets writers write to a server that crashes, and to the replica that takes its place at the same address. */
async function oneFailover(address, round, told) {
  const primary = await startStandby(address)
  await primary.promote()
  const standby = await startStandby(primary.at(address))
  await confirmCommits(primary)
  const network = await failingNetwork(primary.port)
  const url = new URL(address)
  url.port = String(network.port)
  const store = await openStore(url.toString())
  const state = { isOver: false, acknowledged: new Map() }
  try {
    const writers = Array.from({ length: WRITERS }, (_, index) => write(store, `r${round}w${index}`, state, told))
    const all = Promise.all(writers)
    await until(() => least(state) >= 10, all)
    await primary.kill()
    // While the address leads to a replica that is none of the writers' yet, they wait.
    network.lead(standby.port)
    await wait(500)
    await standby.run("ALTER SYSTEM SET synchronous_standby_names = ''")
    await standby.promote()
    const before = new Map(state.acknowledged)
    await until(() => [...before].every(([name, count]) => (state.acknowledged.get(name) ?? 0) >= count + 10), all)
    state.isOver = true
    await all
    await store.close()
    await assertKept(standby.at(address), state)
  } finally {
    state.isOver = true
    await store.close()
    await network.close()
    await primary.stop()
    await standby.stop()
  }
}

/** Has the server acknowledge a commit only when the replica has it, and waits until it does. */
async function confirmCommits(primary) {
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await primary.run('SELECT pg_reload_conf()')
  for (;;) {
    const rows = await primary.run('SELECT sync_state FROM pg_stat_replication')
    if (rows.some(({ sync_state: state }) => state === 'sync')) return
    await wait(20)
  }
}

/** How many appends the slowest writer has had acknowledged. */
const least = ({ acknowledged }) => (acknowledged.size < WRITERS ? 0 : Math.min(...acknowledged.values()))

/** Waits until a condition holds; rejects when the writers end before. */
async function until(isSo, writers) {
  let failure
  writers.catch((error) => (failure = { error }))
  while (!isSo()) {
    if (failure !== undefined) throw failure.error
    await wait(5)
  }
}

/** Appends to a session of its own until it is over; after a sentence it looks at what is there, as that says. */
async function write(store, name, state, told) {
  const session = { id: `cairn:${name}`, agent: 'cairn', externalId: name }
  for (let next = 0; !state.isOver;) {
    const startedAt = performance.now()
    try {
      const result = await store.sessions.append(session, next, [message(`m${next}`)])
      assert.equal(result.ok, true, `an append found another one's entry: ${JSON.stringify(result)}`)
      next += 1
      told.acknowledged += 1
      state.acknowledged.set(name, next)
    } catch (error) {
      if (!CairnError.is(error)) throw error
      assert.match(error.message, /^[^\n]+\.$/, 'more than a sentence')
      const sentence = error.message.replaceAll(/:\d{4,}/g, ':…')
      told.sentences.set(sentence, (told.sentences.get(sentence) ?? 0) + 1)
      const there = (await store.sessions.get(session.id))?.entries ?? 0
      assert.ok(there >= next, `${name}: ${next} appends were acknowledged, ${there} are there`)
      next = there
    }
    told.longestMs = Math.max(told.longestMs, performance.now() - startedAt)
  }
}

const message = (id) => ({
  entry: { kind: 'message', id, at: 1, role: 'user', content: [{ type: 'text', text: `said ${id}` }] },
  externalId: id,
})

/** Proves that all that was acknowledged is in the promoted server, once and in order. */
async function assertKept(address, { acknowledged }) {
  const store = await openStore(address)
  try {
    for (const [name, count] of acknowledged) {
      const ids = (await store.sessions.read(`cairn:${name}`)).map(({ id }) => id)
      assert.ok(ids.length >= count, `${name}: ${count} appends were acknowledged, ${ids.length} are there`)
      assert.deepEqual(
        ids,
        ids.map((_, index) => `m${index}`),
        `${name}: in order, and once`,
      )
    }
    assert.deepEqual(await store.verify(), [], 'the promoted store is damaged')
  } finally {
    await store.close()
  }
}
