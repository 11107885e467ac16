import { describe, expect, it } from '@jest/globals'
import type { FileTouch } from '@cairn/core'
import { findFiles, type FoldersOf } from './file-hits.ts'

/** Touches, the newest first. */
const touches = (...paths: readonly string[]): readonly FileTouch[] =>
  paths.map((path, index) => ({
    path,
    operation: 'edit',
    sessionId: `s${index % 2}`,
    seq: 10 + index,
    at: 1_000 - index,
  }))

const noFolders: FoldersOf = () => Promise.resolve(new Map())

const find = async (text: string, all: readonly FileTouch[], limit = 10, folders: FoldersOf = noFolders) => {
  const { files, total, unknown } = await findFiles({ touches: () => Promise.resolve(all) }, text, limit, folders)
  return { paths: files.map(({ path }) => path.text), total, unknown }
}

describe('findFiles', () => {
  const some = touches(
    'web/src/budget-view.ts',
    'core/src/budget.ts',
    'src/budget.ts.bak',
    'src/budget.ts',
    '/work/app/src/budget.ts',
    'budget.ts/readme.md',
    'My Notes/to do.md',
  )

  it('puts the exact path first, then the exact name, whatever was touched last', async () => {
    expect((await find('src/budget.ts', some)).paths).toEqual([
      'src/budget.ts',
      'core/src/budget.ts',
      '/work/app/src/budget.ts',
      'src/budget.ts.bak',
    ])
    expect((await find('BUDGET.ts', some)).paths).toEqual([
      'core/src/budget.ts',
      'src/budget.ts',
      '/work/app/src/budget.ts',
      'src/budget.ts.bak',
      'budget.ts/readme.md',
    ])
    expect((await find('budget', some)).paths.slice(0, 3)).toEqual([
      'core/src/budget.ts',
      'src/budget.ts',
      '/work/app/src/budget.ts',
    ])
    expect((await find('src budget.ts', some)).paths[0]).toBe('core/src/budget.ts')
    expect((await find('my notes/to do.md', some)).paths).toEqual(['My Notes/to do.md'])
  })

  it('knows a path within its project, and a whole path by the folder of its session', async () => {
    const all = touches('/w/shop/pkg/src/a.ts', '/w/shop/src/a.ts', 'src/a.ts', 'pkg/src/a.ts')
    // The sessions of the first and third are in the shop, the others in the tool.
    const folders: FoldersOf = (ids) =>
      Promise.resolve(new Map(ids.map((id) => [id, id === 's0' ? '/w/shop' : '/w/tool'] as const)))
    expect((await find('/w/shop/src/a.ts', all, 10, folders)).paths).toEqual(['/w/shop/src/a.ts', 'src/a.ts'])
    expect((await find('/w/tool/pkg/src/a.ts', all, 10, folders)).paths).toEqual(['pkg/src/a.ts'])
    expect(await find('/w/none/src/a.ts', all, 10, folders)).toEqual({ paths: [], total: 0, unknown: [] })
    expect((await find('pkg/src/a.ts', all, 10, folders)).paths).toEqual(['/w/shop/pkg/src/a.ts', 'pkg/src/a.ts'])
    const [first] = (await find('src/a.ts', touches('/w/shop/pkg/src/a.ts', 'x', '/w/shop/src/a.ts'), 9, folders)).paths
    expect(first).toBe('/w/shop/src/a.ts')
  })

  it('takes a path as it is copied from elsewhere', async () => {
    const [first] = (await find('src/budget.ts', some)).paths
    for (const text of [
      './src/budget.ts',
      'src\\budget.ts',
      'src/budget.ts:12',
      'src/budget.ts:12:7',
      ' Src/Budget.ts ',
    ])
      expect([text, (await find(text, some)).paths[0]]).toEqual([text, first])
  })

  it('counts all files, each once, whatever the limit', async () => {
    const many = touches(...Array.from({ length: 240 }, (_, index) => `src/part-${index % 120}.ts`))
    const { paths, total } = await find('part', many, 7)
    expect([paths.length, total]).toEqual([7, 120])
    const { files } = await findFiles({ touches: () => Promise.resolve(many) }, 'part-3.ts', 1, noFolders)
    expect(files).toMatchObject([{ sessions: 1, seq: 13, at: 997 }])
  })

  it('names the words that no path has', async () => {
    expect(await find('budget Nowhere src', some)).toEqual({ paths: [], total: 0, unknown: ['Nowhere'] })
    expect(await find('notes budget', some)).toEqual({ paths: [], total: 0, unknown: [] })
    expect(await find('  ', some)).toEqual({ paths: [], total: 0, unknown: [] })
  })
})
