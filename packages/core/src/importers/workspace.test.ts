import { describe, expect, it } from '@jest/globals'
import type { FileFacts } from '../ports/file-system.ts'
import { createWorkspaceResolver, isInside, repositoryByPath, workspaceAt } from './workspace.ts'

describe('repositoryByPath', () => {
  it.each([
    ['/code/app/.worktrees/fix', '/code/app'],
    ['/code/app/.worktrees/me/fix/sub', '/code/app'],
    ['/code/app.worktrees/fix', '/code/app'],
    ['/code/app/.claude/worktrees/fix', '/code/app'],
    ['/code/app/.git/worktrees/fix', '/code/app'],
    ['C:\\code\\app\\.worktrees\\fix', 'C:\\code\\app'],
    ['/code/app', '/code/app'],
    ['/code/app/', '/code/app'],
    ['/', '/'],
    ['/code/app/.worktrees', '/code/app/.worktrees'],
    ['/code/worktrees/fix', '/code/worktrees/fix'],
    ['/home/me/.cursor/worktrees/app/x1', '/home/me/.cursor/worktrees/app/x1'],
  ])('%s → %s', (folder, repository) => {
    expect(repositoryByPath(folder)).toBe(repository)
  })
})

describe('workspaceOn', () => {
  it("attributes a folder inside the session's first workspace to it, and any other to itself", () => {
    expect(workspaceAt({ first: '/code/app' }, '/code/app/frontend')).toBe('/code/app')
    expect(workspaceAt({ first: '/code/app' }, '/code/application')).toBe('/code/application')
    expect(isInside('C:\\code\\app\\x', 'C:\\code\\app')).toBe(true)
  })
})

describe('createWorkspaceResolver', () => {
  const facts = (path: string, kind: FileFacts['kind']): FileFacts => ({
    path,
    kind,
    size: 1,
    modifiedAt: 0,
    identity: path,
  })
  const disk = (entries: Readonly<Record<string, string | null>>) => {
    const asked: string[] = []
    return {
      asked,
      stat: (path: string) => {
        asked.push(path)
        const content = entries[path]
        return Promise.resolve(content === undefined ? undefined : facts(path, content === null ? 'directory' : 'file'))
      },
      readText: (path: string) => Promise.resolve(entries[path] ?? undefined),
    }
  }

  it('follows the .git file of a work tree to the main repository', async () => {
    const resolve = createWorkspaceResolver(disk({ '/trees/fix/.git': 'gitdir: /code/app/.git/worktrees/fix\n' }))
    expect(await resolve('/trees/fix/src')).toBe('/code/app')
  })

  it('finds the repository of a folder, and leaves other folders and submodules unchanged', async () => {
    const resolve = createWorkspaceResolver(
      disk({ '/code/app/.git': null, '/code/app/lib/.git': 'gitdir: ../.git/modules/lib' }),
    )
    expect(await resolve('/code/app/src/deep')).toBe('/code/app')
    expect(await resolve('/code/app/lib/src')).toBe('/code/app/lib')
    expect(await resolve('/elsewhere/notes')).toBe('/elsewhere/notes')
    expect(await resolve('relative/name')).toBe('relative/name')
  })

  it('looks each folder up once', async () => {
    const fileSystem = disk({ '/code/app/.git': null })
    const resolve = createWorkspaceResolver(fileSystem)
    await resolve('/code/app')
    await resolve('/code/app')
    expect(fileSystem.asked).toEqual(['/code/app/.git'])
  })
})
