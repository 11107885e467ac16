/** A sync with a team's store: what arrives, what does not, and what happens again, at once and in another order. */
import { describe, expect, it } from '@jest/globals'
import { asUnsent, previewSync, runSync, withdrawSessions } from '@cairn/core/sync'
import type { SyncRow, SyncTarget } from '@cairn/core/sync'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { depsOf, id, plant, sync } from '../testing/planted-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const stores = temporaryStores()
const [, newTeam] = stores.newAddress[1] ?? []
const [, newLocal] = stores.newAddress[0] ?? []

const address = async (make: (() => Promise<string>) | undefined): Promise<string> => {
  if (make === undefined) throw new Error('there is no such database')
  return make()
}

const never = (): Promise<SyncTarget> => Promise.reject(new Error('the team was asked'))

/** Every figure that a store tells of its requests, but what the order of rows decides. */
const figuresOf = async (store: DatabaseStore): Promise<unknown> => {
  const { sessions } = await store.sessions.list({ limit: 1_000 })
  const bySession = new Map<string, unknown>()
  for (const { id: session, startedAt, updatedAt, workspace, branch, requests, costNano } of sessions)
    bySession.set(session, {
      ...{ startedAt, updatedAt, workspace, branch, requests, costNano },
      facts: await store.usage.requests(session),
    })
  return {
    sessions: [...bySession].toSorted(([left], [right]) => (left < right ? -1 : 1)),
    models: await store.usage.report({ by: 'model' }),
    days: await store.usage.report({ by: 'day' }),
    faults: await store.verify(),
  }
}

const total = async (store: DatabaseStore) => (await store.usage.report({ by: 'model' })).total

/** Opens stores, and closes them after the work. */
const withStores = async <T>(
  makes: readonly ((() => Promise<string>) | undefined)[],
  work: (...stores: DatabaseStore[]) => Promise<T>,
): Promise<T> => {
  const open: DatabaseStore[] = []
  try {
    for (const make of makes) open.push(await openStore(await address(make)))
    return await work(...open)
  } finally {
    for (const store of open) await store.close()
  }
}

describe.each([['PostgreSQL', newTeam] as const, ['SQLite', newLocal] as const])(
  'a sync with a team on %s',
  (_, make) => {
    it('brings all figures to the last nano-dollar; the second one sends nothing, and does not ask the team', async () => {
      await withStores([newLocal, make], async (local, team) => {
        for (const [number, messages] of [3, 40, 1, 2_600, 7].entries())
          await plant(local, { session: id(number), messages, call: number * 10_000, title: 'planted' })
        const first = await sync(local, team)
        expect(first).toMatchObject({ sessions: 5, requests: 1 + 20 + 0 + 1_300 + 3, entries: 0, withdrawn: 0 })
        expect(await total(team)).toEqual(await total(local))
        expect(await team.verify()).toEqual([])
        const second = await runSync(depsOf(local, never, { id: 'a' }))
        expect(second).toMatchObject({ sessions: 0, requests: 0, entries: 0, commits: 0 })
      })
    })

    it('sends of a long session only what is new', async () => {
      await withStores([newLocal, make], async (local, team) => {
        await plant(local, { session: id(1), messages: 1_000 })
        await sync(local, team)
        await plant(local, { session: id(1), messages: 6 }, 1_000)
        expect(await sync(local, team)).toMatchObject({ sessions: 1, requests: 3, commits: 1 })
        expect(await total(team)).toEqual(await total(local))
      })
    })

    it('gives the same for two machines that have the same session, in either order', async () => {
      const run = (order: readonly ('a' | 'b')[]): Promise<unknown> =>
        withStores([newLocal, newLocal, make], async (one, two, team) => {
          await plant(one, { session: id(1), messages: 20, branch: 'main' })
          // The other one went on, and lacks another session.
          await plant(two, { session: id(1), messages: 31, branch: 'side' })
          await plant(one, { session: id(2), messages: 9, call: 500 })
          for (const machine of order)
            await sync(machine === 'a' ? one : two, team, { id: machine, salt: `salt of ${machine}` })
          return figuresOf(team)
        })
      const [first, second, again] = [await run(['a', 'b']), await run(['b', 'a']), await run(['a', 'b', 'a', 'b'])]
      expect(second).toEqual(first)
      expect(again).toEqual(first)
      expect(first).toMatchObject({ models: { total: { requests: 15 + 4 } }, faults: [] })
    })

    it('withdraws a deleted session, and another copy of it does not come back', async () => {
      await withStores([newLocal, newLocal, make], async (one, two, team) => {
        for (const store of [one, two]) await plant(store, { session: id(1), messages: 8 })
        await plant(one, { session: id(2), messages: 4, call: 100 })
        await plant(one, { session: id(3), messages: 4, call: 200 })
        // Never sent: nobody is told of it.
        await one.sessions.delete(`claude-code:${id(3)}`)
        await sync(one, team)
        await one.sessions.delete(`claude-code:${id(1)}`)
        expect(await sync(one, team)).toMatchObject({ withdrawn: 1 })
        expect(await runSync(depsOf(one, never, { id: 'a' }))).toMatchObject({ withdrawn: 0 })
        expect(await sync(two, team, { id: 'b' })).toMatchObject({ sessions: 0, requests: 0, kept: { withdrawn: 1 } })
        await plant(two, { session: id(1), messages: 2 }, 8)
        expect(await runSync(depsOf(two, never, { id: 'b' }))).toMatchObject({ kept: { withdrawn: 1 } })
        expect((await team.sessions.list({})).sessions.map((session) => session.id)).toEqual([`claude-code:${id(2)}`])
        expect((await total(team)).requests).toBe(2)
        expect(await team.verify()).toEqual([])
      })
    })

    it('withdraws from the store that is named, also what was sent there before another one, and keeps it out of both', async () => {
      await withStores([newLocal, make, make], async (local, team, other) => {
        for (const [number, messages] of [6, 30, 4].entries())
          await plant(local, { session: id(number), messages, call: number * 100 })
        const [kept, ...out] = [`claude-code:${id(0)}`, `claude-code:${id(1)}`, `claude-code:${id(2)}`]
        await sync(local, team)
        // Another team's store is named, and the sync with it ends before it sends anything.
        await local.sync.source.sendAgain({ forget: true })
        const deps = depsOf(local, () => Promise.resolve(team.sync.target), { id: 'a' })
        expect(await withdrawSessions(deps, out)).toBe(2)
        expect((await team.sessions.list({})).sessions.map((session) => session.id)).toEqual([kept])
        const previewed: SyncRow[] = []
        for await (const row of previewSync({ ...deps, source: asUnsent(deps.source, true) })) previewed.push(row)
        expect(previewed.filter(({ kind }) => kind === 'session')).toHaveLength(1)
        for (const store of [team, other]) {
          await local.sync.source.sendAgain({ forget: true })
          expect(await sync(local, store)).toMatchObject({ sessions: 1, requests: 3, kept: { withdrawn: 2 } })
          expect((await store.sessions.list({})).sessions.map((session) => session.id)).toEqual([kept])
          expect(await store.verify()).toEqual([])
        }
      })
    })

    it('sends of each workspace what was chosen for it, and shows before what that is', async () => {
      await withStores([newLocal, make], async (local, team) => {
        const choices = { workspaces: { '/work/secret': 'nothing', '/work/open': 'text' } } as const
        await plant(local, { session: id(1), messages: 4, workspace: '/work/secret/deep' })
        await plant(local, {
          session: id(2),
          messages: 700,
          workspace: '/work/open',
          title: 'open title',
          call: 2_000,
        })
        await plant(local, { session: id(3), messages: 6, workspace: '/work/secretly', call: 100 })
        const rows: SyncRow[] = []
        for await (const row of previewSync(depsOf(local, never, { id: 'a', choices }))) rows.push(row)
        const counts = Object.groupBy(rows, ({ kind }) => kind)
        expect(Object.entries(counts).map(([kind, found]) => [kind, found.length])).toEqual([
          ['machine', 1],
          ['session', 2],
          ['request', 353],
          ['entry', 700],
        ])
        expect(await sync(local, team, { id: 'a', choices })).toMatchObject({
          ...{ sessions: 2, requests: 353, entries: 700 },
          kept: { private: 1 },
        })
        expect(await team.sessions.read(`claude-code:${id(2)}`)).toEqual(
          await local.sessions.read(`claude-code:${id(2)}`),
        )
        expect(await team.search.search({ text: 'planted text', limit: 1 })).toHaveLength(1)
        expect(await team.sessions.get(`claude-code:${id(1)}`)).toBeUndefined()
        const { workspace, title } = (await team.sessions.get(`claude-code:${id(3)}`)) ?? {}
        expect([title, workspace]).toEqual([null, expect.stringMatching(/^~[0-9a-f]{16}$/)])
        await plant(local, { session: id(2), messages: 3, workspace: '/work/open', call: 2_000 }, 700)
        expect(await sync(local, team, { id: 'a', choices })).toMatchObject({ requests: 1, entries: 3 })
        expect(await team.verify()).toEqual([])
      })
    })
  },
)
