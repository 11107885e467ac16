/** Contract of ProjectStorage: what is known of folders, and usage and sessions by the projects that follow from it. */
import type { Store } from '../../ports/store.ts'
import { append, facts, message, reply, request } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const SHOP = 'github.com/acme/shop'
/** Sizes and order differ from those of their names. */
const COSTS: Readonly<Record<string, bigint>> = {
  '/work/two': 7_000n,
  '/work/one': 40n,
  '/work/one/deep': 900_000n,
  '/work/api': 55_555n,
}

/** A session with one request in each of the folders, and one in none. */
const fill = async (store: Store): Promise<void> => {
  for (const [path, costNano] of Object.entries(COSTS)) {
    const fact = request(`c${path}`, { costNano, costState: 'recorded' })
    await append(store, facts(`s${path}`, { workspace: path }), reply(`m${path}`, fact))
  }
  await append(store, facts('nowhere'), reply('m', request('c', { costNano: 3n, costState: 'recorded' })))
}

/** What each project cost, the most expensive first. */
const costs = async (store: Store, limit?: number): Promise<readonly (readonly [string, bigint])[]> =>
  (await store.usage.report({ by: 'project', ...(limit === undefined ? {} : { limit }) })).rows.map(
    ({ key, costNano }) => [key, costNano] as const,
  )

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runProjectStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('ProjectStorage', () => {
    it('has every folder that sessions and requests name, and nothing else', async (store) => {
      expect(await store.projects.workspaces()).toEqual([])
      await append(store, facts('a', { workspace: '/work/b' }), { entry: message('m', 'x') })
      await append(store, facts('b'), reply('m', request('c', { workspace: '/work/a' })))
      await store.projects.note([{ path: '/work/other', finding: 'repository', remote: SHOP }])
      await store.projects.choose(['/work/other'], 'x')
      expect(await store.projects.workspaces()).toEqual([
        { path: '/work/a', finding: 'unseen' },
        { path: '/work/b', finding: 'unseen' },
      ])
    })

    it('keeps what was found, also of a folder that is gone since', async (store) => {
      await fill(store)
      await store.projects.note([
        { path: '/work/two', finding: 'repository', remote: SHOP },
        { path: '/work/api', finding: 'missing' },
        { path: '/work/one', finding: 'folder' },
      ])
      await store.projects.note([
        { path: '/work/two', finding: 'missing' },
        { path: '/work/one', finding: 'repository' },
      ])
      expect(await store.projects.workspaces()).toEqual([
        { path: '/work/api', finding: 'missing' },
        { path: '/work/one', finding: 'repository' },
        { path: '/work/one/deep', finding: 'unseen' },
        { path: '/work/two', finding: 'repository', remote: SHOP },
      ])
    })

    it('lets usage count by project: clones together, and what lies in a folder with it', async (store) => {
      await fill(store)
      expect(await costs(store)).toEqual([
        ['/work/one', 900_040n],
        ['/work/api', 55_555n],
        ['/work/two', 7_000n],
        ['unknown', 3n],
      ])
      await store.projects.note([
        { path: '/work/two', finding: 'repository', remote: SHOP },
        { path: '/work/api', finding: 'repository', remote: SHOP },
      ])
      expect(await costs(store)).toEqual([
        ['/work/one', 900_040n],
        [SHOP, 62_555n],
        ['unknown', 3n],
      ])
      await store.projects.choose(['/work/api', '/work/one/deep'], 'Mine')
      expect(await costs(store)).toEqual([
        ['Mine', 955_555n],
        [SHOP, 7_000n],
        ['/work/one', 40n],
        ['unknown', 3n],
      ])
      await store.projects.choose(['/work/api'], undefined)
      // The most expensive of projects, and not of their folders.
      expect(await costs(store, 2)).toEqual([
        ['Mine', 900_000n],
        [SHOP, 62_555n],
      ])
    })

    it('filters usage and sessions by a project, its name, or a folder in it', async (store) => {
      await fill(store)
      await store.projects.note([
        { path: '/work/two', finding: 'repository', remote: SHOP },
        { path: '/work/api', finding: 'repository', remote: SHOP },
      ])
      for (const [project, cost, sessions] of [
        [SHOP, 62_555n, 2],
        ['shop', 62_555n, 2],
        ['/work/api', 62_555n, 2],
        ['/work/one/deep', 900_040n, 2],
        ['one', 900_040n, 2],
        ['unknown', 3n, 1],
        ['nothing', 0n, 0],
      ] as const) {
        for (const by of ['day', 'session', 'workspace', 'project', 'model'] as const) {
          const { total, rows } = await store.usage.report({ by, filter: { project } })
          expect([project, by, total.costNano]).toEqual([project, by, cost])
          expect(rows.reduce((sum, { costNano }) => sum + costNano, 0n)).toBe(cost)
        }
        const listed = await store.sessions.list({ project })
        expect([project, listed.total]).toEqual([project, sessions])
      }
      // A workspace stays one folder.
      const { total } = await store.usage.report({ by: 'day', filter: { workspace: '/work/api' } })
      expect(total.costNano).toBe(55_555n)
    })

    it('knows no person and no machine where none has sent anything', async (store) => {
      await fill(store)
      for (const by of ['person', 'machine'] as const) {
        const { rows, total } = await store.usage.report({ by })
        expect(rows.map(({ key, costNano }) => [key, costNano])).toEqual([['unknown', total.costNano]])
        expect((await store.usage.report({ by: 'day', filter: { [by]: 'Ada' } })).total.requests).toBe(0)
        expect((await store.usage.report({ by: 'day', filter: { [by]: 'unknown' } })).total).toEqual(total)
      }
    })
  })
}
