import { describe, expect, it } from '@jest/globals'
import { globMatches } from './glob.ts'

describe('globMatches', () => {
  it('takes as many alternatives as fit into a pattern of one pair of braces', () => {
    const choices = Array.from({ length: 300 }, (_, index) => index.toString(36))
    expect(globMatches(`src/{${choices.join(',')}}`, `src/${choices.at(-1) ?? ''}`)).toBe(true)
    expect(globMatches(`src/{${choices.join(',')}}`, 'src/none')).toBe(false)
    expect(globMatches('{a,b}'.repeat(8), 'abababab')).toBe(true)
  })

  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/*.ts', 'other/src/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/x/y/a.ts', true],
    ['src/**', 'src/x/y/a.ts', true],
    ['src/**', 'src', true],
    ['**/test/**', 'a/test/b/c.ts', true],
    ['**/test/**', 'a/tests/b.ts', false],
    ['docs/', 'docs/a/b.md', true],
    ['docs/', 'src/docs/a.md', true],
    ['/docs/', 'src/docs/a.md', false],
    ['./src/a.ts', 'src/a.ts', true],
    ['*.{ts,tsx}', 'x/a.tsx', true],
    ['{src,lib}/**/*.{c,h}', 'lib/x/a.h', true],
    ['{src,lib}/**/*.{c,h}', 'doc/x/a.h', false],
    ['a?.md', 'ab.md', true],
    ['a?.md', 'a.md', false],
    ['[a-c]*.md', 'beta.md', true],
    ['[!a-c]*.md', 'beta.md', false],
    ['*a*b*c', 'xxaxxbxxc', true],
    ['ünï/*', 'ünï/x', true],
    ['', 'a', false],
    ['a.b', 'axb', false],
  ])('%s on %s: %s', (pattern, path, isMatch) => {
    expect(globMatches(pattern, path)).toBe(isMatch)
  })

  it('takes no time that a pattern decides', () => {
    const started = process.cpuUsage().user
    globMatches(`${'*a'.repeat(400)}b`, 'a'.repeat(5_000))
    globMatches('**/'.repeat(300) + 'b', 'a/'.repeat(2_000) + 'c')
    globMatches('{a,b}'.repeat(150), 'a'.repeat(150))
    const choices = (count: number): string => `{${'x,'.repeat(count)}x}`
    for (let times = 0; times < 20; times += 1) globMatches(`${choices(30)}${choices(30)}${choices(400)}`, 'y')
    expect(process.cpuUsage().user - started).toBeLessThan(3_000_000)
  })
})
