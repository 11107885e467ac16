/** Ignore rules against git itself, on patterns that are put together at random and on those that people write. */
import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { isIgnored, parseIgnoreRules } from './ignore-rules.ts'

const PATTERNS = [
  '*.log', '!keep.log', 'build/', '/top', 'a/b', '**/deep', 'a/**', 'a/**/z', '*', '!*/', 'foo*bar', '[abc].x', '[!a-c]x',
  '[^a-c]x', '[]]x', '[a-', '\\#x', '\\!x', '# comment', 'trail ', 'trail\\ ', 'cr\r', '?', '??', 'a?b', '*/x', '/*', '/a/*',
  '!/a/b', '[[:digit:]]x', '[[:nope:]]x', 'x\\', '\\*', 'a**b', '**', '/**', '**/', 'ab[c/d]e', '*.*', '.*', '!.x', '/', '!', '//',
  'a//b', '***', '[\\]]x', '[a\\-c]x', 'é*', '[-a]x',
] // prettier-ignore
const NAMES = ['a', 'b', 'z', 'x', 'ax', 'bx', 'dx', '1x', ']x', '-x', 'top', 'deep', 'build', 'keep.log', 'other.log', 'a.x', 'foo1bar', 'trail', 'trail ', 'cr', '#x', '!x', '*', '.x', 'aab', 'abce', 'é1', 'ab'] // prettier-ignore

/** What git says of paths, none of which is there: a path with a slash at the end is a folder. */
const ignoredByGit = (folder: string, text: string, paths: readonly string[]): readonly boolean[] => {
  writeFileSync(join(folder, '.gitignore'), text)
  const { stdout } = spawnSync('git', ['check-ignore', '-z', '--stdin', '--verbose', '--non-matching', '--no-index'], {
    cwd: folder,
    input: paths.map((path) => `${path}\0`).join(''),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: folder },
  })
  const fields = stdout.split('\0')
  return paths.map((_, index) => {
    const pattern = fields[index * 4 + 2] ?? ''
    return pattern !== '' && !pattern.startsWith('!')
  })
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1')

/** What the rules say, asked from the top: what is in an ignored folder is ignored. */
const ignoredByRules = (text: string, path: string): boolean => {
  const files = [{ folder: '', rules: parseIgnoreRules(bytes(text)) }]
  const isFolder = path.endsWith('/')
  const names = path.replace(/\/$/, '').split('/').map(bytes)
  return names.some((name, index) => {
    const isLast = index === names.length - 1
    return isIgnored(files, names.slice(0, index + 1).join('/'), name, !isLast || isFolder) === true
  })
}

describe('Ignore rules', () => {
  it('decide as git does', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-ignore-'))
    try {
      spawnSync('git', ['init', '-q', '--template=', folder])
      const pattern = fc.oneof(
        fc.constantFrom(...PATTERNS),
        fc
          .array(fc.constantFrom('a', 'b', 'x', '*', '**', '?', '/', '[ab]', '!', '.', '\\', 'z', '[^x]'), {
            minLength: 1,
            maxLength: 6,
          })
          .map((parts) => parts.join('')),
      )
      const path = fc
        .tuple(fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }), fc.boolean())
        .map(([names, isFolder]) => names.join('/') + (isFolder ? '/' : ''))
      fc.assert(
        fc.property(
          fc.array(pattern, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`),
          fc.array(path, { minLength: 5, maxLength: 30 }),
          (text, paths) => {
            const expected = ignoredByGit(folder, text, paths)
            expect(paths.map((each) => [each, ignoredByRules(text, each)])).toEqual(
              paths.map((each, index) => [each, expected[index]]),
            )
          },
        ),
        { numRuns: 400, seed: 14 },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 120_000)

  it('take no longer than pattern times text, whatever the pattern', () => {
    const [rule] = parseIgnoreRules(`${'*a'.repeat(2_000)}b`)
    const name = 'a'.repeat(20_000)
    // Tried from every star again this would not end.
    expect(rule?.matches(name, name)).toBe(false)
  })
})
