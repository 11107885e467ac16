/** What policies and people ask to be removed: what goes, what stays, and that no later sync brings it back. */
import { describe, expect, it } from '@jest/globals'
import { asUnsent, runSync } from '@cairn/core/sync'
import type { SyncReport } from '@cairn/core/sync'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { depsOf, id, plant, sync } from '../testing/planted-store.ts'
import type { Machine } from '../testing/planted-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const stores = temporaryStores()
const key = (number: number): string => `claude-code:${id(number)}`
const DRY = { dryRun: true }
const REAL = { dryRun: false }
const total = async (store: DatabaseStore) => (await store.usage.report({ by: 'model' })).total
/** Messages of a session that a search finds. */
const found = async (store: DatabaseStore, session: string): Promise<number> =>
  (await store.search.search({ text: 'planted text', sessionId: session })).length

/** Sends everything again, as after a team's store was lost. */
const syncAll = (local: DatabaseStore, team: DatabaseStore, machine: Machine): Promise<SyncReport> => {
  const deps = depsOf(local, () => Promise.resolve(team.sync.target), machine)
  return runSync({ ...deps, source: asUnsent(deps.source, false) })
}

describe.each(stores.newAddress)('erasure in a store on %s', (_, newAddress) => {
  const withStores = async (
    count: number,
    work: (store: DatabaseStore, ...locals: DatabaseStore[]) => Promise<void>,
  ): Promise<void> => {
    const open = [await openStore(await newAddress())]
    for (let index = 0; index < count; index += 1) {
      open.push(await openStore(`file:${stores.folder}/local-${_}-${Math.random()}.db`))
    }
    const [store, ...locals] = open
    try {
      if (store !== undefined) await work(store, ...locals)
    } finally {
      for (const each of open) await each.close()
    }
  }

  const text = { choices: { workspaces: { '/work/planted': 'text' } } } as const

  it('removes everything of a person, of all their machines, and keeps it out', () =>
    withStores(3, async (team, laptop, desktop, other) => {
      await plant(laptop, { session: id(1), messages: 10, call: 100, title: 'of Ada' })
      await plant(desktop, { session: id(2), messages: 7, call: 200 })
      await plant(other, { session: id(3), messages: 20, call: 300 })
      const ada = { id: 'laptop', name: 'laptop', person: 'Ada', personId: 'p1', ...text }
      // Her name is set on one of them.
      const atHome = { id: 'desktop', personId: 'p1', ...text }
      await sync(laptop, team, ada)
      await sync(desktop, team, atHome)
      await sync(other, team, { id: 'other', person: 'Bo', personId: 'p2', ...text })
      expect(await team.erasure.people()).toEqual(['Ada', 'Bo'])

      const before = await total(team)
      const planned = await team.erasure.run({ by: 'person', person: 'Ada' }, DRY)
      expect(planned).toMatchObject({ sessions: 2, entries: 17, requests: 8, machines: 2 })
      expect(await total(team)).toEqual(before)
      expect(await found(team, key(1))).toBeGreaterThan(0)

      const removed = await team.erasure.run({ by: 'person', person: 'Ada' }, REAL)
      expect(removed).toEqual({ ...planned, names: removed.names })
      expect(await team.erasure.people()).toEqual(['Bo'])
      expect(await total(team)).toEqual(await total(other))
      expect((await team.sessions.list({})).sessions.map((session) => session.id)).toEqual([key(3)])
      expect(await found(team, key(1))).toBe(0)
      expect(await team.verify()).toEqual([])
      expect(await team.erasure.run({ by: 'person', person: 'Ada' }, REAL)).toMatchObject({ sessions: 0, machines: 0 })

      // Neither a repetition of all nor what is new in those sessions comes back; a new session does.
      expect(await syncAll(laptop, team, ada)).toMatchObject({ kept: { withdrawn: 1 } })
      await plant(desktop, { session: id(2), messages: 4, call: 200 }, 7)
      await sync(desktop, team, atHome)
      expect(await total(team)).toEqual(await total(other))
      await plant(desktop, { session: id(4), messages: 4, call: 900 })
      await sync(desktop, team, atHome)
      expect((await team.sessions.list({})).total).toBe(2)
    }))

  it('removes sessions by age, and nothing that is newer', () =>
    withStores(0, async (store) => {
      await plant(store, { session: id(1), messages: 10, call: 0 })
      await plant(store, { session: id(2), messages: 6, call: 10_000 })
      const border = (await store.sessions.get(key(2)))?.updatedAt ?? 0
      const scope = { by: 'age', what: 'session', before: border } as const
      const planned = await store.erasure.run(scope, DRY)
      expect(planned).toMatchObject({ sessions: 1, entries: 10, requests: 5 })
      expect((await store.sessions.list({})).total).toBe(2)
      expect(await store.erasure.run(scope, REAL)).toMatchObject({ sessions: 1, entries: 10, requests: 5 })
      expect((await store.sessions.list({})).sessions.map((session) => session.id)).toEqual([key(2)])
      expect(await store.sessions.read(key(2))).toHaveLength(6)
      expect(await store.verify()).toEqual([])
      expect(await store.erasure.run(scope, REAL)).toMatchObject({ sessions: 0, entries: 0 })
    }))

  it('removes text by age and keeps the figures; a sync does not bring it back', () =>
    withStores(1, async (team, local) => {
      const machine = { id: 'a', ...text }
      await plant(local, { session: id(1), messages: 30, call: 0, title: 'a title' })
      await plant(local, { session: id(2), messages: 6, call: 10_000, title: 'another' })
      await sync(local, team, machine)
      const before = (await team.sessions.get(key(2)))?.updatedAt ?? 0
      const figures = await total(team)
      const scope = { by: 'age', what: 'text', before } as const
      expect(await team.erasure.run(scope, DRY)).toMatchObject({ sessions: 1, entries: 30, requests: 0 })
      expect(await team.sessions.read(key(1))).toHaveLength(30)
      expect(await found(team, key(1))).toBeGreaterThan(0)

      expect(await team.erasure.run(scope, REAL)).toMatchObject({ sessions: 1, entries: 30, requests: 0 })
      expect(await total(team)).toEqual(figures)
      const gone = async (): Promise<void> => {
        expect(await team.sessions.read(key(1))).toEqual([expect.objectContaining({ kind: 'notice' })])
        expect(await team.sessions.get(key(1))).toMatchObject({ title: null, messages: 0, requests: 15 })
        expect(await found(team, key(1))).toBe(0)
        expect(await team.verify()).toEqual([])
      }
      await gone()
      expect(await team.sessions.read(key(2))).toHaveLength(6)
      expect(await team.erasure.run(scope, DRY)).toMatchObject({ sessions: 0, entries: 0 })

      await syncAll(local, team, machine)
      await gone()
      expect(await total(team)).toEqual(figures)
      expect(await local.sessions.read(key(1))).toHaveLength(30)
    }))

  it('keeps blocks of a session whose text goes for the sessions that share them', () =>
    withStores(0, async (store) => {
      const long = 'the same long block '.repeat(200)
      for (const [session, at] of [
        ['old', 1_000],
        ['new', 9_000],
      ] as const) {
        await store.sessions.append({ id: `cairn:${session}`, agent: 'cairn', externalId: session }, 0, [
          { entry: { kind: 'message', id: 'm', at, role: 'user', content: [{ type: 'text', text: long }] } },
        ])
      }
      expect(await store.erasure.run({ by: 'age', what: 'text', before: 5_000 }, REAL)).toMatchObject({ sessions: 1 })
      expect(await store.sessions.read('cairn:new')).toMatchObject([{ content: [{ text: long }] }])
      expect(await store.verify()).toEqual([])
      // Who goes on with the session begins behind the notice.
      const message = { kind: 'message', id: 'n', at: 10_000, role: 'user', content: [] } as const
      const facts = { id: 'cairn:old', agent: 'cairn', externalId: 'old' }
      expect(await store.sessions.append(facts, 1, [{ entry: message }])).toMatchObject({ ok: true })
    }))
})
