/** A team's store of several databases: what machines send is spread, met again, taken back, and read as one. */
import { describe, expect, it } from '@jest/globals'
import { USAGE_GROUPINGS } from '@cairn/core'
import { withdrawSessions } from '@cairn/core/sync'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { depsOf, id, plant, sync } from '../testing/planted-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const stores = temporaryStores()
const SHARDS = 3

/** Opens user's stores, a team's store of one database, and one of several; closes them after the work. */
const withTeams = async (
  newAddress: () => Promise<string>,
  users: number,
  work: (
    teams: { readonly one: DatabaseStore; readonly many: DatabaseStore; readonly addresses: readonly string[] },
    users: readonly DatabaseStore[],
  ) => Promise<void>,
): Promise<void> => {
  const [, newLocal] = stores.newAddress[0] ?? []
  if (newLocal === undefined) throw new Error('there is no such database')
  const addresses: string[] = []
  while (addresses.length < SHARDS) addresses.push(await newAddress())
  const open = [await openStore(await newAddress()), await openStore(addresses.join(' '))] as const
  const locals = []
  for (let user = 0; user < users; user += 1) locals.push(await openStore(await newLocal()))
  try {
    await work({ one: open[0], many: open[1], addresses }, locals)
  } finally {
    for (const store of [...open, ...locals]) await store.close()
  }
}

/** How many sessions each database of the store has. */
const spread = async (addresses: readonly string[]): Promise<number[]> => {
  const counts: number[] = []
  for (const address of addresses) {
    const shard = await openStore(address)
    counts.push((await shard.sessions.list({ limit: 1 })).total)
    expect(await shard.verify()).toEqual([])
    await shard.close()
  }
  return counts
}

describe.each(stores.newAddress)('a team’s store of several databases on %s', (_, newAddress) => {
  it('gives the figures of one database, for machines in any order, and is spread', async () => {
    await withTeams(newAddress, 3, async ({ one, many, addresses }, users) => {
      for (const [user, store] of users.entries())
        for (let n = 0; n < 9; n += 1)
          await plant(store, {
            session: id(user * 100 + n),
            messages: 1 + ((n * 13 + user) % 30),
            call: user * 100_000 + n * 1_000,
            workspace: `/home/u${user}/p${n % 5}`,
            branch: `b${n % 2}`,
          })
      for (const team of [one, many])
        for (const [user, store] of users.entries()) {
          await store.sync.source.sendAgain({ forget: true })
          await sync(store, team, {
            id: `m${user}`,
            name: 'laptop',
            person: user === 2 ? 'Bo' : 'Ada',
            personId: `p${user}`,
          })
        }
      const counts = await spread(addresses)
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(27)
      for (const by of USAGE_GROUPINGS)
        for (const query of [{}, { limit: 2 }, { filter: { person: 'Bo' } }, { filter: { branch: 'b1' }, limit: 3 }])
          expect({ by, query, report: await many.usage.report({ by, ...query }) }).toEqual({
            by,
            query,
            report: await one.usage.report({ by, ...query }),
          })
    })
  })

  it('counts a call once that two machines send, from other folders and in other sessions', async () => {
    await withTeams(newAddress, 2, async ({ one, many, addresses }, [first, second]) => {
      if (first === undefined || second === undefined) throw new Error('two users were asked for')
      // The same session on two machines, and a copy under another id: the folders are hashed with other salts.
      for (const store of [first, second]) await plant(store, { session: id(1), messages: 40, workspace: '/a' })
      await plant(second, { session: id(2), messages: 12, call: 500, workspace: '/b' })
      await plant(first, { session: id(3), messages: 30, call: 500, workspace: '/c' })
      for (const team of [one, many])
        for (const [machine, store] of [first, second, first].entries()) {
          await store.sync.source.sendAgain({ forget: true })
          await sync(store, team, { id: `m${machine % 2}`, salt: `salt ${machine % 2}` })
        }
      const { total } = await many.usage.report({ by: 'model' })
      expect(total).toEqual((await one.usage.report({ by: 'model' })).total)
      expect(total.requests).toBe(20 + 15)
      expect((await spread(addresses)).reduce((sum, count) => sum + count, 0)).toBe(3)
    })
  })

  it('takes back what was withdrawn, from every copy, and removes a person', async () => {
    await withTeams(newAddress, 2, async ({ many, addresses }, [first, second]) => {
      if (first === undefined || second === undefined) throw new Error('two users were asked for')
      for (const [user, store] of [first, second].entries())
        for (let n = 0; n < 6; n += 1)
          await plant(store, { session: id(n), messages: 4 + n, call: n * 100, workspace: `/w${user}/${n}` })
      await plant(second, { session: id(50), messages: 10, call: 9_000 })
      await sync(first, many, { id: 'a', person: 'Ada', personId: 'ada' })
      const out = [`claude-code:${id(0)}`, `claude-code:${id(4)}`]
      expect(
        await withdrawSessions(
          depsOf(first, async () => many.sync.target, { id: 'a' }),
          out,
        ),
      ).toBe(2)
      const kept = await sync(second, many, { id: 'b', person: 'Bo', personId: 'bo' })
      expect(kept).toMatchObject({ kept: { withdrawn: 2 } })
      expect((await many.sessions.list({ limit: 100 })).total).toBe(5)
      expect(await many.erasure.people()).toEqual(['Ada', 'Bo'])
      const dry = await many.erasure.run({ by: 'person', person: 'Bo' }, { dryRun: true })
      expect(dry).toMatchObject({ sessions: 1, requests: 5, machines: 1 })
      expect(await many.erasure.run({ by: 'person', person: 'Bo' }, { dryRun: false })).toMatchObject({ sessions: 1 })
      expect(await many.erasure.people()).toEqual(['Ada'])
      expect((await spread(addresses)).reduce((sum, count) => sum + count, 0)).toBe(4)
    })
  })

  it('takes the text of sessions in, also of one that goes on later', async () => {
    await withTeams(newAddress, 1, async ({ many }, [user]) => {
      if (user === undefined) throw new Error('a user was asked for')
      const choices = { share: 'text' } as const
      for (let n = 0; n < 5; n += 1)
        await plant(user, { session: id(n), messages: 3 + n, call: n * 100, workspace: `/w/${n}` })
      await sync(user, many, { id: 'a', choices })
      await plant(user, { session: id(2), messages: 4, call: 200, workspace: '/w/2' }, 5)
      await sync(user, many, { id: 'a', choices })
      for (let n = 0; n < 5; n += 1)
        expect(await many.sessions.read(`claude-code:${id(n)}`)).toEqual(
          await user.sessions.read(`claude-code:${id(n)}`),
        )
      const [hit] = await many.search.search({ text: `planted text ${id(3)}` })
      expect(hit?.sessionId).toBe(`claude-code:${id(3)}`)
    })
  })

  it('is one for who names it in another order, and refuses a database that is named twice', async () => {
    const [a, b] = [await newAddress(), await newAddress()]
    for (const order of [`${a} ${b}`, `${b}  ${a}`]) {
      const store = await openStore(order)
      const before = await store.identity()
      await store.close()
      const again = await openStore(`${a} ${b}`)
      expect(await again.identity()).toBe(before)
      await again.close()
    }
    await expect(openStore(`${a} ${b} ${a}`)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('is named twice'),
    })
  })
})

describe('a store of several databases', () => {
  it('is not a user’s own, and names the database that can’t be reached', async () => {
    const [, newLocal] = stores.newAddress[0] ?? []
    const addresses = [(await newLocal?.()) ?? '', (await newLocal?.()) ?? '']
    const store = await openStore(addresses.join(' '))
    await expect(store.sync.source.changedSessions()).rejects.toMatchObject({ code: 'usage' })
    await store.close()
    await expect(openStore(`${addresses[0] ?? ''} postgresql://nobody:secret@127.0.0.1:1/none`)).rejects.toMatchObject({
      code: 'storage-unavailable',
      message: expect.not.stringContaining('secret'),
    })
  })
})
