// The same queries to equal stores in SQLite and PostgreSQL: are the results equal, and how long do they take?
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from './paths.mjs'
import { talkStore, runWorker } from './recall-scale.mjs'

/**
 * Asks the same questions of equal stores in SQLite and PostgreSQL; the server is started for it, and ends with it.
 * @param {{ messages: number, runs: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function recallPostgresql({ messages, runs, log }) {
  const { startPostgres } = await import('../../packages/storage-prisma/src/testing/temporary-postgres.ts')
  const { path } = await talkStore(messages, log)
  const folder = scratchFolder('questions')
  const server = await startPostgres()
  try {
    const address = await server.database()
    log(`recall-postgresql: writing ${messages} messages`)
    const { seconds } = await runWorker('make', address, String(messages))
    log(`  ${seconds.toFixed(0)} s`)
    const questions = join(folder, 'questions.json')
    await runWorker('questions', questions)
    const { asked, different, scopes } = await runWorker('compare', `file:${path}`, questions, String(runs), address)
    return [
      { name: `answers that differ, of ${asked}`, value: different, unit: 'count', target: { most: 0 } },
      ...scopes.flatMap(({ scope, sqlite, postgresql }) => [
        { name: `${scope}, SQLite`, value: sqlite, unit: 'ms' },
        { name: `${scope}, PostgreSQL`, value: postgresql, unit: 'ms' },
        { name: `${scope}, PostgreSQL / SQLite`, value: postgresql / sqlite, unit: 'ratio', target: { most: 3 } },
      ]),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.stop()
  }
}
