/** The store behind PgBouncer in transaction mode, where each transaction may get another session of the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runStoreContract } from '@cairn/core/testing'
import type { EntryWrite } from '@cairn/core'
import { openStore } from './open-store.ts'
import { isPoolerInstalled, startPooler } from './testing/temporary-pooler.ts'
import type { TemporaryPooler } from './testing/temporary-pooler.ts'
import { startPostgres } from './testing/temporary-postgres.ts'
import type { TemporaryPostgres } from './testing/temporary-postgres.ts'

const describeWithPooler = isPoolerInstalled() ? describe : describe.skip

describeWithPooler('PostgreSQL behind PgBouncer (skipped where it is not installed)', () => {
  let server: TemporaryPostgres
  let pooler: TemporaryPooler

  beforeAll(async () => {
    server = await startPostgres()
    pooler = await startPooler(await server.database())
  })

  afterAll(async () => {
    await pooler.stop()
    await server.stop()
  })

  const newAddress = async (): Promise<string> => pooler.through(await server.database())

  runStoreContract({ describe, it, expect }, async () => openStore(await newAddress()))

  const session = { id: 'cairn:s', agent: 'cairn', externalId: 's' }
  const message = (id: string): EntryWrite => ({
    entry: { kind: 'message', id, at: 1, role: 'user', content: [{ type: 'text', text: `said ${id}` }] },
    externalId: id,
  })

  it("tells a store of another store's commit", async () => {
    const address = await newAddress()
    const [reader, writer] = [await openStore(address), await openStore(address)]
    let count = 0
    let heard: () => void = () => undefined
    const nextChange = (): Promise<void> => new Promise((resolve) => (heard = resolve))
    const first = nextChange()
    const stop = reader.onChange(() => {
      count += 1
      heard()
    })
    await first
    for (let round = 0; round < 3; round += 1) {
      const change = nextChange()
      const before = count
      await writer.sessions.append(session, round, [message(`m${round}`)])
      await change
      expect(count).toBeGreaterThan(before)
    }
    stop()
    await Promise.all([reader.close(), writer.close()])
  })

  it('is made once by many processes that open it at the same time', async () => {
    const address = await newAddress()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(address)))
    for (const [index, store] of stores.entries())
      expect(await store.sessions.append(session, index, [message(`m${index}`)])).toMatchObject({ ok: true })
    expect(await stores[0]?.verify()).toEqual([])
    await Promise.all(stores.map((store) => store.close()))
  })

  it('goes on through restarts of the pooler, without an error and without a loss', async () => {
    const store = await openStore(await newAddress())
    let isOver = false
    const appends = async (): Promise<number> => {
      let count = 0
      for (; !isOver; count += 1)
        expect(await store.sessions.append(session, count, [message(`m${count}`)])).toMatchObject({ ok: true })
      return count
    }
    const settings = async (): Promise<number> => {
      let count = 0
      for (; !isOver; count += 1) await store.state.set({ tier: 'global' }, new Map([['count', count]]))
      return count
    }
    const work = Promise.all([appends(), settings()])
    for (let restart = 0; restart < 3; restart += 1) {
      const before = (await store.sessions.get(session.id))?.entries ?? 0
      while (((await store.sessions.get(session.id))?.entries ?? 0) < before + 5) await Promise.race([work, tick()])
      await pooler.restart()
    }
    isOver = true
    const [appended, set] = await work
    expect((await store.sessions.read(session.id)).map((entry) => entry.kind === 'message' && entry.id)).toEqual(
      Array.from({ length: appended }, (_, index) => `m${index}`),
    )
    expect(await store.state.get({ tier: 'global' }, 'count')).toBe(set - 1)
    await store.close()
  })
})

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
