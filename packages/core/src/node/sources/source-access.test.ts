import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOG_OPTIONS, parseLog } from '../../sources/related/commits.ts'
import { createRelatedFiles } from '../../sources/related/create-related.ts'
import { createHasher } from '../hasher.ts'
import { createSourceAccess } from './source-access.ts'

let folder = ''
let root = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-source-access-'))
  root = join(folder, 'app')
  mkdirSync(root)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const git = (...options: string[]): void => {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...options], {
    cwd: root,
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
}
const commit = (subject: string): void => {
  git('add', '-A')
  git('commit', '-qm', subject)
}
const put = (path: string, text: string): void => writeFileSync(join(root, path), text)
const deps = () => ({
  access: createSourceAccess({ dataFolder: join(folder, 'data') }),
  hasher: createHasher(),
  clock: { now: () => Date.now() },
})

it('gives the log with the names that files have now, below a folder relative to it', async () => {
  git('init', '-q')
  mkdirSync(join(root, 'lib'))
  put('lib/old\nname.ts', 'export const a = 1\nexport const b = 2\nexport const c = 3\n')
  put('top.ts', '')
  commit('First words')
  renameSync(join(root, 'lib/old\nname.ts'), join(root, 'lib/new.ts'))
  commit('Second words')
  const { access } = deps()
  const head = (await access.head(root)) ?? ''
  expect(head).toMatch(/^[0-9a-f]{40}$/)
  const commits = parseLog((await access.log(root, head, LOG_OPTIONS)) ?? '')
  expect(commits.map(({ subject, paths }) => [subject, paths.toSorted()])).toEqual([
    ['Second words', ['lib/new.ts']],
    ['First words', ['lib/new.ts', 'top.ts']],
  ])
  const below = parseLog((await access.log(join(root, 'lib'), head, ['--relative', ...LOG_OPTIONS])) ?? '')
  expect(below.map(({ paths }) => paths)).toEqual([['new.ts'], ['new.ts']])
})

it('runs no program that the repository names', async () => {
  git('init', '-q')
  put('a.ts', 'x\n')
  commit('First')
  put('program.sh', `#!/bin/sh\ntouch ${join(folder, 'ran')}\ncat\n`)
  execFileSync('chmod', ['+x', join(root, 'program.sh')])
  const program = join(root, 'program.sh')
  put('.gitattributes', '*.ts filter=own diff=own\n')
  for (const name of [
    'filter.own.clean',
    'diff.own.textconv',
    'diff.own.command',
    'diff.external',
    'core.fsmonitor',
    'core.pager',
    'gpg.program',
  ])
    git('config', name, program)
  git('config', 'log.showSignature', 'true')
  put('a.ts', 'y\n')
  const { files } = await createRelatedFiles(deps()).find({ roots: [root], text: 'first a.ts' })
  expect(files.map(({ path }) => path)).toContain('a.ts')
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

it('has no history without git, or before the first commit', async () => {
  const { access } = deps()
  expect(await access.head(root)).toBe(undefined)
  git('init', '-q')
  expect(await access.head(root)).toBe(undefined)
  put('reader.ts', 'export const reader = 1\n')
  const { files } = await createRelatedFiles(deps()).find({ roots: [root], text: 'reader' })
  expect(files).toMatchObject([{ path: 'reader.ts' }])
})

it('keeps the cache for the next process, for its user alone, and does without where it can not be written', async () => {
  put('reader.ts', 'export const reader = 1\n')
  utimesSync(join(root, 'reader.ts'), 1_700_000_000, 1_700_000_000)
  expect(await createRelatedFiles(deps()).index([root])).toEqual({ files: 1, read: 1 })
  expect(await createRelatedFiles(deps()).index([root])).toEqual({ files: 1, read: 0 })
  expect(readdirSync(join(folder, 'data/source-cache')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  writeFileSync(join(folder, 'blocked'), '')
  const access = createSourceAccess({ dataFolder: join(folder, 'blocked') })
  expect(await access.cache.write('a', new Uint8Array([1]))).toBe(undefined)
  expect(await access.cache.read('a')).toBe(undefined)
  const { files } = await createRelatedFiles({ ...deps(), access }).find({ roots: [root], text: 'reader' })
  expect(files).toHaveLength(1)
})

it('gives the files that a file imports and that import it, as they are now', async () => {
  put('one.ts', "import './two.ts'\n")
  put('two.ts', "import { three } from './three.ts'\nimport type { T } from './three'\n")
  put('three.ts', 'export const three = 3\n')
  const { access } = deps()
  expect(await access.importNeighbours([root], 'two.ts')).toEqual(['three.ts', 'one.ts'])
  expect(await access.importNeighbours([root], 'gone.ts')).toEqual([])
  put('three.ts', "import './one.ts'\n")
  expect(await access.importNeighbours([root], 'three.ts')).toEqual(['one.ts', 'two.ts'])
  expect(await deps().access.importNeighbours([root], 'one.ts')).toEqual(['two.ts', 'three.ts'])
})
