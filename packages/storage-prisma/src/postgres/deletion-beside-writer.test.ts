/** A session is deleted while another one is about to use content that it owns. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import type { Store } from '@cairn/core'
import { openStore } from '../open-store.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'

/** Long enough to be stored once for all sessions. */
const TEXT = 'The same file, read by two sessions. '.repeat(200)

const append = (store: Store, id: string): Promise<unknown> =>
  store.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id }, 0, [
    {
      entry: {
        kind: 'message',
        id: `${id}-1`,
        at: Date.UTC(2026, 0, 31),
        role: 'user',
        content: [{ type: 'text', text: TEXT }],
      },
    },
  ])

/** Waits until so many sessions of the server wait for a lock. */
const waiting = async (client: pg.Client, count: number): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    )
    if (Number(rows[0]?.count) >= count) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a deletion beside a writer on PostgreSQL', () => {
  let server: TemporaryPostgres

  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)

  afterAll(() => server.stop(), 60_000)

  it('leaves content that another session has begun to use', async () => {
    const address = await server.database()
    const [writer, deleter, gate, watcher] = [
      await openStore(address),
      await openStore(address),
      new pg.Client(address),
      new pg.Client(address),
    ]
    try {
      await append(writer, 'owner')
      await gate.connect()
      await watcher.connect()
      // Who writes a use waits; who only looks for one does not.
      await gate.query('BEGIN')
      await gate.query('LOCK TABLE block_use IN SHARE MODE')
      const written = append(writer, 'user')
      await waiting(watcher, 1)
      const deleted = deleter.sessions.delete('cairn:owner')
      await waiting(watcher, 2)
      await gate.query('COMMIT')
      await Promise.all([written, deleted])

      expect(await deleter.sessions.get('cairn:owner')).toBeUndefined()
      expect(await deleter.sessions.read('cairn:user')).toMatchObject([{ content: [{ text: TEXT }] }])
      expect(await deleter.verify()).toEqual([])
    } finally {
      for (const store of [writer, deleter]) await store.close()
      for (const client of [gate, watcher]) await client.end()
    }
  }, 120_000)
})
