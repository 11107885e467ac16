/** Checkpoints of several folders in one call. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
  for (const [root, text] of [
    ['app', 'one\n'],
    ['lib', 'two, longer\n'],
  ] as const) {
    mkdirSync(join(box.folder, root, '.git'), { recursive: true })
    box.file(`${root}/a.txt`, text)
  }
})
afterEach(() => box.remove())

interface Root {
  readonly id: string
  readonly root: string
  readonly label: string | null
  readonly restored: number
  readonly total: number
}
interface Roots {
  readonly roots: readonly Root[]
  readonly refused: readonly { readonly root: string; readonly code: string; readonly message: string }[]
}
const STORE = ['--store', 'file:s.db']
const BOTH = ['--workspace', 'app', '--workspace', 'lib']
const run = (...args: readonly string[]) => box.cairn('checkpoint', ...args, ...STORE)
const json = async (...args: readonly string[]): Promise<Roots> =>
  (await box.json('checkpoint', ...args, ...STORE)) as Roots
const nameOf = ({ root }: Pick<Root, 'root'>): string | undefined => root.split('/').at(-1)

describe('checkpoints of several folders', () => {
  it('are one a folder with the same label, and are listed, compared and given back together', async () => {
    const { roots, refused } = await json('create', ...BOTH, '--workspace', './app', '--label', 'before')
    expect(refused).toEqual([])
    expect(roots.map((each) => [nameOf(each), each.label])).toEqual([
      ['app', 'before'],
      ['lib', 'before'],
    ])
    expect(new Set(roots.map(({ id }) => id)).size).toBe(2)
    expect((await json('list', ...BOTH)).roots.map(({ total }) => total)).toEqual([1, 1])
    box.file('app/a.txt', 'changed\n')
    box.file('lib/a.txt', 'changed, too\n')
    expect((await run('diff', 'latest', '--names', ...BOTH)).stdout.match(/a\.txt/g)).toHaveLength(2)
    const restored = await json('restore', 'latest', '--yes', ...BOTH)
    expect(restored.roots.map((each) => each.restored)).toEqual([1, 1])
    expect(['app', 'lib'].map((root) => readFileSync(join(box.folder, root, 'a.txt'), 'utf8'))).toEqual([
      'one\n',
      'two, longer\n',
    ])
    const one = await run('restore', roots[0]?.id ?? '', '--dry-run', ...BOTH)
    expect([one.code, one.stderr]).toEqual([1, expect.stringContaining('lib: There is no checkpoint of this folder')])
  }, 60_000)

  it('are made of the others where a folder is refused, which is named', async () => {
    const refused = await run('create', '--workspace', 'app', '--workspace', 'home', '--workspace', 'nowhere/at/all')
    expect(refused.code).toBe(1)
    expect(refused.stdout).toMatch(/^Checkpoint \S+ of \S+app: 1 file/)
    expect(refused.stderr).toMatch(
      /home: No checkpoint is made of .*, as it is your home folder; name a project’s folder\./,
    )
    expect(refused.stderr).toContain('There is no folder')
    const document = await json('create', '--workspace', 'home', '--workspace', 'lib')
    expect([document.roots.map(nameOf), document.refused.map(({ code }) => code)]).toEqual([['lib'], ['usage']])
    const none = await run('create', '--workspace', 'home', '--workspace', '/')
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('home folder')])
  }, 60_000)

  it('are those of a VS Code workspace', async () => {
    box.file('both.code-workspace', '{ "folders": [{ "path": "app" }, { "path": "lib" },] } // mine')
    expect((await json('create', '--workspace', 'both.code-workspace')).roots.map(nameOf)).toEqual(['app', 'lib'])
    box.file('none.code-workspace', '{}')
    expect((await run('create', '--workspace', 'none.code-workspace')).stderr).toContain('it names no folder')
    const paths = await run('create', 'a.txt', ...BOTH)
    expect([paths.code, paths.stderr]).toEqual([2, expect.stringContaining('Paths are of one folder')])
  }, 60_000)

  it('are not made again where nothing changed, when that is asked for', async () => {
    const first = await box.json('checkpoint', 'create', '--if-changed', '--workspace', 'app', ...STORE)
    expect(first).toMatchObject({ isNew: true, files: 1 })
    const { id } = first as { id: string }
    const again = await run('create', '--if-changed', '--workspace', 'app')
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^Nothing changed in \S+app since checkpoint /),
    ])
    expect(await box.json('checkpoint', 'list', '--workspace', 'app', ...STORE)).toMatchObject({ total: 1 })
    mkdirSync(join(box.folder, 'app/empty'))
    const changed = await box.json('checkpoint', 'create', '--if-changed', '--workspace', 'app', ...STORE)
    expect(changed).toMatchObject({ isNew: true })
    expect((changed as { id: string }).id).not.toBe(id)
    expect(await box.json('checkpoint', 'create', '--workspace', 'app', ...STORE)).toMatchObject({ isNew: true })
  }, 60_000)

  it('say of a path that was left out that nothing of it can be restored', async () => {
    box.file('app/.env', 'KEY=1')
    box.file('app/.gitignore', 'out/')
    box.file('app/out/b.js', 'built')
    await run('create', '--workspace', 'app')
    box.file('app/a.txt', 'changed\n')
    const none = await run('restore', 'latest', '.env', 'out/b.js', '--yes', '--workspace', 'app')
    expect([none.code, none.stderr.replaceAll('\n', ' ')]).toEqual([
      1,
      expect.stringContaining('.env (named like a secret), out/b.js (ignored by git’s rules); nothing was changed.'),
    ])
    const some = await run('restore', 'latest', '.env', 'a.txt', '--yes', '--workspace', 'app')
    expect([some.code, some.stderr]).toEqual([0, expect.stringContaining('nothing of it can be restored: .env')])
    expect(readFileSync(join(box.folder, 'app/a.txt'), 'utf8')).toBe('one\n')
  }, 60_000)

  it('refuse a label that is too long for a list', async () => {
    const { code, stderr } = await run('create', '--workspace', 'app', '--label', 'x'.repeat(201))
    expect([code, stderr.trim()]).toEqual([
      2,
      'The label has 201 characters; at most 200 are kept, so no checkpoint was made.',
    ])
  }, 60_000)
})
