import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ProjectWorkspace } from '../ports/project-storage.ts'
import { nameOfProject, projectsMeant, projectsOf, workspacesOfProject } from './group-projects.ts'

const SHOP = 'github.com/acme/shop'

const folder = (path: string, known: Partial<ProjectWorkspace> = {}): ProjectWorkspace => ({
  path,
  finding: 'missing',
  ...known,
})
const clone = (path: string, remote?: string): ProjectWorkspace =>
  folder(path, { finding: 'repository', ...(remote === undefined ? {} : { remote }) })

const grouped = (...workspaces: readonly ProjectWorkspace[]): Readonly<Record<string, string>> =>
  Object.fromEntries(projectsOf(workspaces))

describe('projectsOf', () => {
  it('joins clones by their remote, and never by their names alone', () => {
    expect(
      grouped(
        clone('/a/shop', SHOP),
        clone('/b/other-name', SHOP),
        clone('/c/shop', 'gitlab.com/x/shop'),
        folder('/d/shop'),
      ),
    ).toEqual({ '/a/shop': SHOP, '/b/other-name': SHOP, '/c/shop': 'gitlab.com/x/shop', '/d/shop': '/d/shop' })
  })

  it('joins work trees with their repository, also one that is gone', () => {
    expect(
      grouped(
        clone('/code/shop', SHOP),
        folder('/code/shop/.worktrees/fix'),
        folder('/code/shop.worktrees/other'),
        folder('/code/api/.claude/worktrees/one'),
        folder('/code/api/.claude/worktrees/two'),
      ),
    ).toEqual({
      '/code/shop': SHOP,
      '/code/shop/.worktrees/fix': SHOP,
      '/code/shop.worktrees/other': SHOP,
      '/code/api/.claude/worktrees/one': '/code/api',
      '/code/api/.claude/worktrees/two': '/code/api',
    })
  })

  it('joins folders with the known one that they lie in, the nearest first', () => {
    expect(
      grouped(
        clone('/code/shop', SHOP),
        folder('/code/shop/frontend/src'),
        clone('/code/shop/vendor/lib', 'github.com/x/lib'),
        folder('/code/shop/vendor/lib/test'),
        folder('/code/shopping'),
        folder('/work/gone'),
        folder('/work/gone/below'),
        folder('C:\\work\\app'),
        folder('C:\\work\\app\\web'),
      ),
    ).toEqual({
      '/code/shop': SHOP,
      '/code/shop/frontend/src': SHOP,
      '/code/shop/vendor/lib': 'github.com/x/lib',
      '/code/shop/vendor/lib/test': 'github.com/x/lib',
      '/code/shopping': '/code/shopping',
      '/work/gone': '/work/gone',
      '/work/gone/below': '/work/gone',
      'C:\\work\\app': 'C:\\work\\app',
      'C:\\work\\app\\web': 'C:\\work\\app',
    })
  })

  it('joins nothing with a folder that holds many projects', () => {
    const own = (...workspaces: readonly ProjectWorkspace[]): void => {
      for (const [path, project] of projectsOf(workspaces)) expect([path, project]).toEqual([path, path])
    }
    own(folder('/home/ada'), folder('/home/ada/notes'), folder('/home/ada/x/y'))
    own(folder('/'), folder('/etc'))
    own(folder('/code'), folder('/code/a'))
    own(folder('/tmp'), folder('/tmp/a'), folder('/var/tmp'), folder('/var/tmp/b'))
    own(folder('C:\\Users\\Ada'), folder('C:\\Users\\Ada\\app'))
    // It was looked at, and is no repository.
    own(folder('/work/all', { finding: 'folder' }), folder('/work/all/one'))
    // A repository of its own lies in it.
    own(clone('/code/big'), clone('/code/big/inner'))
    const mixed = grouped(
      folder('/work/all'),
      folder('/work/all/x'),
      clone('/work/all/a', SHOP),
      clone('/work/all/b', 'h/b'),
    )
    expect(mixed['/work/all/x']).toBe('/work/all/x')
  })

  it('lets what somebody chose count before all', () => {
    expect(
      grouped(
        clone('/a/shop', SHOP),
        folder('/a/shop/fork', { chosen: '/a/shop/fork' }),
        folder('/a/shop/fork/deep'),
        clone('/b/api', undefined),
        folder('/c/web', { chosen: '/a/shop' }),
        folder('/d/x', { chosen: 'everything else' }),
      ),
    ).toEqual({
      '/a/shop': SHOP,
      '/a/shop/fork': '/a/shop/fork',
      '/a/shop/fork/deep': '/a/shop/fork',
      '/b/api': '/b/api',
      '/c/web': SHOP,
      '/d/x': 'everything else',
    })
  })

  it('joins a clone of a folder with it, and ends for clones of each other', () => {
    expect(grouped(clone('/a', '/b'), clone('/b', SHOP))).toEqual({ '/a': SHOP, '/b': SHOP })
    const circle = grouped(clone('/x/a', '/x/b'), clone('/x/b', '/x/a'))
    expect(Object.keys(circle)).toEqual(['/x/a', '/x/b'])
    expect(grouped(folder('/x/a', { chosen: '/x/b' }), folder('/x/b', { chosen: '/x/a' }))).toBeDefined()
  })

  it('gives every folder one project, and ends, whatever is known', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', '.worktrees', 'home'), { minLength: 1, maxLength: 5 })
      .map((parts) => `/${parts.join('/')}`)
    const workspace = fc.record(
      {
        path,
        finding: fc.constantFrom('unseen' as const, 'missing' as const, 'folder' as const, 'repository' as const),
        remote: fc.oneof(path, fc.constantFrom(SHOP, 'h/x')),
        chosen: fc.oneof(path, fc.constant('name')),
      },
      { requiredKeys: ['path', 'finding'] },
    )
    fc.assert(
      fc.property(fc.uniqueArray(workspace, { selector: (one) => one.path, maxLength: 12 }), (workspaces) => {
        const projects = projectsOf(workspaces)
        expect([...projects.keys()].sort()).toEqual(workspaces.map((one) => one.path).sort())
        // In whatever order they come.
        expect(new Map([...projectsOf(workspaces.toReversed())].sort())).toEqual(new Map([...projects].sort()))
      }),
    )
  })
})

describe('workspacesOfProject', () => {
  const all = [clone('/a/shop', SHOP), clone('/b/shop-2', SHOP), folder('/c/shop'), folder('/d/api')]
  const found = (wanted: string): readonly string[] => [...workspacesOfProject(wanted, all)]

  it('finds a project by its key, its name, and the folders in it', () => {
    expect(found(SHOP)).toEqual(['/a/shop', '/b/shop-2'])
    expect(found('/b/shop-2')).toEqual(['/a/shop', '/b/shop-2'])
    expect(found('/c/shop')).toEqual(['/c/shop'])
    expect(found('shop')).toEqual(['/a/shop', '/b/shop-2', '/c/shop'])
    expect(found('nothing')).toEqual([])
    expect(nameOfProject('C:\\code\\shop')).toBe('shop')
  })
  it('means several projects by a name, and one by its key', () => {
    expect(projectsMeant('shop', all)).toEqual(['/c/shop', SHOP])
    expect(projectsMeant(SHOP, all)).toEqual([SHOP])
    expect(projectsMeant('/b/shop-2', all)).toEqual([SHOP])
    expect(projectsMeant('nothing', all)).toEqual([])
    // One that somebody called so is meant before those whose address ends so.
    const chosen = [...all, folder('/e/x', { chosen: 'shop' })]
    expect(projectsMeant('shop', chosen)).toEqual(['shop'])
    expect([...workspacesOfProject('shop', chosen)]).toEqual(['/e/x'])
  })
})
