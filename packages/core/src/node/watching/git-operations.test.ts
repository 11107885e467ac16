import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createGitRecords } from './git-operations.ts'

let folder: string
let root: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-git-')))
  root = join(folder, 'repository')
  mkdirSync(join(root, 'sub'), { recursive: true })
  git('init', '-q', '-b', 'main')
  put('a', 'one\n')
  put('b', 'one\n')
  put('sub/c [x]', 'one\n')
  git('add', '.')
  git('commit', '-qm', 'one')
  git('checkout', '-qb', 'other')
  put('a', 'two of another length\n')
  put('sub/c [x]', 'two, too\n')
  git('commit', '-qam', 'two')
  git('checkout', '-q', 'main')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const git = (...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
const put = (name: string, text: string): void => writeFileSync(join(root, name), text)
const byGit = async (at: string = root, files = ['a', 'b', 'sub/c [x]']): Promise<readonly string[]> => {
  const found = files.map((name) => join(at, name))
  const answer = await createGitRecords().writtenByGit(
    at,
    found.map((path) => ({ path, modifiedAt: statSync(path).mtimeMs })),
  )
  return [...answer].map((path) => basename(path)).sort()
}

describe('what git wrote', () => {
  it('are the files that differ between the commits of a checkout, and no others', async () => {
    git('checkout', '-q', 'other')
    const index = readFileSync(join(root, '.git', 'index'))
    expect(await byGit()).toEqual(['a', 'c [x]'])
    expect(readFileSync(join(root, '.git', 'index'))).toEqual(index)
  })

  it('are not the files that somebody changed after it, or before and committed', async () => {
    git('checkout', '-q', 'other')
    put('a', 'by hand\n')
    put('b', 'by hand\n')
    expect(await byGit()).toEqual(['c [x]'])
    git('commit', '-qam', 'by hand')
    git('checkout', '-qb', 'third')
    expect(await byGit()).toEqual(['c [x]'])
  })

  it('is nothing where a reset left the files alone, and what a hard one took back', async () => {
    put('b', 'by hand\n')
    git('commit', '-qam', 'by hand')
    git('reset', '-q', '--soft', 'HEAD~1')
    expect(await byGit(root, ['b'])).toEqual([])
    git('reset', '-q', '--hard', 'HEAD@{1}')
    git('reset', '-q', '--hard', 'HEAD~1')
    expect(await byGit(root, ['b'])).toEqual(['b'])
  })

  it('is found in a linked worktree, and nothing where there is no repository', async () => {
    const linked = join(folder, 'linked')
    git('worktree', 'add', '-q', '--detach', linked, 'main')
    spawnSync('git', ['checkout', '-q', '--detach', 'other'], { cwd: linked })
    expect(await byGit(linked)).toEqual(['a', 'c [x]'])
    writeFileSync(join(folder, 'a'), 'x')
    expect(await byGit(folder, ['a'])).toEqual([])
  })
})
