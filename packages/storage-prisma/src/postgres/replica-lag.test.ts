/** A store that is opened from a streaming replica tells how far that is behind: a real one, paused and resumed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { setTimeout } from 'node:timers/promises'
import type { ReplicaLag } from '@cairn/core'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { id, plant } from '../testing/planted-store.ts'
import { startPostgres } from '../testing/temporary-postgres.ts'
import type { TemporaryPostgres } from '../testing/temporary-postgres.ts'
import { startStandby } from '../testing/temporary-standby.ts'

let server: TemporaryPostgres
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const isOurs = process.env['CAIRN_TEST_POSTGRES_URL'] === undefined ? it : it.skip

/** Asks for the lag until it is as expected; resolves with it. Ends by the test's own limit. */
const lagThat = async (store: DatabaseStore, isExpected: (lag: ReplicaLag) => boolean): Promise<ReplicaLag> => {
  for (;;) {
    const lag = await store.health.replicaLag()
    if (lag !== null && isExpected(lag)) return lag
    await setTimeout(20)
  }
}

describe('A store on a streaming replica', () => {
  isOurs('tells how many seconds and bytes it is behind', async () => {
    const address = await server.database()
    const primary = await openStore(address)
    await plant(primary, { session: id(1), messages: 4 })
    const standby = await startStandby(address)
    const replica = await openStore(standby.at(address), { isReadOnly: true })
    try {
      expect(await primary.health.replicaLag()).toBeNull()
      const even = { seconds: 0, bytes: 0, isPaused: false, isConnected: true }
      expect(await lagThat(replica, ({ isConnected, bytes }) => isConnected && bytes === 0)).toEqual(even)

      await plant(primary, { session: id(2), messages: 2, call: 50 })
      while ((await replica.sessions.list({})).total < 2) await setTimeout(20)
      await standby.run('SELECT pg_wal_replay_pause()')
      const before = Date.now()
      await plant(primary, { session: id(3), messages: 200, call: 100 })
      const behind = await lagThat(replica, ({ bytes, isPaused }) => isPaused && (bytes ?? 0) > 10_000)
      expect(behind.isConnected).toBe(true)
      expect(behind.seconds).toBeGreaterThan(0)
      // Nobody's clock but this machine's: it grows as time goes by.
      const first = behind.seconds ?? 0
      const later = await lagThat(replica, ({ seconds }) => (seconds ?? 0) >= first + 0.5)
      expect(later.seconds).toBeGreaterThanOrEqual((Date.now() - before) / 1000 - 1)
      expect((await replica.sessions.list({})).total).toBe(2)

      await standby.run('SELECT pg_wal_replay_resume()')
      await lagThat(replica, ({ bytes }) => bytes === 0)
      while ((await replica.sessions.list({})).total < 3) await setTimeout(20)

      await primary.close()
      await server.restart()
      expect((await lagThat(replica, ({ isConnected }) => isConnected)).isPaused).toBe(false)
    } finally {
      await replica.close()
      await standby.stop()
    }
  })

  isOurs('says that it has lost its server, and is none once it was promoted', async () => {
    const address = await server.database()
    const store = await openStore(address)
    await plant(store, { session: id(1), messages: 4 })
    const [[identity, timeline] = ['', '']] = await store.timelines()
    expect(await store.identity()).toBe(identity)
    await store.close()
    const standby = await startStandby(address)
    const replica = await openStore(standby.at(address), { isReadOnly: true })
    try {
      await lagThat(replica, ({ isConnected }) => isConnected)
      await standby.run("ALTER SYSTEM SET primary_conninfo = ''")
      await standby.run('SELECT pg_reload_conf()')
      expect(await lagThat(replica, ({ isConnected }) => !isConnected)).toMatchObject({ isPaused: false })
      expect(await replica.identity()).toBe(identity)
      await standby.promote()
      expect(await replica.health.replicaLag()).toBeNull()
      // The same store, on another line of commits.
      const [[promoted, other] = ['', timeline]] = await replica.timelines()
      expect([promoted, other === timeline]).toEqual([identity, false])
    } finally {
      await replica.close()
      await standby.stop()
    }
  })
})
