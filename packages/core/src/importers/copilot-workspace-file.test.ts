import { describe, expect, it } from '@jest/globals'
import type { FileFacts } from '../ports/file-system.ts'
import { parseWorkspaceFile, readWorkspaceFile } from './copilot-workspace-file.ts'

describe('workspace.yaml', () => {
  it('has the folder, the repository, the branch and the name', () => {
    const text = `id: 5f0c
cwd: /code/app/src
git_root: /code/app
branch: fix/sums
client_name: github/cli
name: "Mend: the \\"sums\\""
user_named: true
summary_count: 0
created_at: 2026-11-22T06:49:34.258Z
`
    expect(parseWorkspaceFile(text)).toEqual({
      folder: '/code/app/src',
      repository: '/code/app',
      branch: 'fix/sums',
      name: 'Mend: the "sums"',
      isUserNamed: true,
    })
  })

  it.each([
    ["summary: 'it''s done'", { name: "it's done" }],
    ['name: |-\n  Fix the\n  sums\ncwd: /w', { name: 'Fix the sums', folder: '/w' }],
    ['name: >\n  Fix\n\n  sums\n', { name: 'Fix sums' }],
    ['name: Fix\n  the sums\r\ncwd: /w\r\n', { name: 'Fix the sums', folder: '/w' }],
    ['name: "broken \\x"', { name: 'broken \\x' }],
    ['name: null\nbranch: ~\ncwd:\n', {}],
    ['user_named: false\nname: hi', { name: 'hi' }],
    ['', {}],
    ['- a\n- b\n', {}],
    ['{"cwd": "/w"}', {}],
  ])('%j', (text, expected) => {
    expect(parseWorkspaceFile(text)).toEqual(expected)
  })

  it('that is not there, is too large or can not be read tells nothing', async () => {
    const facts: FileFacts = { path: '', kind: 'file', size: 10, modifiedAt: 0, identity: '' }
    const read = (stat: FileFacts | undefined, text: () => Promise<string>) =>
      readWorkspaceFile('/a/b/events.jsonl', {
        stat: async (path) => (path === '/a/b/workspace.yaml' ? stat : undefined),
        readText: text,
      })
    expect(await read(facts, async () => 'cwd: /w')).toEqual({ folder: '/w' })
    expect(await read(undefined, async () => 'cwd: /w')).toEqual({})
    expect(await read({ ...facts, size: 1e9 }, async () => 'cwd: /w')).toEqual({})
    expect(await read(facts, async () => Promise.reject(new Error('no')))).toEqual({})
  })
})
