// Eight processes add 200 entries each to the memory of one workspace, at once: 1,600 are there. Then writers are killed
// at random moments, fifty times: every acknowledged entry is there, and none is incomplete. On SQLite and PostgreSQL.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { allRemembered, rememberTogether } from '../../packages/storage-prisma/src/testing/remember-together.ts'
import { startPostgres } from '../../packages/storage-prisma/src/testing/temporary-postgres.ts'
import { randomNumbers } from '../bench/numbers.mjs'
import { scratchFolder } from '../bench/paths.mjs'

const WRITERS = 8
const ENTRIES = 200
/** The most entries that a writer has in flight when it is killed. */
const LANES = 3
/** Killed together, so that the others' writes continue while one of them dies. */
const KILLED_AT_ONCE = 5
const LONGEST_LIFE_MS = 400

/** @type {Record<string, import('./index.mjs').Check>} */
export const memoryWriters = {
  'memory-writers': async (options) => {
    const folder = scratchFolder('memory')
    const found = await check(`file:${join(folder, 'store.db')}`, folder, options)
    rmSync(folder, { recursive: true, force: true })
    return found
  },
  'memory-writers-postgresql': async (options) => {
    const server = await startPostgres()
    const folder = scratchFolder('memory')
    try {
      return await check(await server.database(), folder, options)
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Lets writers remember, kills some, and proves that all they noted is there. */
async function check(address, folder, { quick, log }) {
  const notes = join(folder, 'notes')
  mkdirSync(notes)
  const together = await rememberTogether({ address, folder: notes, writers: WRITERS, entries: ENTRIES, lanes: 1 })
  assert.equal(await allRemembered(address, together.noted, 0), WRITERS * ENTRIES)

  const seed = Date.now() % 1_000_000
  const random = randomNumbers(seed)
  log(`memory-writers: seed ${seed}`)
  const noted = [...together.noted]
  const kills = quick ? 10 : 50
  let killed = 0
  let entries = 0
  for (let round = 0; killed < kills; round += 1) {
    const dying = Math.min(KILLED_AT_ONCE, kills - killed)
    const result = await rememberTogether({
      address,
      folder: notes,
      writers: dying,
      entries: 100_000,
      lanes: LANES,
      killAfterMs: () => random() * LONGEST_LIFE_MS,
      name: `r${round}w`,
    })
    noted.push(...result.noted)
    killed += result.killed
    entries = await allRemembered(address, noted, killed * LANES)
  }
  const perSecond = (1_000 * WRITERS * ENTRIES) / together.ms
  return `${WRITERS * ENTRIES} of ${WRITERS} processes in ${(together.ms / 1_000).toFixed(1)} s (${perSecond.toFixed(0)}/s, ${together.medianWaitMs.toFixed(1)} ms at the median, ${together.worstWaitMs.toFixed(0)} ms at worst); ${killed} writers killed: all of ${noted.length} acknowledged entries are there, ${entries - noted.length} more, none half`
}
