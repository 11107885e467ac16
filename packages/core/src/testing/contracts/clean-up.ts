/** Contract of CleanUpStorage: what is left over goes, and nothing that anybody said or that is still named. */
import type { OrphanCount, OrphanKind, OrphanQuery } from '../../ports/clean-up-storage.ts'
import type { Store } from '../../ports/store.ts'
import { T0, append, facts, importBatch, importedMessage, message, reply, request } from './fixtures.ts'
import { memoryEntry, writeMemory } from './memory-storage.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

const ALL: OrphanQuery = { dryRun: false, quick: false }
const DRY: OrphanQuery = { dryRun: true, quick: false }

/** The counts of one kind; 0 where it is not there. */
const of = (counts: readonly OrphanCount[], kind: OrphanKind) => {
  const count = counts.find((each) => each.kind === kind)
  return { found: count?.found ?? 0, removed: count?.removed ?? 0 }
}

const open = (store: Store, id: string) => store.sessions.append(facts(id), 0, [])

/** Fills a store with sessions without an entry that something else names. */
const fillNamed = async (store: Store): Promise<void> => {
  for (const id of ['noted', 'remembered', 'checkpointed', 'set', 'forked', 'failed']) await open(store, id)
  await store.sessions.append(facts('titled', { title: 'A title' }), 0, [])
  await store.notes.set({ workspace: 'w', key: 'k', text: 'x', at: 1, sessionId: 'cairn:noted' })
  await writeMemory(store, 1, { op: 'put', entry: memoryEntry('m', { workspace: 'w', sessionId: 'cairn:remembered' }) })
  await store.checkpoints.add({
    id: 'c',
    workspace: 'w',
    sessionId: 'cairn:checkpointed',
    at: 1,
    commit: 'x',
    files: 1,
    bytes: 1,
    kind: 'manual',
    label: 'before the upgrade',
    leftOut: { count: 1, named: [{ path: '.env', isFolder: false, reason: 'secret' }] },
  })
  await store.state.set({ tier: 'session', sessionId: 'cairn:set' }, new Map([['draft', 'x']]))
  await append(store, facts('fork', { forkedFrom: 'cairn:forked' }), { entry: message('1', 'x') })
  await store.usage.addFailure('cairn:failed', {
    id: 'f',
    at: T0,
    model: 'm',
    provider: 'p',
    code: 'model-failed',
    attempt: 1,
    totalMs: 5,
  })
}

/** Defines the tests of this contract with the functions in `api`; `openStore` gives an empty store to each. */
export const runCleanUpContract = (api: TestApi, openStore: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, openStore)

  describe('CleanUpStorage', () => {
    it('removes sessions without anything in them, and says how many', async (store) => {
      for (const id of ['a', 'b', 'c']) await open(store, id)
      await append(store, facts('said'), { entry: message('1', 'walrus') })
      expect(of(await store.cleanUp.removeOrphans(DRY), 'empty-session')).toEqual({ found: 3, removed: 0 })
      expect((await store.sessions.list({ limit: 9 })).total).toBe(4)
      expect(of(await store.cleanUp.removeOrphans(ALL), 'empty-session')).toEqual({ found: 3, removed: 3 })
      expect((await store.sessions.list({ limit: 9 })).sessions.map(({ id }) => id)).toEqual(['cairn:said'])
      expect(of(await store.cleanUp.removeOrphans(ALL), 'empty-session')).toEqual({ found: 0, removed: 0 })
      expect(await store.verify()).toEqual([])
    })

    it('leaves a session that has a title or is named by a note, memory, checkpoint, setting, fork or failure', async (store) => {
      await fillNamed(store)
      const before = (await store.sessions.list({ limit: 20 })).total
      expect(before).toBe(8)
      expect(of(await store.cleanUp.removeOrphans(ALL), 'empty-session')).toEqual({ found: 0, removed: 0 })
      expect((await store.sessions.list({ limit: 20 })).total).toBe(before)
    })

    it('lets a writer go on with a session that it removed', async (store) => {
      await open(store, 'a')
      await store.cleanUp.removeOrphans(ALL)
      expect(await store.sessions.append(facts('a'), 0, [{ entry: message('1', 'walrus') }])).toEqual({
        ok: true,
        value: { nextSeq: 1 },
      })
      expect((await store.search.search({ text: 'walrus' })).length).toBe(1)
    })

    it('removes settings of deleted sessions, and leaves those of sessions that were never here', async (store) => {
      await append(store, facts('gone'), { entry: message('1', 'x') })
      await store.sessions.delete('cairn:gone')
      // Written behind, after the deletion.
      await store.state.set({ tier: 'session', sessionId: 'cairn:gone' }, new Map([['draft', 'x']]))
      await store.state.set({ tier: 'session', sessionId: 'cairn:not-yet' }, new Map([['draft', 'y']]))
      await store.state.set({ tier: 'global' }, new Map([['theme', 'dark']]))
      expect(of(await store.cleanUp.removeOrphans(ALL), 'session-state')).toEqual({ found: 1, removed: 1 })
      expect((await store.state.all({ tier: 'session', sessionId: 'cairn:gone' })).size).toBe(0)
      expect((await store.state.all({ tier: 'session', sessionId: 'cairn:not-yet' })).size).toBe(1)
      expect((await store.state.all({ tier: 'global' })).size).toBe(1)
    })

    it('removes records of files that are gone and left nothing, with what was skipped of them', async (store) => {
      await importBatch(store, '/t/empty.jsonl', { skips: [{ file: '/t/empty.jsonl', reason: 'no agent', count: 1 }] })
      await importBatch(store, '/t/there.jsonl', {})
      await importBatch(store, '/t/kept.jsonl', {
        sessions: [{ session: facts('kept'), writes: [importedMessage('1', 'walrus')] }],
        source: [{ sessionId: 'cairn:kept', firstLine: 1, lines: ['walrus'] }],
      })
      const isGone = (path: string): boolean => path !== '/t/there.jsonl'
      expect(of(await store.cleanUp.removeOrphans(ALL), 'import-record')).toEqual({ found: 0, removed: 0 })
      expect(of(await store.cleanUp.removeOrphans({ ...DRY, isGone }), 'import-record')).toEqual({
        found: 1,
        removed: 0,
      })
      expect(of(await store.cleanUp.removeOrphans({ ...ALL, isGone }), 'import-record')).toEqual({
        found: 1,
        removed: 1,
      })
      expect((await store.imports.files()).map(({ path }) => path).sort()).toEqual(['/t/kept.jsonl', '/t/there.jsonl'])
      expect(await store.imports.skips()).toEqual([])
      // The file came back.
      await importBatch(store, '/t/empty.jsonl', {})
      expect((await store.imports.file('/t/empty.jsonl'))?.version).toBe(1)
    })

    it('keeps all names that something has', async (store) => {
      const session = facts('a', { workspace: '/work/shop', branch: 'main' })
      await importBatch(store, '/t/a.jsonl', {
        sessions: [{ session, writes: [importedMessage('1', 'x'), reply('2', request('r'))] }],
      })
      const gone = facts('b', { workspace: '/work/private', branch: 'secret-plan' })
      await append(store, gone, { entry: message('1', 'x') })
      await store.sessions.delete('cairn:b')
      await store.cleanUp.removeOrphans(ALL)
      expect(await store.verify()).toEqual([])
      // The same names again, after they were removed.
      await append(store, gone, { entry: message('1', 'zebra') })
      await append(store, facts('c', { workspace: '/work/shop', branch: 'main' }), { entry: message('1', 'otter') })
      const { sessions } = await store.sessions.list({ limit: 9 })
      expect(sessions.map(({ id, workspace, branch }) => [id, workspace, branch]).sort()).toEqual([
        ['cairn:a', '/work/shop', 'main'],
        ['cairn:b', '/work/private', 'secret-plan'],
        ['cairn:c', '/work/shop', 'main'],
      ])
      expect((await store.usage.report({ by: 'model' })).rows.map(({ key }) => key)).toEqual(['claude-test'])
      expect((await store.search.search({ text: 'zebra', workspace: '/work/private' })).length).toBe(1)
      expect(await store.verify()).toEqual([])
    })

    it('is claimed by one of several at once, and again when it is due', async (store) => {
      const claims = await Promise.all([1, 2, 3].map(() => store.cleanUp.claim(T0, 1_000)))
      expect(claims.filter(Boolean).length).toBe(1)
      expect(await store.cleanUp.claim(T0 + 999, 1_000)).toBe(false)
      expect(await store.cleanUp.claim(T0 + 1_000, 1_000)).toBe(true)
      // The clock was set back.
      expect(await store.cleanUp.claim(T0 - 5_000, 1_000)).toBe(true)
    })

    it('remembers the last report', async (store) => {
      expect(await store.cleanUp.last()).toBe(undefined)
      await store.cleanUp.claim(T0, 1)
      expect(await store.cleanUp.last()).toBe(undefined)
      await store.cleanUp.record({ at: T0 + 7, report: '{"rows":[]}' })
      await store.cleanUp.record({ at: T0 + 9, report: '{"rows":[1]}' })
      expect(await store.cleanUp.last()).toEqual({ at: T0 + 9, report: '{"rows":[1]}' })
    })
  })
}
