import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeWorkspace, textOf, toolsOf, type Workspace } from './tools.fixture.ts'

const ripgrep = process.env['CAIRN_RIPGREP'] ?? 'rg'
const hasRipgrep = spawnSync(ripgrep, ['--version']).status === 0

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
})
afterEach(() => workspace.remove())

const fill = (): void => {
  workspace.put('.gitignore', 'dist/\n')
  workspace.put('src/a.ts', 'const one = 1\nconst two = 2\n\nexport const three = one + two\n')
  workspace.put('src/deep/er/b.tsx', 'import { three } from "../../a"\r\nconst Übung = three\r\n')
  workspace.put('README.md', '# One\n')
  workspace.put('dist/a.js', 'const one = 1\n')
  workspace.put('a.bin', 'const one\0')
  writeFileSync(join(workspace.folder, 'outside.ts'), 'const one = 1\n')
  symlinkSync('../outside.ts', join(workspace.work, 'link.ts'))
}

describe('list_files', () => {
  it('shows a tree without what is left out, or the paths of a pattern', async () => {
    fill()
    const tools = toolsOf(workspace)
    expect(await tools.text('list_files', {})).toBe(
      ['src/', '  deep/', '    er/', '      b.tsx', '  a.ts', '.gitignore', 'README.md', 'a.bin'].join('\n'),
    )
    expect(await tools.text('list_files', { depth: 1 })).toBe(
      'src/ (2 files)\n.gitignore\nREADME.md\na.bin\n(5 files in all; list a folder to see more of it.)',
    )
    expect(await tools.text('list_files', { path: 'src', pattern: '*.{ts,tsx}' })).toBe('src/a.ts\nsrc/deep/er/b.tsx')
    expect(await tools.text('list_files', { pattern: 'src/*.ts' })).toBe('src/a.ts')
    expect(await tools.text('list_files', { pattern: '**/er/**' })).toBe('src/deep/er/b.tsx')
    expect(await tools.text('list_files', { pattern: '*.py' })).toBe('(No file matches.)')
    expect(await tools.text('list_files', { path: 'none' })).toBe('none can’t be looked at: no such file or folder.')
    expect(await tools.text('list_files', { pattern: '[' })).toContain('can’t match any path')
    expect(await tools.text('list_files', { pattern: '{a,b}'.repeat(20) })).toContain('at most 64')
  })

  it('lists a folder that is left out only with approval', async () => {
    fill()
    const call = await toolsOf(workspace).prepare('list_files', { path: 'dist' })
    expect(call.reaches).toBe('dist is left out by an ignore file.')
    expect(textOf(await call.run())).toBe('a.js')
  })

  it('is capped, with the number of what is not shown', async () => {
    for (let index = 0; index < 700; index++) workspace.put(`many/f${String(index).padStart(3, '0')}`, '')
    workspace.put('b', '')
    const tools = toolsOf(workspace)
    expect(await tools.text('list_files', {})).toBe(
      'many/ (700 files)\nb\n(701 files in all; list a folder to see more of it.)',
    )
    const inner = (await tools.text('list_files', { path: 'many' })).split('\n')
    expect([inner.length, inner.at(-2), inner.at(-1)]).toEqual([
      501,
      'f499',
      '(700 files in all; list a folder to see more of it.)',
    ])
    expect(await tools.text('list_files', { pattern: 'many/*' })).toContain('(200 more; make the pattern narrower.)')
  })
})

describe.each([
  ['by itself', null],
  ['with ripgrep', ripgrep],
])('search_files %s', (_name, program) => {
  const check = program !== null && !hasRipgrep ? it.skip : it

  check('finds lines, with those around, in the files of the workspace alone', async () => {
    fill()
    const tools = toolsOf(workspace, { ripgrep: program })
    expect(await tools.text('search_files', { pattern: 'const (one|three)' })).toBe(
      'src/a.ts\n1: const one = 1\n4: export const three = one + two\n(2 matching lines in 1 file.)',
    )
    expect(await tools.text('search_files', { pattern: 'ONE', ignore_case: true, files: '*.md' })).toBe(
      'README.md\n1: # One\n(1 matching line in 1 file.)',
    )
    expect(await tools.text('search_files', { pattern: 'two = 2', context_lines: 1, path: 'src/a.ts' })).toBe(
      'src/a.ts\n1- const one = 1\n2: const two = 2\n3- \n(1 matching line in 1 file.)',
    )
    expect(await tools.text('search_files', { pattern: '{ three }', literal: true })).toBe(
      'src/deep/er/b.tsx\n1: import { three } from "../../a"\n(1 matching line in 1 file.)',
    )
    expect(await tools.text('search_files', { pattern: 'Übung = three$' })).toContain('2: const Übung = three\n')
    expect(await tools.text('search_files', { pattern: 'nowhere' })).toBe('(No match.)')
    expect(await tools.text('search_files', { pattern: '(?<=const )two' })).toContain('2: const two = 2')
  })

  check('searches what is left out only with approval', async () => {
    fill()
    const tools = toolsOf(workspace, { ripgrep: program })
    const call = await tools.prepare('search_files', { pattern: 'one', path: 'dist' })
    expect(call.reaches).toBe('dist is left out by an ignore file.')
    expect(textOf(await call.run())).toContain('dist/a.js\n1: const one = 1')
    expect((await tools.prepare('search_files', { pattern: 'one', path: '..' })).reaches).toContain('outside')
  })

  check('is capped by file and in all, and shows of a long line what is around the match', async () => {
    workspace.put('long.txt', `${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}\n`)
    const tools = toolsOf(workspace, { ripgrep: program })
    const line = await tools.text('search_files', { pattern: 'needle' })
    expect(line).toContain('needle')
    expect(line.length).toBeLessThan(450)
    for (const name of ['b', 'c', 'd', 'e', 'f']) workspace.put(name, 'x needle\n'.repeat(150))
    const text = await tools.text('search_files', { pattern: 'needle' })
    expect(text).toContain('(The first 100 matches of this file.)')
    expect(text).toMatch(/\(The first 300 matching lines in \d files; there may be more: narrow the search\.\)$/)
  })
})

describe('a workspace of several folders', () => {
  it('has their names in front of its paths', async () => {
    workspace.put('app/src/a.ts', 'const needle = 1\n')
    workspace.put('lib/b.ts', 'const needle = 2\n')
    const tools = toolsOf(workspace, { roots: ['app', 'lib'].map((name) => join(workspace.work, name)), ripgrep: null })
    expect(await tools.text('list_files', {})).toBe('app/\n  src/\n    a.ts\nlib/\n  b.ts')
    expect(await tools.text('list_files', { path: 'lib' })).toBe('b.ts')
    expect(await tools.text('search_files', { pattern: 'needle', files: 'lib/**' })).toContain(
      'lib/b.ts\n1: const needle = 2',
    )
    expect(await tools.text('read_file', { path: 'app/src/a.ts' })).toBe('1\tconst needle = 1')
    const call = await tools.prepare('read_file', { path: join(workspace.work, 'lib/b.ts') })
    expect([call.paths, call.reaches]).toEqual([['lib/b.ts'], undefined])
    expect(await tools.text('read_file', { path: 'src/a.ts' })).toBe(
      'The workspace has several folders, so a path begins with one of app/, lib/ and not "src/a.ts".',
    )
  })
})

describe('search_files', () => {
  it('stops an expression that would take for ever, and goes on living', async () => {
    workspace.put('a.txt', `${'a'.repeat(60)}!\n`)
    const tools = toolsOf(workspace, { ripgrep: null })
    const outcome = await tools.run('search_files', { pattern: '(a+)+$' })
    expect([outcome.isError, textOf(outcome).split(':')[0]]).toEqual([
      true,
      'The pattern takes too long and was stopped, at a.txt or behind it',
    ])
    expect(await tools.text('search_files', { pattern: 'a!$' })).toContain('(1 matching line in 1 file.)')
  })

  it('refuses what is no expression, with what to do', async () => {
    const tools = toolsOf(workspace, { ripgrep: null })
    expect(await tools.text('search_files', { pattern: '(' })).toBe(
      'The pattern "(" is no regular expression (Unterminated group); set literal to search for it as text.',
    )
    expect(await tools.text('search_files', { pattern: '' })).toContain('empty')
    expect(await tools.text('search_files', { pattern: 'a\nb' })).toContain('line by line')
    expect(await tools.text('search_files', { pattern: 3 })).toBe('pattern must be a text, not 3.')
  })
})
