// How many appends a second several processes get acknowledged by a PostgreSQL server on the same machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { median } from './numbers.mjs'

const worker = fileURLToPath(new URL('append-worker.mjs', import.meta.url))

/**
 * Lets writers append at the same time, each to a session of its own; the server is started for it (without waiting for
 * the disk, as in tests) and ends with it.
 * @param {{ writers: number, seconds: number, rounds: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function appendPostgresql({ writers, seconds, rounds, log }) {
  const { startPostgres } = await import('../../packages/storage-prisma/src/testing/temporary-postgres.ts')
  const { openStore } = await import('../../packages/storage-prisma/src/open-store.ts')
  const server = await startPostgres()
  try {
    const address = await server.database()
    // Makes the tables, so that no writer does.
    await (await openStore(address)).close()
    const rates = []
    for (let round = 0; round < rounds; round += 1) {
      const names = Array.from({ length: writers }, (_, index) => `writer-${round}-${index}`)
      const counts = await appendAtOnce(address, names, seconds)
      rates.push(counts.reduce((sum, count) => sum + count, 0) / seconds)
      log(`append-postgresql: ${rates.at(-1).toFixed(0)} appends/s by ${writers} processes`)
    }
    return [
      {
        name: `appends/s, ${writers} writers, PostgreSQL`,
        value: median(rates),
        unit: 'count',
        target: { least: 2_000 },
      },
    ]
  } finally {
    await server.stop()
  }
}

/** Starts the writers, lets them begin when all are ready, and resolves with how many appends each got acknowledged. */
async function appendAtOnce(address, names, seconds) {
  const writers = names.map((name) => {
    const writer = spawn(process.execPath, ['--conditions=@cairn/source', worker, address, name, String(seconds)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return { writer, lines: createInterface({ input: writer.stdout })[Symbol.asyncIterator]() }
  })
  try {
    for (const { lines } of writers)
      if ((await lines.next()).value !== 'ready') throw new Error('A writer did not begin.')
    for (const { writer } of writers) writer.stdin.end('go\n')
    return await Promise.all(writers.map(async ({ lines }) => Number((await lines.next()).value)))
  } finally {
    await Promise.all(
      writers.map(async ({ writer }) => {
        if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
      }),
    )
  }
}
