/** The contract of SearchIndex: the files that tools read or edited, over all sessions. */
import type { ContentBlock } from '../../messages.ts'
import type { FileListQuery, FileListSort } from '../../ports/search-index.ts'
import type { Store } from '../../ports/store.ts'
import { append, errorCode, facts, importedMessage, T0 } from './fixtures.ts'
import { testsOn, type OpenStore, type TestApi } from './test-api.ts'

let calls = 0
const use = (name: 'Edit' | 'Read', path: string): ContentBlock[] => [
  { type: 'tool_call', id: `files-call-${(calls += 1)}`, name, input: { file_path: path, new_string: 'x' } },
]

/** Fills a store with two projects that both have a src/a.ts, and a session whose folder is not known. */
const fill = async (store: Store): Promise<void> => {
  await append(
    store,
    facts('a', { workspace: '/w' }),
    importedMessage('a0', 'please mend it', { at: T0 }),
    importedMessage('a1', use('Read', '/w/src/a.ts'), { at: T0 + 1, role: 'assistant' }),
    importedMessage('a2', use('Edit', 'src/a.ts'), { at: T0 + 2, role: 'assistant' }),
    importedMessage('a3', use('Edit', '/w/src/B.ts'), { at: T0 + 3, role: 'assistant' }),
  )
  await append(
    store,
    facts('b', { workspace: '/w' }),
    importedMessage('b0', use('Edit', './src/a.ts'), { at: T0 + 10, role: 'assistant' }),
    importedMessage('b1', use('Read', '/etc/hosts'), { at: T0 + 11, role: 'assistant' }),
    importedMessage('b2', use('Edit', 'src/a.ts'), { at: T0 + 12, role: 'assistant' }),
    importedMessage('b3', use('Read', 'src/B.ts'), { at: null, role: 'assistant' }),
  )
  await append(
    store,
    facts('c', { workspace: '/v', agent: 'other', branch: 'main' }),
    importedMessage('c0', use('Edit', '/v/src/a.ts'), { at: T0 + 20, role: 'assistant' }),
    importedMessage('c1', use('Read', '/w/src/B.ts'), { at: T0 + 21, role: 'assistant' }),
  )
}

const SORTS: readonly FileListSort[] = ['edits', 'reads', 'sessions', 'last', 'path']

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runSearchFilesContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('SearchIndex, files over all sessions', () => {
    it('counts edits, reads and sessions, and says where a file was edited and read last', async (store) => {
      await fill(store)
      const { files, total } = await store.search.files()
      expect(total).toBe(4)
      expect(files).toEqual([
        {
          path: 'src/a.ts',
          workspace: '/w',
          edits: 3,
          reads: 1,
          sessions: 2,
          lastEdit: { sessionId: 'cairn:b', seq: 2, at: T0 + 12 },
          lastRead: { sessionId: 'cairn:a', seq: 1, at: T0 + 1 },
        },
        {
          path: 'src/a.ts',
          workspace: '/v',
          edits: 1,
          reads: 0,
          sessions: 1,
          lastEdit: { sessionId: 'other:c', seq: 0, at: T0 + 20 },
          lastRead: null,
        },
        {
          path: 'src/B.ts',
          workspace: '/w',
          edits: 1,
          reads: 2,
          sessions: 3,
          lastEdit: { sessionId: 'cairn:a', seq: 3, at: T0 + 3 },
          lastRead: { sessionId: 'other:c', seq: 1, at: T0 + 21 },
        },
        {
          path: '/etc/hosts',
          workspace: null,
          edits: 0,
          reads: 1,
          sessions: 1,
          lastEdit: null,
          lastRead: { sessionId: 'cairn:b', seq: 1, at: T0 + 11 },
        },
      ])
    })

    it('narrows by folder, agent, time and words of the path', async (store) => {
      await fill(store)
      const found = async (query: FileListQuery) =>
        (await store.search.files(query)).files.map(
          ({ path, workspace, edits, reads }) => `${workspace ?? '-'} ${path} ${edits} ${reads}`,
        )
      expect(await found({ workspace: '/v' })).toEqual(['/v src/a.ts 1 0', '- /w/src/B.ts 0 1'])
      expect(await found({ workspaces: ['/v', '/x'] })).toEqual(await found({ workspace: '/v' }))
      expect(await found({ workspaces: [] })).toEqual([])
      expect(await found({ branch: 'main' })).toEqual(await found({ workspace: '/v' }))
      expect(await found({ agent: 'other' })).toEqual(await found({ workspace: '/v' }))
      expect(await found({ since: T0 + 3, until: T0 + 12 })).toEqual([
        '/w src/a.ts 1 0',
        '/w src/B.ts 1 0',
        '- /etc/hosts 0 1',
      ])
      expect(await found({ text: 'SRC b.t' })).toEqual(['/w src/B.ts 1 2'])
      expect(await found({ text: 'no-such-file' })).toEqual([])
    })

    it('gives parts of the whole list, in every order', async (store) => {
      await fill(store)
      for (const sort of SORTS)
        for (const order of ['ascending', 'descending'] as const) {
          const whole = await store.search.files({ sort, order })
          for (let offset = 0; offset <= 5; offset += 1)
            for (const limit of [0, 1, 3])
              expect(await store.search.files({ sort, order, offset, limit })).toEqual({
                files: whole.files.slice(offset, offset + limit),
                total: whole.total,
              })
        }
      const names = async (sort: FileListSort, order?: 'ascending' | 'descending') =>
        (await store.search.files({ sort, ...(order === undefined ? {} : { order }) })).files.map(
          ({ path, workspace }) => `${workspace ?? ''}:${path}`,
        )
      expect(await names('path')).toEqual([':/etc/hosts', '/v:src/a.ts', '/w:src/B.ts', '/w:src/a.ts'])
      expect(await names('reads')).toEqual(['/w:src/B.ts', '/w:src/a.ts', ':/etc/hosts', '/v:src/a.ts'])
      expect(await names('sessions')).toEqual(['/w:src/B.ts', '/w:src/a.ts', '/v:src/a.ts', ':/etc/hosts'])
      expect(await names('last')).toEqual(['/v:src/a.ts', '/w:src/a.ts', '/w:src/B.ts', ':/etc/hosts'])
      expect(await names('last', 'ascending')).toEqual(['/w:src/B.ts', '/w:src/a.ts', '/v:src/a.ts', ':/etc/hosts'])
    })

    it('forgets what deleted sessions did, and refuses what is no query', async (store) => {
      await fill(store)
      await store.sessions.delete('cairn:b')
      const [first] = (await store.search.files({ workspace: '/w', sort: 'path' })).files
      expect(first).toMatchObject({ path: 'src/B.ts', edits: 1, reads: 0 })
      for (const query of [
        { limit: -1 },
        { offset: 0.5 },
        { text: 3 },
        { sort: 'size' },
        { order: 'up' },
        { workspaces: '/w' },
        [],
      ])
        expect(await store.search.files(query as never).catch(errorCode)).toBe('invalid-input')
    })
  })
}
