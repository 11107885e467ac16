import { describe, expect, it } from '@jest/globals'
import type { JsonValue } from '../json.ts'
import { commitsIn } from './git-commits.ts'

const found = (input: JsonValue, output: string, touchesFiles = false, name = 'Bash') =>
  commitsIn({ type: 'tool_call', id: 'c', name, input }, output, touchesFiles).map(
    ({ hash, subject, made }) => `${made ? 'made' : 'seen'} ${hash} ${subject}`,
  )

describe("commits in git's output", () => {
  it.each([
    ['[main 1a2b3c4] Fix the parser\n 2 files changed', ['made 1a2b3c4 Fix the parser']],
    ['[detached HEAD 1a2b3c4] Fix', ['made 1a2b3c4 Fix']],
    ['[main (root-commit) 1a2b3c4] First', ['made 1a2b3c4 First']],
    ['[feature/a-b_c 1234567] All digits', ['made 1234567 All digits']],
    ['hook: ok\n[main 1a2b3c4] One\n[main 5d6e7f8] Two', ['made 1a2b3c4 One', 'made 5d6e7f8 Two']],
    ['1048576 dump.bin', []],
    ['[main] text', []],
    ['[main 1a2b3] too short', []],
    ['see [main 1a2b3c4] in the middle of a line', []],
  ])('%j', (output, expected) => {
    expect(found({ command: 'git add -A && git commit -m x' }, output)).toEqual(expected)
  })

  it('are counted also when another program ran git, but not when a file is shown or searched', () => {
    expect(found({ command: 'npm run release' }, '[main 1a2b3c4] Release')).toEqual(['made 1a2b3c4 Release'])
    expect(found({ command: './server' }, '[worker 1048576] ready')).toEqual([])
    expect(found({ file_path: 'docs/git.md' }, '[main 1a2b3c4] text', true, 'Read')).toEqual([])
    expect(found({ pattern: 'commit' }, '[main 1a2b3c4] text', false, 'Grep')).toEqual([])
    expect(found({ command: 'cat notes.md' }, '[main 1a2b3c4] text', true)).toEqual([])
    expect(found({ command: 'cat notes.md && git commit -m x' }, '[main 1a2b3c4] text', true)).toEqual([
      'made 1a2b3c4 text',
    ])
    expect(found({ operation: 'commit', message: 'x' }, '[main 1a2b3c4] text', false, 'version_control')).toEqual([
      'made 1a2b3c4 text',
    ])
  })
})

describe('commits that a log lists', () => {
  const log = 'abcdef1 Newest\n1234567 (HEAD -> main, tag: v1) Older\n'

  it.each([
    'git log --oneline',
    'git -C sub log --oneline -5',
    'cd sub && git --no-pager log --oneline | head -20',
    'git log --oneline 2>&1',
  ])('%j: the oldest first', (command) => {
    expect(found({ command }, log)).toEqual(['seen 1234567 Older', 'seen abcdef1 Newest'])
  })

  it('reads graphs and the long form', () => {
    expect(found({ command: 'git log --oneline --graph' }, '* abcdef1 A\n| * abcdef2 B\n|/')).toEqual([
      'seen abcdef2 B',
      'seen abcdef1 A',
    ])
    const long = `commit ${'a1'.repeat(20)} (HEAD -> main)\nMerge: 1 2\nAuthor: A <a@b>\nDate:   now\n\n    Subject\n\n    1234567 body\n`
    expect(found({ command: 'git log' }, long).slice(-1)).toEqual([`seen ${'a1'.repeat(20)} Subject`])
  })

  it('are read from a git log only', () => {
    expect(found({ command: 'ls -s' }, '1048576 dump.bin\nabcdef1 x')).toEqual([])
    expect(found({ command: 'git log --oneline -1 && ls -s' }, 'abcdef1 A\n1048576 dump.bin')).toEqual([
      'seen abcdef1 A',
    ])
    expect(found({ command: 'cat git-log.txt' }, 'abcdef1 A', true)).toEqual([])
    expect(found({ command: 'git status' }, 'abcdef1 A')).toEqual([])
    expect(found({ command: ['bash', '-lc', 'git log --oneline'] }, 'abcdef1 A')).toEqual(['seen abcdef1 A'])
  })

  it('take time linear in the output', () => {
    const output = `${' '.repeat(200_000)}\n${'[main '.repeat(50_000)}\n${'commit '.repeat(50_000)}`
    expect(found({ command: 'git log --oneline' }, output)).toEqual([])
  })
})
