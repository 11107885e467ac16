/** Contract of SessionStorage, third part: summaries, lists and finding a session by a part of its id. */
import type { Store } from '../../ports/store.ts'
import type { SessionQuery } from '../../ports/session-storage.ts'
import { append, facts, message, reply, request, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const HOUR = 3_600_000

/** Five sessions: by time a < b < c < d, and e without any time. */
const fill = async (store: Store): Promise<void> => {
  await append(
    store,
    facts('a', { workspace: '/home/ann/shop', title: 'Fix the Cart' }),
    reply('1', request('a1', { costNano: 5n }), 0),
  )
  await append(
    store,
    facts('b', { workspace: '/home/ann/shop', title: 'Add search' }),
    { entry: message('1', 'x', { at: T0 + HOUR }) },
    { entry: message('2', 'x', { at: T0 + 2 * HOUR }) },
    { entry: message('3', 'x', { at: T0 + 3 * HOUR }) },
  )
  await append(
    store,
    facts('c', { workspace: '/srv/blog', title: 'cart again' }),
    reply('1', request('c1', { at: T0 + 4 * HOUR, costNano: 90n })),
  )
  await append(
    store,
    facts('d', { workspace: '/srv/shopping', agent: 'other' }),
    { entry: message('1', 'x', { at: T0 + 5 * HOUR }) },
    { entry: message('2', 'x', { at: T0 - HOUR }) },
  )
  await append(store, facts('e'), { entry: message('1', 'x', { at: null }) })
}

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runListContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('summaries', () => {
    it('describe what the log and its requests hold', async (store) => {
      const session = facts('s', { workspace: '/work/shop', branch: 'main', title: 'First words' })
      await append(
        store,
        session,
        { entry: message('m1', 'a', { at: T0 + 5 }), redactions: 2 },
        reply('m2', request('c1', { at: T0 + 9, costNano: 7n })),
        reply('m3', request('c2', { costNano: null, costState: 'unpriced' })),
        { entry: { kind: 'notice', at: T0 + 20, level: 'info', text: 'n' }, redactions: 1 },
      )
      expect(await store.sessions.get('cairn:s')).toEqual({
        id: 'cairn:s',
        agent: 'cairn',
        externalId: 's',
        workspace: '/work/shop',
        branch: 'main',
        title: 'First words',
        startedAt: T0,
        updatedAt: T0 + 20,
        entries: 4,
        messages: 3,
        favourite: false,
        redactions: 3,
        requests: 2,
        costNano: 7n,
        missingOutputCostNano: 0n,
        unpricedRequests: 1,
      })
    })

    it('name the session a fork came from', async (store) => {
      await append(store, facts('s', { forkedFrom: 'cairn:r' }), { entry: message('m', 'a') })
      await append(store, facts('t'), { entry: message('m', 'a') })
      expect((await store.sessions.get('cairn:s'))?.forkedFrom).toBe('cairn:r')
      expect((await store.sessions.resolve('cairn:s'))[0]?.forkedFrom).toBe('cairn:r')
      expect((await store.sessions.get('cairn:t'))?.forkedFrom).toBe(undefined)
    })

    it('have null for unknown facts', async (store) => {
      await append(store, facts('s'), { entry: message('m', 'a', { at: null }) })
      expect(await store.sessions.get('cairn:s')).toMatchObject({
        workspace: null,
        branch: null,
        title: null,
        startedAt: null,
        updatedAt: null,
        costNano: 0n,
        requests: 0,
      })
    })

    it('keep known facts that a later writer omits, and update those it sets', async (store) => {
      await append(store, facts('s', { workspace: '/work/shop', branch: 'main', title: 'one' }), {
        entry: message('m1', 'a'),
      })
      await append(store, facts('s', { branch: 'next' }), { entry: message('m2', 'b') })
      expect(await store.sessions.get('cairn:s')).toMatchObject({
        workspace: '/work/shop',
        branch: 'next',
        title: 'one',
      })
    })

    it('use the last title of the log, even over a writer that repeats its own', async (store) => {
      await append(store, facts('s', { title: 'from the source' }), { entry: message('m', 'a') })
      await append(
        store,
        facts('s'),
        { entry: { kind: 'title', at: T0, title: 'first' } },
        { entry: { kind: 'title', at: T0, title: 'by hand' } },
      )
      await append(store, facts('s', { title: 'from the source' }), { entry: message('m2', 'b') })
      expect((await store.sessions.get('cairn:s'))?.title).toBe('by hand')
    })

    it('are dated by messages, not by a later name, star, pin or trim', async (store) => {
      await append(
        store,
        facts('old'),
        { entry: message('m', 'a', { at: T0 }) },
        { entry: { kind: 'file', at: T0 + 5, path: 'a.ts', operation: 'edit' } },
      )
      await append(store, facts('new'), { entry: message('m', 'b', { at: T0 + HOUR }) })
      await append(
        store,
        facts('old'),
        { entry: { kind: 'title', at: T0 + 9 * HOUR, title: 'by hand' } },
        { entry: { kind: 'favourite', at: T0 + 9 * HOUR, favourite: true } },
        { entry: { kind: 'pin', at: T0 - 9 * HOUR, messageId: 'm', state: 'pinned' } },
        { entry: { kind: 'rewrite', at: T0 + 9 * HOUR, policy: 'clio', trigger: 'manual', changes: [] } },
        { entry: { kind: 'rewind', at: T0 + 9 * HOUR, toSeq: 1 } },
      )
      const dates = { title: 'by hand', favourite: true, startedAt: T0, updatedAt: T0 + 5, entries: 7 }
      expect(await store.sessions.get('cairn:old')).toMatchObject(dates)
      expect((await store.sessions.list({ limit: 9 })).sessions.map(({ externalId }) => externalId)).toEqual([
        'new',
        'old',
      ])
      expect((await store.sessions.list({ limit: 9, since: T0 + HOUR })).total).toBe(1)
      await store.rebuild()
      expect(await store.sessions.get('cairn:old')).toMatchObject(dates)
    })

    it('mark a favourite until it is unmarked', async (store) => {
      await append(store, facts('s'), { entry: { kind: 'favourite', at: T0, favourite: true } })
      expect((await store.sessions.get('cairn:s'))?.favourite).toBe(true)
      await append(store, facts('other'), { entry: message('1', 'x', { at: T0 }) })
      const favourites = await store.sessions.list({ favourites: true })
      expect([favourites.total, favourites.sessions.map(({ id }) => id)]).toEqual([1, ['cairn:s']])
      await append(store, facts('s'), { entry: { kind: 'favourite', at: T0, favourite: false } })
      expect((await store.sessions.get('cairn:s'))?.favourite).toBe(false)
      expect((await store.sessions.list({ favourites: true })).total).toBe(0)
    })
  })

  describe('list', () => {
    it('sorts, with unknown times last', async (store) => {
      await fill(store)
      const order = async (query: SessionQuery) =>
        (await store.sessions.list({ limit: 50, ...query })).sessions.map((session) => session.externalId).join('')
      expect(await order({})).toBe('dcbae')
      expect(await order({ sort: 'updated' })).toBe('dcbae')
      expect(await order({ sort: 'started' })).toBe('cbade')
      expect((await order({ sort: 'cost' })).slice(0, 2)).toBe('ca')
      expect((await order({ sort: 'messages' })).slice(0, 2)).toBe('bd')
    })

    it('reverses with the order, except for unknown times', async (store) => {
      await fill(store)
      const order = async (query: SessionQuery) =>
        (await store.sessions.list({ limit: 50, ...query })).sessions.map((session) => session.externalId)
      expect((await order({ order: 'ascending' })).join('')).toBe('abcde')
      expect((await order({ sort: 'started', order: 'ascending' })).join('')).toBe('dabce')
      for (const sort of ['cost', 'messages'] as const)
        expect(await order({ sort, order: 'ascending' })).toEqual(
          (await order({ sort, order: 'descending' })).toReversed(),
        )
    })

    it('returns each of equal sessions once, whatever the page size', async (store) => {
      const names = ['f', 'b', 'g', 'a', 'e', 'c', 'd']
      for (const name of names)
        await append(store, facts(name), { entry: message('1', 'x', { at: name === 'g' ? null : T0 }) })
      for (const sort of ['updated', 'started', 'cost', 'messages'] as const) {
        for (const order of ['ascending', 'descending'] as const) {
          const whole = (await store.sessions.list({ sort, order })).sessions.map((session) => session.id)
          const paged: string[] = []
          for (let offset = 0; offset < names.length; offset += 2)
            for (const session of (await store.sessions.list({ sort, order, limit: 2, offset })).sessions)
              paged.push(session.id)
          expect(paged).toEqual(whole)
          expect([...paged].sort()).toEqual(names.map((name) => `cairn:${name}`).sort())
        }
      }
    })

    it('returns at most 50 sessions by default', async (store) => {
      for (let index = 0; index < 51; index += 1) await append(store, facts(`s${index}`), { entry: message('1', 'x') })
      const page = await store.sessions.list({})
      expect([page.sessions.length, page.total]).toEqual([50, 51])
    })

    it('filters by branch and by model', async (store) => {
      await append(
        store,
        facts('a', { branch: 'main' }),
        reply('1', request('a1', { model: 'large' })),
        reply('2', request('a2', { model: 'small', at: T0 + HOUR })),
      )
      await append(store, facts('b', { branch: 'main/next' }), reply('1', request('b1', { model: 'small' })))
      await append(store, facts('c', { branch: 'Main' }), { entry: message('1', 'x') })
      await append(
        store,
        facts('d', { workspace: '/work/shop' }),
        reply('1', request('d1', { model: 'large-2', at: null })),
      )
      const found = async (query: SessionQuery) => {
        const page = await store.sessions.list(query)
        expect(page.total).toBe(page.sessions.length)
        return page.sessions
          .map((session) => session.externalId)
          .sort()
          .join('')
      }
      expect(await found({ branch: 'main' })).toBe('a')
      expect(await found({ branch: 'main/next' })).toBe('b')
      expect(await found({ branch: 'nowhere' })).toBe('')
      expect(await found({ branch: 'unknown' })).toBe('d')
      expect(await found({ workspace: 'unknown' })).toBe('abc')
      expect(await found({ model: 'small' })).toBe('ab')
      expect(await found({ model: 'large' })).toBe('a')
      expect(await found({ model: 'large-2' })).toBe('d')
      expect(await found({ model: 'larg' })).toBe('')
      // The name of a branch, or of an agent, is no model's.
      expect(await found({ model: 'main' })).toBe('')
      expect(await found({ branch: 'small' })).toBe('')
      expect(await found({ branch: 'main', model: 'small' })).toBe('a')
      expect(await found({ branch: 'main', model: 'small', since: T0 + HOUR + 1 })).toBe('')
      expect(await found({ model: 'small', workspace: 'shop' })).toBe('')
    })

    it('by branch has every session that any request was made on it, as usage by branch and session sums them', async (store) => {
      await append(
        store,
        facts('first', { branch: 'main' }),
        reply('1', request('f1', { at: T0, costNano: 5n })),
        reply('2', request('f2', { at: T0 + HOUR, costNano: 7n, branch: 'main' })),
      )
      // The session goes on elsewhere: its own branch is its last one.
      await append(
        store,
        facts('first', { branch: 'fix/cart' }),
        reply('3', request('f3', { at: T0 + 2 * HOUR, costNano: 900n })),
      )
      await append(store, facts('second', { branch: 'fix/cart' }), reply('1', request('s1', { at: T0 + 3 * HOUR })))
      await append(store, facts('quiet', { branch: 'main' }), { entry: message('1', 'x', { at: T0 + 4 * HOUR }) })
      await append(
        store,
        facts('third', { branch: 'docs' }),
        reply('1', request('t1', { at: T0 + 5 * HOUR, branch: 'side' })),
      )
      const found = async (query: SessionQuery): Promise<readonly string[]> => {
        const page = await store.sessions.list({ ...query, sort: 'started', order: 'ascending' })
        expect(page.total).toBe(page.sessions.length)
        return page.sessions.map((session) => session.externalId)
      }
      expect(await found({ branch: 'main' })).toEqual(['first', 'quiet'])
      expect(await found({ branch: 'fix/cart' })).toEqual(['first', 'second'])
      expect(await found({ branch: 'side' })).toEqual(['third'])
      expect(await found({ branch: 'docs' })).toEqual(['third'])
      expect(await found({ branch: 'main', model: 'claude-test' })).toEqual(['first'])
      expect(await found({ branch: 'main', until: T0 + HOUR })).toEqual(['first'])
      expect((await store.sessions.get('cairn:first'))?.branch).toBe('fix/cart')
      // No session that has a share in a branch's cost is missing from its list.
      for (const branch of ['main', 'fix/cart', 'side']) {
        const { rows } = await store.usage.report({ by: 'session', filter: { branch } })
        const listed = await found({ branch })
        expect(rows.filter(({ key }) => !listed.includes(key.slice(key.indexOf(':') + 1)))).toEqual([])
      }
      await store.sessions.delete('cairn:first')
      expect(await found({ branch: 'main' })).toEqual(['quiet'])
    })

    it('by model follows the requests: a session has them until they are removed or attributed to an earlier one', async (store) => {
      const found = async (model: string) =>
        (await store.sessions.list({ model, order: 'ascending', sort: 'started' })).sessions
          .map((session) => session.externalId)
          .join('')
      await append(store, facts('fork'), reply('1', request('same', { model: 'large', at: T0 + HOUR })))
      expect(await found('large')).toBe('fork')
      await append(store, facts('origin'), reply('1', request('same', { model: 'large', at: T0 })))
      expect(await found('large')).toBe('origin')
      await store.sessions.delete('cairn:origin')
      expect(await found('large')).toBe('')
    })

    it('filters by agent, workspace, title and time', async (store) => {
      await fill(store)
      const found = async (query: SessionQuery) => {
        const page = await store.sessions.list({ limit: 50, ...query })
        expect(page.total).toBe(page.sessions.length)
        return page.sessions
          .map((session) => session.externalId)
          .sort()
          .join('')
      }
      expect(await found({ agent: 'other' })).toBe('d')
      expect(await found({ workspace: '/home/ann/shop' })).toBe('ab')
      expect(await found({ workspace: 'shop' })).toBe('ab')
      expect(await found({ workspace: 'ann' })).toBe('')
      expect(await found({ workspaces: ['/srv/blog', '/home/ann/shop', '/nowhere'] })).toBe('abc')
      expect(await found({ workspaces: ['/srv/shopping', '/home/ann/shop'], text: 'cart' })).toBe('a')
      expect(await found({ workspaces: ['shop'] })).toBe('')
      expect(await found({ workspaces: [] })).toBe('')
      expect(await found({ text: 'CART' })).toBe('ac')
      expect(await found({ text: '%' })).toBe('')
      expect(await found({ text: 'cart', workspace: 'blog' })).toBe('c')
      expect(await found({ since: T0 + 3 * HOUR })).toBe('bcd')
      expect(await found({ since: T0 + 3 * HOUR + 1 })).toBe('cd')
      expect(await found({ until: T0 })).toBe('d')
      expect(await found({ until: T0 + 1 })).toBe('ad')
      expect(await found({ since: T0 + HOUR, until: T0 + 4 * HOUR })).toBe('bd')
    })

    it('returns pages with the total of all', async (store) => {
      await fill(store)
      const first = await store.sessions.list({ limit: 2 })
      const second = await store.sessions.list({ limit: 2, offset: 2 })
      const last = await store.sessions.list({ limit: 2, offset: 4 })
      expect([first, second, last].flatMap((page) => page.sessions.map((session) => session.externalId)).join('')).toBe(
        'dcbae',
      )
      expect([first.total, second.total, last.total]).toEqual([5, 5, 5])
      expect(await store.sessions.list({ limit: 2, offset: 9 })).toEqual({ sessions: [], total: 5 })
    })
  })

  describe('resolve', () => {
    const ids = async (store: Store, prefix: string, limit?: number) =>
      (await store.sessions.resolve(prefix, limit)).map((session) => session.id).sort()

    it("finds a session by the start of its id or of the agent's own id", async (store) => {
      for (const session of [facts('abc-1'), facts('abd-2'), facts('abc-1', { agent: 'other' })])
        await append(store, session, { entry: message('m', 'x') })
      expect(await ids(store, 'ab')).toEqual(['cairn:abc-1', 'cairn:abd-2', 'other:abc-1'])
      expect(await ids(store, 'abd')).toEqual(['cairn:abd-2'])
      expect(await ids(store, 'other:a')).toEqual(['other:abc-1'])
      expect(await ids(store, 'bc')).toEqual([])
      expect((await ids(store, 'ab', 2)).length).toBe(2)
    })

    it('returns an exact match alone', async (store) => {
      for (const session of [facts('run'), facts('run-2')]) await append(store, session, { entry: message('m', 'x') })
      expect(await ids(store, 'run')).toEqual(['cairn:run'])
      expect(await ids(store, 'cairn:run')).toEqual(['cairn:run'])
    })

    it('treats pattern characters literally', async (store) => {
      for (const session of [facts('a%b'), facts('a_b'), facts('axb'), facts('A*b')])
        await append(store, session, { entry: message('m', 'x') })
      expect(await ids(store, 'a%')).toEqual(['cairn:a%b'])
      expect(await ids(store, 'a_')).toEqual(['cairn:a_b'])
      expect(await ids(store, '%')).toEqual([])
      expect(await ids(store, 'A*')).toEqual(['cairn:A*b'])
    })
  })
}
