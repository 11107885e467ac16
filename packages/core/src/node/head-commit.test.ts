import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkedOutBranch, headCommit } from './head-commit.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-head-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A repository with one commit on the branch; gives its folder and that commit. */
const repository = (name: string, branch: string) => {
  const path = join(folder, name)
  mkdirSync(path)
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: path, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch', branch)
  git('commit', '--quiet', '--allow-empty', '-m', name)
  return { path, commit: git('rev-parse', 'HEAD') }
}

it('gives commit and branch of the folder, and none outside of a repository or of no absolute path', async () => {
  const { path, commit } = repository('shop', 'fix/total')
  expect([await headCommit(path), await checkedOutBranch(path)]).toEqual([commit, 'fix/total'])
  for (const other of [folder, join(path, 'missing'), 'shop'])
    expect([await headCommit(other), await checkedOutBranch(other)]).toEqual([undefined, undefined])
})

it('gave those of the repository whose hook ran it, whatever the folder: it is the folder’s own', async () => {
  const [one, other] = [repository('one', 'main'), repository('other', 'trunk')]
  process.env['GIT_DIR'] = join(other.path, '.git')
  try {
    expect([await headCommit(one.path), await checkedOutBranch(one.path)]).toEqual([one.commit, 'main'])
  } finally {
    delete process.env['GIT_DIR']
  }
})
