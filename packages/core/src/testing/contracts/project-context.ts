/** The contract of what a project keeps for its context: its focus, its switched rules, the layout of its documents, what its sessions used. */
import { createEngine, type Engine } from '../../engine.ts'
import { createHasher } from '../../node/hasher.ts'
import type { SourceAccess } from '../../ports/source-access.ts'
import type { Store } from '../../ports/store.ts'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import { createTestClock } from '../fakes/clock.ts'
import { createInMemoryFileSystem } from '../fakes/file-system.ts'
import { createSequentialIds } from '../fakes/ids.ts'
import { append, facts, message, T0 } from './fixtures.ts'
import { SLOW_TEST_MS, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const SHOP = '/work/shop'
const OTHER = '/work/other'
const FILES: Readonly<Record<string, string>> = {
  'AGENTS.md': 'Use tabs.',
  'CLAUDE.md': 'No any.',
  'src/currency.ts': 'export const EURO = 1',
  'src/invoice.ts': 'export const total = () => 2',
  'src/rounding.ts': 'export const rounding = () => 3 // of francs',
}

/** A workspace's files, the same for all roots. */
const filesOf = (roots: readonly string[]): WorkspaceFiles => ({
  roots: roots.map((folder) => ({ folder, prefix: '' })),
  list: async () => ({
    files: Object.entries(FILES).map(([path, { length }]) => ({ path, bytes: length, mtimeMs: 1 })),
    isComplete: true,
  }),
  read: async (path) => {
    const content = FILES[path]
    return content === undefined ? { refused: 'gone' } : { content: new TextEncoder().encode(content) }
  },
})

/** Files alone: no git, no cache. */
const SOURCES: SourceAccess = {
  files: filesOf,
  head: async () => undefined,
  log: async () => undefined,
  importNeighbours: async () => [],
  cache: { read: async () => undefined, version: async () => undefined, write: async () => undefined },
  pause: async () => undefined,
}

/** An engine over the store, as another process has it. */
const engineOver = (store: Store): Engine => {
  const onDisk = [SHOP, OTHER].flatMap((folder) =>
    Object.entries(FILES).map(([path, content]) => [`${folder}/${path}`, content] as const),
  )
  return createEngine({
    store,
    fileSystem: createInMemoryFileSystem(Object.fromEntries(onDisk)),
    hasher: createHasher(),
    clock: createTestClock(T0),
    ids: createSequentialIds(),
    sources: async () => SOURCES,
  })
}

const inputOf = (workspace: string) => ({ workspace, home: '/home/u', files: filesOf([workspace]) })
/** The paths of the files related to a question, best first; `more` is added to the query. */
const related = async (engine: Engine, more: object = {}): Promise<readonly string[]> => {
  const query = { roots: [SHOP], text: 'rounding of francs', workspace: SHOP, ...more }
  return (await engine.related.find(query)).files.map(({ path }) => path)
}

/** Defines the tests of this contract with the functions in `api`; each opens a store of its own. */
export const runProjectContextContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const test = testsOn(api, open)
  // The engine loads its parts when they are first asked for.
  const it = (name: string, body: (store: Store) => Promise<void>): void => test(name, body, SLOW_TEST_MS)

  describe('the context of a project', () => {
    it('has its focus, rules and documents as another process set them, and no other project has', async (store) => {
      const [here, there] = [engineOver(store), engineOver(store)]
      await here.focus.set(SHOP, 'src/currency.ts – “Übung”')
      const layout = await here.documents.layout(SHOP, { folder: 'docs/bank', names: { progress: 'status.md' } })
      await here.documents.keepLayout(SHOP, layout)
      expect(await here.rules.switchFile(inputOf(SHOP), 'CLAUDE.md', false)).toBe('CLAUDE.md')
      expect(await there.focus.get(SHOP)).toBe('src/currency.ts – “Übung”')
      expect(await there.documents.layout(SHOP)).toEqual(layout)
      expect((await there.rules.section(inputOf(SHOP))).ids).toEqual(['AGENTS.md'])
      expect(await there.focus.get(OTHER)).toBe(undefined)
      expect((await there.documents.layout(OTHER)).folder).toBe('memory-bank')
      expect((await there.rules.section(inputOf(OTHER))).ids).toEqual(['AGENTS.md', 'CLAUDE.md'])
      expect(await there.focus.clear(SHOP)).toBe('src/currency.ts – “Übung”')
      expect(await here.focus.get(SHOP)).toBe(undefined)
    })

    it('keeps each of many switches, one after the other', async (store) => {
      const [here, there] = [engineOver(store), engineOver(store)]
      for (const [index, engine] of [here, there, here, there].entries())
        for (const id of ['AGENTS.md', 'CLAUDE.md'])
          await engine.rules.switchFile(inputOf(SHOP), id, (index + id.length) % 2 === 0)
      expect((await here.rules.section(inputOf(SHOP))).ids).toEqual(
        ['AGENTS.md', 'CLAUDE.md'].filter((id) => (3 + id.length) % 2 === 0),
      )
    })

    it('moves files up that a session used for such a request, before a time, and those of the focus', async (store) => {
      const edit = { type: 'tool_call', id: 'c1', name: 'Edit', input: { file_path: `${SHOP}/src/invoice.ts`, old_string: 'a', new_string: 'b' } } as const // prettier-ignore
      const engine = engineOver(store)
      const before = await related(engine)
      expect(before).toEqual(['src/rounding.ts', 'src/currency.ts', 'src/invoice.ts'])
      await append(
        store,
        facts('talk', { workspace: SHOP }),
        { entry: message('m1', 'The rounding of francs is wrong', { at: T0 }) },
        { entry: message('m2', [edit], { role: 'assistant', at: T0 + 1 }) },
      )
      const used = ['src/rounding.ts', 'src/invoice.ts', 'src/currency.ts']
      expect(await related(engineOver(store))).toEqual(used)
      expect(await related(engineOver(store), { until: T0 })).toEqual(before)
      expect(await related(engineOver(store), { workspace: OTHER })).toEqual(before)
      await engine.focus.set(SHOP, 'src/invoice.ts')
      expect(await related(engineOver(store), { until: T0 })).toEqual(used)
    })
  })
}
