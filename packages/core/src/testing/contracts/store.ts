/** The contract of a whole Store: every port's, and what concerns them all. */
import type { Store } from '../../ports/store.ts'
import { runCheckpointStorageContract } from './checkpoint-storage.ts'
import { append, facts, importBatch, importedMessage, message, reply, request, T0 } from './fixtures.ts'
import { runCleanUpContract } from './clean-up.ts'
import { runHealthStorageContract } from './health-storage.ts'
import { runImportStorageContract } from './import-storage.ts'
import { memoryEntry, runMemoryStorageContract, writeMemory } from './memory-storage.ts'
import { runNoteStorageContract } from './note-storage.ts'
import { runProjectStorageContract } from './project-storage.ts'
import { runSearchIndexContract } from './search-index.ts'
import { runSessionStorageContract } from './session-storage.ts'
import { runStateStorageContract } from './state-storage.ts'
import { runProjectContextContract } from './project-context.ts'
import { collect, rejectionOf, testsOn, type OpenStore, type TestApi } from './test-api.ts'
import { runUsageStorageContract } from './usage-storage.ts'

/** Something in every port. */
const fill = async (store: Store): Promise<void> => {
  await importBatch(store, '/a', {
    sessions: [
      {
        session: facts('imported'),
        writes: [{ ...importedMessage('m1', 'walrus'), redactions: 3 }, reply('m2', request('c1'), 900)],
      },
    ],
    source: [{ sessionId: 'cairn:imported', firstLine: 1, lines: ['one', 'two'] }],
    skips: [{ file: '/a', line: 3, reason: 'not JSON', count: 1 }],
  })
  await append(store, facts('live'), { entry: message('m1', 'walrus'), redactions: 2 }, reply('m2', request('c2')))
  await store.state.set({ tier: 'global' }, new Map([['k', 1]]))
  await store.notes.set({ workspace: 'w', key: 'k', text: 'x', at: 1 })
  await writeMemory(store, 1, { op: 'put', entry: memoryEntry('m', { workspace: 'w' }) })
  await store.checkpoints.add({
    id: 'c',
    workspace: 'w',
    sessionId: null,
    at: 1,
    commit: 'x',
    files: 1,
    bytes: 1,
    kind: 'manual',
    label: 'before the upgrade',
    leftOut: { count: 1, named: [{ path: '.env', isFolder: false, reason: 'secret' }] },
  })
}

/** Everything that can be asked of a store that was filled so. */
const contentOf = async (store: Store) => ({
  sessions: await store.sessions.list({ limit: 9 }),
  imported: await store.sessions.read('cairn:imported'),
  live: await store.sessions.read('cairn:live'),
  source: await collect(store.sessions.sourceLines('cairn:imported')),
  days: await store.usage.report({ by: 'day' }),
  bySession: await store.usage.report({ by: 'session' }),
  found: (await store.search.search({ text: 'walrus' })).map((hit) => `${hit.sessionId} ${hit.seq}`).sort(),
  files: await store.imports.files(),
  skips: await store.imports.skips(),
  state: new Map(await store.state.all({ tier: 'global' })),
  notes: await store.notes.list('w'),
  memory: await store.memory.list('w'),
  checkpoints: await store.checkpoints.list('w'),
})

/** Defines the tests of a store as a whole with the functions in `api`; `open` gives an empty store to each. */
const runWholeStoreContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('Store', () => {
    it('counts what it holds', async (store) => {
      await fill(store)
      const statistics = await store.statistics()
      expect(statistics).toMatchObject({
        sessions: 2,
        entries: 4,
        requests: 2,
        importedFiles: 1,
        redactions: 5,
        sourceBytes: 6,
      })
      expect(statistics.location.length).toBeGreaterThan(0)
    })

    it('finds no damage in what it wrote, and rebuilds it without a change', async (store) => {
      await fill(store)
      const before = await contentOf(store)
      expect(await store.verify()).toEqual([])
      await store.rebuild()
      expect(await store.verify()).toEqual([])
      expect(await contentOf(store)).toEqual(before)
      await append(store, facts('live'), { entry: message('m3', 'otter') })
      expect((await store.search.search({ text: 'otter' })).length).toBe(1)
    })

    it('removes everything, and can be used again', async (store) => {
      const empty = await contentOf(store)
      await fill(store)
      await store.sessions.delete('cairn:imported')
      await store.purge()
      expect(await contentOf(store)).toEqual(empty)
      expect(await store.statistics()).toMatchObject({
        sessions: 0,
        entries: 0,
        requests: 0,
        importedFiles: 0,
        redactions: 0,
        sourceBytes: 0,
      })
      // Nothing is remembered, not even what had been deleted.
      await fill(store)
      expect((await store.sessions.list({ limit: 9 })).total).toBe(2)
    })

    it('notifies listeners of changes until they unsubscribe', async (store) => {
      let calls = 0
      let tell: () => void = () => undefined
      const told = new Promise<void>((resolve) => (tell = resolve))
      const stop = store.onChange(() => {
        calls += 1
        tell()
      })
      await append(store, facts('s'), { entry: message('m', 'x', { at: T0 }) })
      await told
      stop()
      stop()
      const before = calls
      await append(store, facts('s'), { entry: message('m2', 'x', { at: T0 }) })
      expect(calls).toBe(before)
    })

    it('closes once, however often it is asked to', async (store) => {
      store.onChange(() => undefined)
      await store.notes.list('/work/shop')
      await append(store, facts('s'), { entry: message('m', 'x', { at: T0 }) })
      await Promise.all([store.close(), store.close()])
      await store.close()
    })

    it('says in one sentence that it was closed, whatever is called afterwards', async (store) => {
      await append(store, facts('s'), { entry: message('m', 'x', { at: T0 }) })
      const stop = store.onChange(() => undefined)
      await store.close()
      stop()
      const asked: readonly (() => Promise<unknown>)[] = [
        () => append(store, facts('s'), { entry: message('n', 'x', { at: T0 }) }),
        () => store.sessions.read('cairn:s'),
        () => collect(store.sessions.sourceLines('cairn:s')),
        () => store.usage.report({ by: 'day' }),
        () => store.imports.files(),
        () => store.search.search({ text: 'x' }),
        () => store.state.all({ tier: 'global' }),
        () => store.notes.list('/work/shop'),
        () => store.memory.list('/work/shop'),
        () => store.checkpoints.list('/work/shop'),
        () => store.statistics(),
        () => store.verify(),
        () => store.rebuild(),
        () => store.purge(),
      ]
      for (const ask of asked)
        api
          .expect(await rejectionOf(ask()))
          .toMatchObject({ code: 'storage-unavailable', message: 'The store has been closed.' })
    })
  })
}

/** Runs the suites of all ports, and of the store as a whole; `open` gives a new, empty store each time. */
export const runStoreContract = (api: TestApi, open: OpenStore): void => {
  runSessionStorageContract(api, open)
  runUsageStorageContract(api, open)
  runImportStorageContract(api, open)
  runSearchIndexContract(api, open)
  runStateStorageContract(api, open)
  runNoteStorageContract(api, open)
  runProjectStorageContract(api, open)
  runMemoryStorageContract(api, open)
  runCheckpointStorageContract(api, open)
  runCleanUpContract(api, open)
  runHealthStorageContract(api, open)
  runProjectContextContract(api, open)
  runWholeStoreContract(api, open)
}
