import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGitFacts } from './git-facts.ts'
import { createGitHistory } from './git-history.ts'
import { createWorkspaceFiles } from './workspace-files.ts'

describe('createGitHistory', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-history-')))
  const repository = join(folder, 'shop')
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_COMMITTER_DATE: '2026-06-01T00:00:00Z' },
    })
  const commit = (subject: string, date: string): void =>
    void git('commit', '--quiet', '--allow-empty', '-m', subject, '--date', date)
  beforeAll(() => {
    mkdirSync(repository)
    git('init', '--quiet', '--initial-branch', 'main')
    commit('begin', '2026-01-01T10:00:00Z')
    git('checkout', '--quiet', '-b', 'fix/total')
    commit('tab\there', '2026-01-02T10:00:00+02:00')
    git('checkout', '--quiet', 'main')
    git('merge', '--quiet', '--no-ff', '-m', 'merge it', 'fix/total')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('lists a branch’s own commits with their authors’ times', async () => {
    const history = await createGitHistory(repository).commits('fix/total')
    expect(history).toMatchObject({
      branch: 'fix/total',
      isCut: false,
      commits: [
        { subject: 'tab\there', at: Date.parse('2026-01-02T08:00:00Z') },
        { subject: 'begin', at: Date.parse('2026-01-01T10:00:00Z') },
      ],
    })
    const main = await createGitHistory(repository).commits()
    expect(main).toMatchObject({ branch: 'main', commits: [{ subject: 'merge it' }, { subject: 'begin' }] })
  })

  it('names files as they are, also those that are not ASCII', async () => {
    const work = join(folder, 'names')
    mkdirSync(work)
    const run = (...args: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: work })
    run('init', '--quiet')
    writeFileSync(join(work, 'größe.ts'), 'a')
    run('add', '.')
    run('commit', '--quiet', '-m', 'begin')
    writeFileSync(join(work, 'größe.ts'), 'b')
    writeFileSync(join(work, '新.ts'), 'c')
    const changes = await createGitFacts(work).changes(10_000)
    expect(changes).toMatchObject({ text: expect.stringContaining('diff --git a/größe.ts b/größe.ts') })
    expect(changes).toMatchObject({ text: expect.stringMatching(/New files, not in git yet:\n新\.ts\n$/) })
  })

  it('looks for a repository no further up than git was told to, and so do the ignore files', async () => {
    const above = join(folder, 'above')
    const below = join(above, 'below', 'project')
    mkdirSync(below, { recursive: true })
    execFileSync('git', ['init', '--quiet'], { cwd: above })
    writeFileSync(join(above, '.gitignore'), '*.ts\n')
    writeFileSync(join(above, '.cairnignore'), '*.md\n')
    for (const name of ['a.ts', 'b.md', 'c.txt']) writeFileSync(join(below, name), 'x')
    const listed = async (): Promise<readonly string[]> =>
      (await createWorkspaceFiles([below]).list()).files.map(({ path }) => path).sort()
    expect(await listed()).toEqual(['c.txt'])
    const before = process.env['GIT_CEILING_DIRECTORIES']
    process.env['GIT_CEILING_DIRECTORIES'] = realpathSync(above)
    try {
      expect(await listed()).toEqual(['a.ts', 'b.md', 'c.txt'])
      expect(await createGitHistory(below).commits('main')).toEqual({ refused: 'this folder is in no git repository' })
    } finally {
      process.env['GIT_CEILING_DIRECTORIES'] = before
    }
  })

  it('says why there are none', async () => {
    const history = createGitHistory(repository)
    expect(await history.commits('nothing')).toEqual({ refused: "there is no branch 'nothing'" })
    expect(await history.commits('--all')).toEqual({ refused: "there is no branch '--all'" })
    git('checkout', '--quiet', '--detach')
    expect(await history.commits()).toEqual({ refused: 'no branch is checked out' })
    expect(await createGitHistory(folder).commits('main')).toEqual({ refused: 'this folder is in no git repository' })
    expect(await createGitFacts(folder).changes(1_000)).toEqual({ refused: 'this folder is in no git repository' })
  })
})
