/** People, machines and projects in a team's store. */
import { describe, expect, it } from '@jest/globals'
import { asUnsent, previewSync, runSync, withdrawSessions } from '@cairn/core/sync'
import type { UsageGrouping } from '@cairn/core'
import { openStore } from '../open-store.ts'
import type { DatabaseStore } from '../open-store.ts'
import { depsOf, id, plant, sync } from '../testing/planted-store.ts'
import type { Machine } from '../testing/planted-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const stores = temporaryStores()
const SALT = 'a salt that the team has agreed on'
const REMOTE = 'github.com/acme/shop'

const address = async (database: string): Promise<string> => {
  const [, make] = stores.newAddress.find(([name]) => name === database) ?? []
  if (make === undefined) throw new Error(`there is no ${database}`)
  return make()
}

/** Opens a team's store and stores of its machines, and closes them after the work. */
const withStores = async (
  database: string,
  machines: number,
  work: (team: DatabaseStore, locals: readonly DatabaseStore[]) => Promise<void>,
): Promise<void> => {
  const open: DatabaseStore[] = [await openStore(await address(database))]
  try {
    for (let count = 0; count < machines; count += 1) open.push(await openStore(await address('SQLite')))
    const [team, ...locals] = open
    if (team === undefined) throw new Error('there is no team')
    await work(team, locals)
  } finally {
    for (const store of open) await store.close()
  }
}

const rowsOf = async (store: DatabaseStore, by: UsageGrouping): Promise<Readonly<Record<string, bigint>>> =>
  Object.fromEntries((await store.usage.report({ by })).rows.map(({ key, costNano }) => [key, costNano]))

const costOf = async (store: DatabaseStore): Promise<bigint> => (await store.usage.report({ by: 'day' })).total.costNano

describe.each(['PostgreSQL', 'SQLite'])("a team's store on %s", (database) => {
  it('sums by person and by machine, to the nano-dollar, and filters by them', async () => {
    await withStores(database, 4, async (team, locals) => {
      const machines: readonly Machine[] = [
        { id: 'm-1', name: 'laptop', person: 'Ada', personId: 'p-ada' },
        // Her second machine: no name was set, but the id of the person is the same.
        { id: 'm-2', personId: 'p-ada' },
        { id: 'm-3', name: 'laptop', person: 'Bo', personId: 'p-bo' },
        { id: 'm-4', personId: 'p-4' },
      ]
      const costs: bigint[] = []
      for (const [number, local] of locals.entries()) {
        for (let session = 0; session <= 3 - number; session += 1)
          await plant(local, {
            session: id(number * 10 + session),
            messages: 7 + ((number * 13 + session * 5) % 11),
            call: number * 10_000 + session * 500,
          })
        costs.push(await costOf(local))
        await sync(local, team, machines[number])
      }
      const [one = 0n, two = 0n, three = 0n, four = 0n] = costs
      expect(await rowsOf(team, 'person')).toEqual({ Ada: one + two, Bo: three, 'p-4': four })
      expect(await rowsOf(team, 'machine')).toEqual({
        'laptop (m-1)': one,
        'm-2': two,
        'laptop (m-3)': three,
        'm-4': four,
      })
      for (const by of ['day', 'model', 'project', 'session', 'machine'] as const) {
        const { total } = await team.usage.report({ by, filter: { person: 'Ada' } })
        expect([by, total.costNano]).toEqual([by, one + two])
      }
      // Hers, and nobody's else, in lists as well.
      const listed = await team.sessions.list({ person: 'Ada' })
      const summed = await team.usage.report({ by: 'session', filter: { person: 'Ada' } })
      expect(listed.sessions.map(({ id: session }) => session).sort()).toEqual(summed.rows.map(({ key }) => key).sort())
      expect((await team.sessions.list({ person: 'Nobody' })).total).toBe(0)
      const since = Date.UTC(2026, 0, 5, 0, 7)
      const all = await team.usage.report({ by: 'person', since })
      expect(all.rows.reduce((sum, { costNano }) => sum + costNano, 0n)).toBe(all.total.costNano)
      expect(all.total.costNano).toBeLessThan(one + two + three + four)
      const { rows } = await team.usage.report({ by: 'person', limit: 1 })
      expect(rows.map(({ key }) => key)).toEqual([one + two > three ? 'Ada' : 'Bo'])
      // A name that is set later is told, even if nothing else is new.
      const named = { ...machines[3], id: 'm-4', person: 'Cy' }
      const deps = depsOf(locals[3] ?? team, () => Promise.resolve(team.sync.target), named)
      expect(await runSync(deps)).toMatchObject({ commits: 0 })
      expect(await runSync({ ...deps, isMachineChanged: true })).toMatchObject({ commits: 1, sessions: 0 })
      expect(await rowsOf(team, 'person')).toEqual({ Ada: one + two, Bo: three, Cy: four })
      expect(await team.verify()).toEqual([])
    })
  })

  it('counts clones of several people as one project, by a hash that says nothing', async () => {
    await withStores(database, 3, async (team, [ada, bo, cy]) => {
      if (ada === undefined || bo === undefined || cy === undefined) throw new Error('there are three')
      await plant(ada, { session: id(1), messages: 12, workspace: '/home/ada/shop', call: 100 })
      await plant(ada, { session: id(2), messages: 5, workspace: '/home/ada/shop/web', call: 200 })
      await plant(bo, { session: id(3), messages: 31, workspace: '/srv/bo/shop-clone', call: 300 })
      await plant(bo, { session: id(4), messages: 8, workspace: '/srv/bo/other', call: 400 })
      await ada.projects.note([{ path: '/home/ada/shop', finding: 'repository', remote: REMOTE }])
      await bo.projects.note([{ path: '/srv/bo/shop-clone', finding: 'repository', remote: REMOTE }])
      const rows = []
      for await (const row of previewSync(
        depsOf(ada, () => Promise.reject(new Error('asked')), { id: 'a', salt: SALT }),
      ))
        rows.push(row)
      const projects = rows.filter(({ kind }) => kind === 'project')
      expect(projects).toHaveLength(2)
      expect(JSON.stringify(projects)).not.toMatch(/acme|shop|ada/)
      await sync(ada, team, { id: 'a', salt: SALT })
      await sync(bo, team, { id: 'b', salt: SALT })
      const [, , other] = Object.values(await rowsOf(bo, 'workspace')).sort()
      expect(other).toBeUndefined()
      const own = { ...(await rowsOf(ada, 'project')) }
      const ofBo = await rowsOf(bo, 'project')
      const shared = (own[REMOTE] ?? 0n) + (ofBo[REMOTE] ?? 0n)
      expect(Object.values(await rowsOf(team, 'project')).sort()).toEqual([shared, ofBo['/srv/bo/other']].sort())
      expect(Object.keys(await rowsOf(team, 'project')).every((key) => /^~[0-9a-f]{16}$/.test(key))).toBe(true)
      // Nothing new: the team is not asked, and what it has stays.
      expect(await sync(ada, team, { id: 'a', salt: SALT })).toMatchObject({ commits: 0 })
      // Split by hand, it is told, with no session sent again.
      await ada.projects.choose(['/home/ada/shop/web'], '/home/ada/shop/web')
      expect(await sync(ada, team, { id: 'a', salt: SALT })).toMatchObject({ commits: 1, sessions: 0 })
      expect(Object.keys(await rowsOf(team, 'project'))).toHaveLength(3)
      await ada.projects.choose(['/home/ada/shop/web'], undefined)
      await sync(ada, team, { id: 'a', salt: SALT })
      expect(Object.keys(await rowsOf(team, 'project'))).toHaveLength(2)
      // Without a salt in common two people's clones are two projects.
      await plant(cy, { session: id(5), messages: 9, workspace: '/home/cy/shop', call: 500 })
      await cy.projects.note([{ path: '/home/cy/shop', finding: 'repository', remote: REMOTE }])
      await sync(cy, team, { id: 'c', salt: 'another one' })
      expect(Object.keys(await rowsOf(team, 'project'))).toHaveLength(3)
    })
  })

  it('is told remotes as they are where names are allowed, and never a private folder', async () => {
    await withStores(database, 1, async (team, [local]) => {
      if (local === undefined) throw new Error('there is one')
      await plant(local, { session: id(1), messages: 4, workspace: '/work/open', call: 100 })
      await plant(local, { session: id(2), messages: 4, workspace: '/work/zqprivatezq', call: 200 })
      await plant(local, { session: id(3), messages: 4, workspace: '/work/zqprivatezq/open', call: 300 })
      await local.projects.note([{ path: '/work/open', finding: 'repository', remote: REMOTE }])
      const choices = {
        names: 'plain',
        workspaces: { '/work/zqprivatezq': 'nothing', '/work/zqprivatezq/open': 'figures' },
      } as const
      await sync(local, team, { id: 'a', choices })
      const known = await team.projects.workspaces()
      expect(known.map(({ path, remote }) => [path, remote])).toEqual([
        ['/work/open', REMOTE],
        ['/work/zqprivatezq/open', undefined],
      ])
      expect(known.map(({ finding }) => finding)).toEqual(['elsewhere', 'elsewhere'])
      expect(Object.keys(await rowsOf(team, 'project')).sort()).toEqual(['/work/zqprivatezq/open', REMOTE].sort())
    })
  })

  const plain = { id: 'a', choices: { names: 'plain' } } as const
  const remotesOf = async (team: DatabaseStore): Promise<Readonly<Record<string, string | undefined>>> =>
    Object.fromEntries((await team.projects.workspaces()).map(({ path, remote }) => [path, remote]))

  it("is told a folder's project once more where its last session was deleted or withdrawn", async () => {
    await withStores(database, 1, async (team, [local]) => {
      if (local === undefined) throw new Error('there is one')
      await plant(local, { session: id(1), messages: 4, workspace: '/work/open', call: 100 })
      await local.projects.note([{ path: '/work/open', finding: 'repository', remote: REMOTE }])
      await sync(local, team, plain)
      await plant(local, { session: id(2), messages: 6, workspace: '/work/open', call: 200 })
      await local.sessions.delete(`claude-code:${id(1)}`)
      expect(await sync(local, team, plain)).toMatchObject({ withdrawn: 1, sessions: 1 })
      expect(await remotesOf(team)).toEqual({ '/work/open': REMOTE })
      const deps = depsOf(local, () => Promise.resolve(team.sync.target), plain)
      expect(await withdrawSessions(deps, [`claude-code:${id(2)}`])).toBe(1)
      expect(await remotesOf(team)).toEqual({})
      await plant(local, { session: id(3), messages: 2, workspace: '/work/open', call: 300 })
      await sync(local, team, plain)
      expect(await remotesOf(team)).toEqual({ '/work/open': REMOTE })
      expect(await sync(local, team, plain)).toMatchObject({ commits: 0 })
    })
  })

  it('is told that a folder is a project of its own again when all is sent again', async () => {
    await withStores(database, 1, async (team, [local]) => {
      if (local === undefined) throw new Error('there is one')
      await plant(local, { session: id(1), messages: 4, workspace: '/work/one', call: 100 })
      await plant(local, { session: id(2), messages: 8, workspace: '/work/two', call: 200 })
      await local.projects.choose(['/work/one'], '/work/two')
      await sync(local, team, plain)
      expect(await remotesOf(team)).toEqual({ '/work/one': '/work/two', '/work/two': undefined })
      await local.projects.choose(['/work/one'], undefined)
      const deps = depsOf(local, () => Promise.resolve(team.sync.target), plain)
      const told = async (forget: boolean): Promise<readonly unknown[]> => {
        const rows = []
        for await (const row of previewSync({ ...deps, source: asUnsent(deps.source, forget) })) rows.push(row)
        return rows.flatMap(({ kind, row }) => (kind === 'project' ? [row] : []))
      }
      expect(await told(false)).toEqual([{ workspace: '/work/one', project: null }])
      // A store that has nothing needs no word of it.
      expect(await told(true)).toEqual([])
      await local.sync.source.sendAgain({ forget: false })
      await sync(local, team, plain)
      expect(await remotesOf(team)).toEqual({ '/work/one': undefined, '/work/two': undefined })
      expect(await sync(local, team, plain)).toMatchObject({ commits: 0 })
    })
  })

  it('is told the project of a folder again of which it had nothing yet', async () => {
    await withStores(database, 1, async (team, [local]) => {
      if (local === undefined) throw new Error('there is one')
      await plant(local, { session: id(1), messages: 4, workspace: '/work/open', call: 100 })
      const deps = depsOf(local, () => Promise.resolve(team.sync.target), plain)
      const { source } = deps
      // A session begins between those that are sent and the projects.
      const changedProjects: typeof source.changedProjects = async (options) => {
        await plant(local, { session: id(2), messages: 2, workspace: '/work/late', call: 200 })
        await local.projects.note([{ path: '/work/late', finding: 'repository', remote: REMOTE }])
        return source.changedProjects(options)
      }
      expect(await runSync({ ...deps, source: { ...source, changedProjects } })).toMatchObject({ sessions: 1 })
      expect(await remotesOf(team)).toEqual({ '/work/open': undefined })
      await sync(local, team, plain)
      expect(await remotesOf(team)).toEqual({ '/work/late': REMOTE, '/work/open': undefined })
      expect(await sync(local, team, plain)).toMatchObject({ commits: 0 })
    })
  })

  it('is asked once whether it takes text', async () => {
    await withStores(database, 1, async (team, [local]) => {
      if (local === undefined) throw new Error('there is one')
      for (const number of [1, 2, 3])
        await plant(local, { session: id(number), messages: number * 3, call: number * 100 })
      let asked = 0
      const takesText = (): Promise<boolean> => {
        asked += 1
        return team.sync.target.takesText()
      }
      const target = { ...team.sync.target, takesText }
      const deps = depsOf(local, () => Promise.resolve(target), { id: 'a', choices: { share: 'text' } })
      expect(await runSync(deps)).toMatchObject({ sessions: 3, entries: 18 })
      expect(asked).toBe(1)
    })
  })
})
