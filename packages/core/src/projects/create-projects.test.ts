import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore } from '../in-memory/index.ts'
import { createFileSystem } from '../node/file-system.ts'
import type { Store } from '../ports/store.ts'
import { createProjects, type Projects } from './create-projects.ts'

let root: string
let store: Store
let projects: Projects

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-projects-')))
  store = createInMemoryStore()
  projects = createProjects({ storage: store.projects, fileSystem: createFileSystem() })
})
afterEach(async () => {
  await store.close()
  rmSync(root, { recursive: true, force: true })
})

const git = (...options: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...options], { stdio: 'ignore' })
}
const at = (...parts: readonly string[]): string => join(root, ...parts)

/** A repository with a commit. */
const repository = (path: string, remote?: string): void => {
  git('init', '-q', path)
  git('-C', path, 'commit', '-q', '--allow-empty', '-m', 'first')
  if (remote !== undefined) git('-C', path, 'remote', 'add', 'origin', remote)
}

/** A session in each folder. */
const workIn = async (...paths: readonly string[]): Promise<void> => {
  for (const path of paths)
    await store.sessions.append({ id: `s:${path}`, agent: 's', externalId: path, workspace: path }, 0, [
      { entry: { kind: 'notice', at: null, level: 'info', text: 'x' } },
    ])
}

const listed = async (): Promise<Readonly<Record<string, readonly string[]>>> =>
  Object.fromEntries((await projects.list()).map(({ key, folders }) => [key, folders.map(({ path }) => path)]))

describe('projects', () => {
  it('finds clones, work trees and submodules of real repositories', async () => {
    repository(at('one'), 'git@github.com:acme/shop.git')
    repository(at('two'), 'https://ada:secret@github.com/acme/shop')
    git('-C', at('one'), 'worktree', 'add', '-q', at('elsewhere'))
    repository(at('lib'), 'https://github.com/acme/lib.git')
    git('-C', at('two'), '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', at('lib'), 'vendored')
    mkdirSync(at('one', 'src'))
    repository(at('lonely'))
    mkdirSync(at('plain'))
    const paths = ['one', 'two', 'elsewhere', 'lib', 'lonely', 'plain', 'gone'].map((name) => at(name))
    await workIn(...paths, at('two', 'vendored'), at('one', 'src'), 'C:\\other\\machine')
    expect(await projects.identify()).toBe(10)
    expect(await listed()).toEqual({
      'github.com/acme/shop': [at('elsewhere'), at('one'), at('one', 'src'), at('two')],
      // The submodule's remote is the folder that it was cloned from.
      'github.com/acme/lib': [at('lib'), at('two', 'vendored')],
      [at('lonely')]: [at('lonely')],
      [at('plain')]: [at('plain')],
      [at('gone')]: [at('gone')],
      'C:\\other\\machine': ['C:\\other\\machine'],
    })
    expect(JSON.stringify(await projects.list())).not.toContain('secret')
    // Once looked at, they are not looked at again.
    expect(await projects.identify()).toBe(0)
  })

  it('keeps what it knows of a folder that is gone, and sees what was changed when told to look again', async () => {
    repository(at('one'), 'https://github.com/acme/shop.git')
    repository(at('two'))
    await workIn(at('one'), at('two'))
    await projects.identify()
    rmSync(at('one'), { recursive: true })
    git('-C', at('two'), 'remote', 'add', 'origin', 'https://github.com/acme/api.git')
    expect(Object.keys(await listed())).toEqual([at('two'), 'github.com/acme/shop'].sort())
    expect(await projects.identify({ again: true })).toBe(2)
    expect(Object.keys(await listed())).toEqual(['github.com/acme/api', 'github.com/acme/shop'])
  })

  it('joins, splits and takes it back, and says what it did', async () => {
    repository(at('one'), 'https://github.com/acme/shop.git')
    repository(at('two'), 'https://github.com/acme/shop.git')
    repository(at('api'))
    await workIn(at('one'), at('two'), at('api'), at('web'))
    await projects.identify()
    expect(await projects.split(at('two'))).toEqual({ folders: [at('two')], projects: [at('two')] })
    expect(await projects.split(at('two'))).toEqual({ folders: [], projects: [at('two')] })
    expect(await projects.join([at('api'), 'web'], 'shop')).toEqual({
      folders: [at('api'), at('web')],
      projects: ['github.com/acme/shop'],
    })
    expect(await listed()).toEqual({
      'github.com/acme/shop': [at('api'), at('one'), at('web')],
      [at('two')]: [at('two')],
    })
    expect(await projects.join(['shop', at('two')], 'Everything')).toMatchObject({ projects: ['Everything'] })
    expect(await listed()).toEqual({ Everything: [at('api'), at('one'), at('two'), at('web')] })
    expect(await projects.reset('Everything')).toMatchObject({ folders: [at('api'), at('one'), at('two'), at('web')] })
    expect(Object.keys(await listed())).toEqual([at('api'), at('web'), 'github.com/acme/shop'].sort())
  })

  it('finds a project by key, name or folder, with its own folders only', async () => {
    await workIn('/a/shop', '/b/shop', '/c/api', '/c/web')
    await projects.join(['/c/api', '/c/web'], 'github.com/acme/both')
    // Called like a folder that it has nothing to do with.
    await projects.join(['/b/shop'], 'api')
    await projects.split('/c/api')
    const found = async (wanted: string): Promise<readonly string[] | undefined> =>
      (await projects.find(wanted))?.folders.map(({ path }) => path)
    expect(await found('github.com/acme/both')).toEqual(['/c/web'])
    expect(await found('both')).toEqual(['/c/web'])
    expect(await found('/a/shop')).toEqual(['/a/shop'])
    expect(await found('api')).toEqual(['/b/shop'])
    expect(await found('shop')).toEqual(['/a/shop'])
    expect(await found('club')).toBeUndefined()
    expect(await projects.reset('api')).toEqual({ folders: ['/b/shop'], projects: ['/b/shop'] })
    await expect(projects.find('shop')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining('/a/shop, /b/shop'),
    })
  })

  it('takes back what was decided about a folder, and not about others of its project', async () => {
    repository(at('one'), 'https://github.com/acme/shop.git')
    await workIn(at('one'), at('api'), at('web'), at('docs'))
    await projects.identify()
    await projects.join([at('api'), at('web')], at('one'))
    await projects.split(at('one'))
    expect(await projects.reset(at('one'))).toEqual({ folders: [at('one')], projects: ['github.com/acme/shop'] })
    expect(await projects.reset(at('one'))).toEqual({ folders: [], projects: ['github.com/acme/shop'] })
    expect(await projects.reset(at('web'))).toEqual({ folders: [at('web')], projects: [at('web')] })
    expect(await listed()).toEqual({
      'github.com/acme/shop': [at('api'), at('one')],
      [at('docs')]: [at('docs')],
      [at('web')]: [at('web')],
    })
    // This one's path is the name of the project.
    await projects.join([at('web')], at('docs'))
    expect(await projects.reset(at('docs'))).toEqual({ folders: [at('web')], projects: [at('web')] })
    expect(await projects.reset('github.com/acme/shop')).toMatchObject({ folders: [at('api')] })
  })

  it('takes the address of a repository for its project, and keeps no password of one', async () => {
    repository(at('one'), 'git@github.com:acme/shop.git')
    await workIn(at('one'), at('two'), at('three'))
    await projects.identify()
    for (const address of ['git@github.com:acme/shop.git', 'https://ada:zqsecretzq@github.com/acme/shop']) {
      expect(await projects.join([at('two')], address)).toMatchObject({ projects: ['github.com/acme/shop'] })
      expect(await projects.reset(at('two'))).toMatchObject({ folders: [at('two')] })
    }
    // A new one, too.
    expect(await projects.join([at('two')], 'https://ada:zqsecretzq@github.com/acme/new.git')).toEqual({
      folders: [at('two')],
      projects: ['github.com/acme/new'],
    })
    expect(await projects.join(['https://github.com/acme/new'], at('three'))).toMatchObject({ folders: [at('two')] })
    for (const address of ['ada:zqsecretzq@github.com:acme/shop.git', 'https://gitlab.com/oauth2:zqsecretzq@x/a/b'])
      await expect(projects.join([at('two')], address)).rejects.toMatchObject({
        code: 'usage',
        message: expect.not.stringContaining('zqsecretzq'),
      })
    await expect(projects.reset('https://ada:zqsecretzq@github.com/acme/gone')).rejects.toMatchObject({
      code: 'not-found',
      message: expect.not.stringContaining('zqsecretzq'),
    })
    expect(JSON.stringify(await store.projects.workspaces())).not.toContain('zqsecretzq')
  })

  it('refuses what it does not know, or what could be several', async () => {
    await workIn('/a/shop', '/b/shop')
    await expect(projects.split('/nowhere')).rejects.toMatchObject({ code: 'not-found' })
    await expect(projects.reset('shop')).rejects.toMatchObject({ code: 'ambiguous' })
    await expect(projects.join(['/a/shop'], ' ')).rejects.toMatchObject({ code: 'usage' })
    await projects.join(['/a/shop', '/b/shop'], 'both')
    await expect(projects.split('both')).rejects.toMatchObject({ code: 'ambiguous' })
  })

  it('takes no settings of git that are too large, and none through a broken link to them', async () => {
    mkdirSync(at('large', '.git'), { recursive: true })
    writeFileSync(at('large', '.git', 'config'), `${'#'.repeat(1_000_001)}\n[remote "origin"]\nurl = https://h/x\n`)
    mkdirSync(at('odd'))
    writeFileSync(at('odd', '.git'), 'nothing')
    await workIn(at('large'), at('odd'))
    expect(await projects.identify()).toBe(2)
    expect(Object.keys(await listed())).toEqual([at('large'), at('odd')])
  })
})
