// Eight processes append to one store: no error, nothing lost, all totals exact; and the same when six of them are
// killed: every acknowledged write is there. On SQLite and on PostgreSQL.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../bench/paths.mjs'
import { startPostgres } from '../../packages/storage-prisma/src/testing/temporary-postgres.ts'
import { appendTogether, storedMatches } from '../../packages/storage-prisma/src/testing/append-together.ts'

const WRITERS = 8
const KILLED = 6

/** @type {Record<string, import('./index.mjs').Check>} */
export const eightWriters = {
  'eight-writers': ({ seconds }) => onSqlite({ writers: WRITERS, seconds, kill: 0 }),
  'eight-writers-killed': ({ seconds }) => onSqlite({ writers: WRITERS, seconds: seconds / 2, kill: KILLED }),
  'eight-writers-postgresql': ({ seconds }) => onPostgres({ writers: WRITERS, seconds, kill: 0 }),
  'eight-writers-postgresql-killed': ({ seconds }) =>
    onPostgres({ writers: WRITERS, seconds: seconds / 2, kill: KILLED }),
}

/** The check on SQLite, in a folder of its own. */
async function onSqlite(options) {
  const folder = scratchFolder('writers')
  const found = await check(`file:${join(folder, 'store.db')}`, folder, options)
  rmSync(folder, { recursive: true, force: true })
  return found
}

/** The check on a PostgreSQL of its own. */
async function onPostgres(options) {
  const server = await startPostgres()
  const folder = scratchFolder('writers')
  try {
    return await check(await server.database(), folder, options)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lets the writers append, and proves that all they acknowledged is there. */
async function check(address, folder, options) {
  const acknowledged = await appendTogether({ address, folder, ...options })
  const { appends, perSecond, worstWaitMs, worstSharedWaitMs, medianWaitMs, conflicts } = acknowledged
  const stored = await storedMatches(address, acknowledged)
  return `${appends} appends acknowledged, ${perSecond.toFixed(0)}/s, wait ${medianWaitMs.toFixed(0)} ms at the median and ${worstWaitMs.toFixed(0)} ms at worst (${worstSharedWaitMs.toFixed(0)} ms on the shared session, ${conflicts} conflicts); ${stored} entries stored${options.kill > 0 ? `, ${options.kill} writers killed` : ''}`
}
