import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { estimateTokens } from '../../tokens/estimate.ts'
import { findEntryPoints, joinedPaths } from './entry-points.ts'
import { exportedNames } from './exported-names.ts'
import { mapChanges } from './map-changes.ts'
import { projectMap } from './project-map.ts'

/** `count` files in a folder. */
const files = (folder: string, count: number, ending = 'ts'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${folder}/file${index}.${ending}`)

const REPOSITORY = [
  'package.json',
  'README.md',
  'src/index.ts',
  ...files('src/core/engine', 9),
  ...files('src/core/engine/parts', 5),
  ...files('src/views', 7, 'tsx'),
  ...files('src/views/icons/deep/er', 3, 'svg'),
  ...files('test/fixtures/big/one', 30, 'json'),
  ...files('test/fixtures/big/two', 40, 'json'),
  ...files('node_modules/x', 3),
  ...files('docs', 4, 'md'),
]

describe('the map', () => {
  it('has folders with counts, the largest opened, chains joined, fixtures closed; then manifests and entry points', () => {
    expect(projectMap({ paths: REPOSITORY, tokens: 400 }).text)
      .toBe(`104 files. Folders, with the files in and below each and their usual ending:
docs/ 4 md
node_modules/x/ 3 ts
src/ 25 ts
  core/engine/ 14 ts
    parts/ 5 ts
  views/ 10 tsx
    icons/deep/er/ 3 svg
test/fixtures/big/ 70 json
Manifests:
package.json
Entry points:
src/index.ts
`)
  })

  it('lists related files with their exported names behind the folders, as many as fit', () => {
    const related = [
      { path: 'src/views/file0.tsx', names: ['App', 'Page'] },
      { path: 'src/core/engine/file1.ts', names: Array.from({ length: 14 }, (_, index) => `name${index}`) },
      { path: 'docs/file1.md', names: [] },
    ]
    const { text } = projectMap({ paths: REPOSITORY, tokens: 600, related })
    expect(text).toContain(`
Related files:
src/views/file0.tsx: App, Page
src/core/engine/file1.ts: name0, name1, name2, name3, name4, name5, name6, name7, name8, name9, name10, name11, …
docs/file1.md
Manifests:
`)
    expect(projectMap({ paths: REPOSITORY, tokens: 150, related }).text).not.toContain('file1.ts')
  })

  it('opens the largest folders first when not all fit, and lists only the largest of very many', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      files(`big/n${String(index).padStart(2, '0')}`, index + 1),
    ).flat()
    const small = [...files('small/a', 2), ...files('small/b', 1), 'x.ts']
    const { text } = projectMap({ paths: [...many, ...small], tokens: 500 })
    expect(text).toContain('\n  n39/ 40 ts\n')
    expect(text).not.toContain('n05/')
    expect(text).toContain('\n  … 24 more folders, 300 files\n')
    const tight = projectMap({
      paths: [...files('a/x', 9), ...files('a/y', 9), ...files('b/x', 8), ...files('b/y', 8)],
      tokens: 100,
    }).text
    expect(tight).toContain('a/ 18 ts\n  x/ 9 ts\n  y/ 9 ts\n')
  })

  it('is the same for the same files in any order, and never longer than asked for', () => {
    const name = fc.constantFrom('a', 'b', 'src', 'fixtures', 'long-name-of-a-folder', 'x\ny')
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `${names.join('/')}/f.ts`)
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 60 }), fc.integer({ min: 100, max: 900 }), (paths, tokens) => {
        const map = projectMap({ paths, tokens, related: [{ path: 'a.ts', names: ['b'] }] })
        expect(map.tokens).toBeLessThanOrEqual(tokens)
        expect(map.tokens).toBe(estimateTokens(map.text))
        expect(projectMap({ paths: paths.toReversed(), tokens, related: [{ path: 'a.ts', names: ['b'] }] })).toEqual(
          map,
        )
        expect(map.text.startsWith(`${paths.length} file`)).toBe(true)
      }),
    )
  })

  it('refuses numbers of tokens that make no sense, and takes folders of any depth', () => {
    for (const tokens of [99, 0, -1, 1.5, NaN, 100_001])
      expect(() => projectMap({ paths: [], tokens })).toThrow(/^The tokens of a map must be a whole number from 100 to/)
    const deep = `${'d/'.repeat(20_000)}a.ts`
    expect(projectMap({ paths: [deep, `${'d/'.repeat(10)}b.ts`], tokens: 1_000 }).files).toBe(2)
    expect(projectMap({ paths: [] }).text).toBe('0 files\n')
  })
})

describe('entry points', () => {
  it('are those of projects, not every index and not what tests and examples have', () => {
    expect(
      findEntryPoints([
        'go.mod',
        'cmd/tool/main.go',
        'cmd/tool/deep/main.go',
        'packages/a/package.json',
        'packages/a/src/index.ts',
        'packages/a/src/views/index.ts',
        'packages/a/bin/a.js',
        'packages/a/test/index.ts',
        'py/pyproject.toml',
        'py/src/pkg/__main__.py',
        'py/pkg/cli.py',
        'examples/x/package.json',
        'vendor/y/package.json',
        'crates/c/Cargo.toml',
        'crates/c/src/lib.rs',
        'crates/c/src/extension.rs',
      ]),
    ).toEqual({
      manifests: ['go.mod', 'crates/c/Cargo.toml', 'packages/a/package.json', 'py/pyproject.toml'].toSorted(
        (left, right) => left.split('/').length - right.split('/').length || (left < right ? -1 : 1),
      ),
      entryPoints: [
        'cmd/tool/main.go',
        'py/pkg/cli.py',
        'crates/c/src/lib.rs',
        'packages/a/bin/a.js',
        'packages/a/src/index.ts',
        'py/src/pkg/__main__.py',
      ],
    })
    expect(joinedPaths(['package.json', 'p/a/x.json', 'p/b/x.json', 'q/a/x.json', 'p/c/y.json'])).toEqual([
      'package.json',
      'p/{a,b}/x.json',
      'q/a/x.json',
      'p/c/y.json',
    ])
  })
})

describe('exported names', () => {
  it.each([
    [
      'a.ts',
      'export const a = 1\nexport default async function b() {}\nexport { c, d as e, type F }\nexport abstract class G {}\nconst no = 1\n  export const inner = 1\nexport type { H } from "./h"',
      ['a', 'b', 'c', 'e', 'F', 'G', 'H'],
    ],
    ['a.py', 'class A:\n    def method(self): ...\ndef b(): ...\nasync def c(): ...\ndef _no(): ...', ['A', 'b', 'c']],
    ['a.go', 'func A() {}\nfunc (r *T) B() {}\ntype C struct{}\nfunc no() {}\nconst D = 1', ['A', 'B', 'C', 'D']],
    [
      'a.rs',
      'pub fn a() {}\nfn no() {}\n    pub async unsafe fn b() {}\npub(crate) struct No;\npub struct C;',
      ['a', 'b', 'C'],
    ],
    ['a.md', 'export const a = 1', []],
  ])('of %s', (path, text, names) => {
    expect(exportedNames(path, text)).toEqual(names)
  })
})

describe('changes since a map', () => {
  const versions = (...rows: readonly string[]) => new Map(rows.map((row) => row.split('=') as [string, string]))

  it('are told file by file, and by folder where they are many', () => {
    const before = versions('a.ts=1', 'b/c.ts=1', 'b/d.ts=1')
    expect(mapChanges(before, before)).toEqual({ added: [], removed: [], changed: [], text: '', tokens: 0 })
    const after = versions('a.ts=2', 'b/d.ts=1', 'e/f.ts=1')
    expect(mapChanges(before, after)).toMatchObject({
      added: ['e/f.ts'],
      removed: ['b/c.ts'],
      changed: ['a.ts'],
      text: 'added: e/f.ts\nremoved: b/c.ts\nchanged: a.ts\n',
    })
    const told = mapChanges(
      versions(),
      new Map([...files('new/parts/x', 30), ...files('new/y', 1)].map((path) => [path, '1'])),
      40,
    )
    expect(told.text).toBe('added: 30 in new/parts/x/, new/y/file0.ts\n')
    expect(told.added).toHaveLength(31)
    const wide = Array.from({ length: 400 }, (_, index) => [`f${index}/g${index}/a.ts`, '1'] as const)
    expect(mapChanges(versions(), new Map(wide), 40).text).toBe('added: 400 in all\n')
  })

  it('show a path on one line, without signs that a terminal or a reader would take for others', () => {
    const { text, added } = mapChanges(
      versions(),
      new Map([
        ['a\nchanged: b.ts', '1'],
        ['c\u202e.ts', '1'],
      ]),
    )
    expect(text).toMatch(/^added: a changed: b\.ts, c[^\u202e]*\.ts\n$/)
    expect(added).toEqual(['a\nchanged: b.ts', 'c\u202e.ts'])
  })
})
