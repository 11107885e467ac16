// Eight processes write and read everything in one store at once: messages, memory, notes, settings, state, checkpoints,
// restores, rewinds, imports, reports, searches, lists. Nobody is told of an error, no answer contradicts itself, and in the
// end everything acknowledged is there and all totals are exact. On SQLite, and on a PostgreSQL that is restarted meanwhile.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '../../packages/storage-prisma/src/testing/temporary-postgres.ts'
import { checkScene } from '../faults/check-scene.mjs'
import { startWriter } from '../faults/killed-process.mjs'
import { newStage } from '../faults/run.mjs'
import { writers } from '../faults/writers/index.mjs'

const PROCESSES = 8
/** Writers of one process; the rest of the kinds is the next processes'. */
const KINDS_A_PROCESS = 4
const RESTARTS = 2

/** @type {Record<string, import('./index.mjs').Check>} */
export const everythingAtOnce = {
  'everything-at-once': (options) =>
    check(
      options,
      async (folder) => `file:${join(folder, 'store', 'store.db')}`,
      async () => '',
    ),
  'everything-at-once-postgresql': async (options) => {
    const server = await startPostgres()
    try {
      let restarts = 0
      // One after the other, however long a busy machine takes for one.
      const restart = async () => {
        for (; restarts < RESTARTS; restarts += 1) {
          await setTimeout((2_000 * options.seconds) / (RESTARTS + 1))
          await server.restart()
        }
        return `, ${restarts} restarts of the server`
      }
      return await check(options, () => server.database(), restart)
    } finally {
      await server.stop()
    }
  },
}

/** `meanwhile` happens while the processes write; it says what it did. */
async function check({ seconds, seed }, newAddress, meanwhile) {
  const kinds = Object.keys(writers)
  const { scene, acknowledged } = await newStage(newAddress, kinds)
  const processes = Array.from({ length: PROCESSES }, (_, index) => {
    const name = `p${index}`
    const own = Array.from(
      { length: KINDS_A_PROCESS },
      (_, each) => kinds[(index * KINDS_A_PROCESS + each) % kinds.length],
    )
    return { name, writer: startWriter({ scene, process: name, seed: seed + index, kinds: own, seconds: 2 * seconds }) }
  })
  await Promise.all(processes.map(({ writer }) => writer.ready))
  const [written, disturbed] = await Promise.all([
    Promise.all(processes.map(({ writer }) => writer.writeToTheEnd())),
    meanwhile(),
  ])
  let reads = 0
  for (const [index, { reads: answers, ...byKind }] of written.entries()) {
    reads += answers[0]
    for (const [kind, records] of Object.entries(byKind)) acknowledged[kind].set(processes[index].name, records)
  }
  const { faults } = await checkScene(scene, acknowledged, new Set(processes.map(({ name }) => name)))
  assert.deepEqual(faults, [], `seed ${seed}, what is left is in ${scene.folder}`)
  rmSync(scene.folder, { recursive: true, force: true })
  const counts = Object.entries(acknowledged).map(
    ([kind, records]) => `${kind} ${[...records.values()].reduce((sum, each) => sum + each.length, 0)}`,
  )
  return `${PROCESSES} processes, ${2 * seconds} s${disturbed}: ${reads} answers, and acknowledged: ${counts.join(', ')}; all of it is there`
}
