import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { applyEdits, type TextEdit } from './apply-edits.ts'

const edit = (oldText: string, newText: string, replaceAll = false): TextEdit => ({ oldText, newText, replaceAll })
const applied = (text: string, ...edits: readonly TextEdit[]): string => {
  const result = applyEdits(text, edits, 'a.ts')
  return 'problem' in result ? `problem: ${result.problem}` : result.text
}

describe('edits', () => {
  it('replace the one occurrence, and nothing else', () => {
    expect(applied('one\ntwo  \nthree\t\n', edit('two', 'zwei'))).toBe('one\nzwei  \nthree\t\n')
    expect(applied('a$b', edit('$b', '$&$1'))).toBe('a$&$1')
  })

  it('come one after the other, and all or none of them', () => {
    expect(applied('a b', edit('a', 'b c'), edit('c b', 'd'))).toBe('b d')
    expect(applied('a b', edit('a', 'c'), edit('x', 'y'))).toMatch(/^problem: Edit 2 of 2 failed, so none was made\./)
  })

  it('say how often and where a text occurs that is not unique', () => {
    const text = 'x\n\nx y\nz\nx'
    expect(applied(text, edit('x', 'w'))).toContain('occurs 3 times in a.ts, in lines 1, 3, 5.')
    expect(applied(text, edit('x', 'w', true))).toBe('w\n\nw y\nz\nw')
    expect(applied('aaa', edit('aa', 'b'))).toContain('occurs 2 times')
    expect(applied('aaaa', edit('aa', 'b', true))).toBe('bb')
    expect(applied('x\n'.repeat(50), edit('x', 'w'))).toContain(
      'occurs 50 times in a.ts, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ….',
    )
  })

  it('refuse what would change nothing, and an empty text', () => {
    expect(applied('a', edit('a', 'a'))).toContain('the same')
    expect(applied('a', edit('', 'a'))).toContain('write_file')
  })

  it('keep \\r\\n, also where only some lines have it, and the byte order mark', () => {
    expect(applied('a\r\nb\r\nc\r\n', edit('a\nb', 'a\nx\nb'))).toBe('a\r\nx\r\nb\r\nc\r\n')
    expect(applied('a\r\nb\nc\nd\n', edit('c\nd', 'c\nx\nd'))).toBe('a\r\nb\nc\nx\nd\n')
    expect(applied('a\r\nb\nc\nd\n', edit('a\nb\nc', 'a\nb\ny'))).toBe('a\r\nb\ny\nd\n')
    expect(applied('\uFEFFa\r\nb', edit('a\r\nb', 'a\r\nc'))).toBe('\uFEFFa\r\nc')
    expect(applied('a\nb\n', edit('a\r\nb', 'c\r\nd'))).toBe('c\nd\n')
  })

  it('leave every byte outside of the match as it was', () => {
    const piece = fc.stringMatching(/^[ab \t\r\n\uFEFF“é😀]{0,12}$/u)
    fc.assert(
      fc.property(piece, piece, piece, (before, after, given) => {
        const marked = `${before}<@>${after}`
        const plain = given.replace(/\r/g, '')
        const result = applyEdits(marked, [edit('<@>', plain)], 'a')
        const text = 'text' in result ? result.text : ''
        expect(text.startsWith(before)).toBe(true)
        expect(text.endsWith(after)).toBe(true)
        expect(text.slice(before.length, text.length - after.length).replaceAll('\r\n', '\n')).toBe(plain)
      }),
    )
  })
})

describe('a text that is not found', () => {
  const file = [
    'import { join } from "node:path"',
    '',
    'export function total(rows: number[]): number {',
    '  let sum = 0',
    '  for (const row of rows) sum += row',
    '  return sum',
    '}',
    '',
    'export function mean(rows: number[]): number {',
    '  return total(rows) / rows.length',
    '}',
  ].join('\n')

  it('brings the nearest real lines with their numbers', () => {
    const message = applied(file, edit('  for (const value of rows) sum += value\n  return sum', 'x'))
    expect(message).toContain('The nearest lines are:')
    expect(message).toContain('5\t  for (const row of rows) sum += row\n6\t  return sum')
    expect(message).not.toContain('import')
  })

  it('says when only blanks, quotes or line numbers differ', () => {
    expect(applied(file, edit('    let sum = 0\n    for (const row of rows) sum += row', 'x'))).toContain(
      'lines 4 to 5 differ from it only in blanks. They are:\n4\t  let sum = 0',
    )
    expect(applied(file, edit('import { join } from “node:path”', 'x'))).toContain('only in blanks, quotes or dashes')
    expect(applied(file, edit('4\t  let sum = 0\n5\t  for (const row of rows) sum += row', 'x'))).toContain(
      'leave these out',
    )
    expect(applied('say \\"hi\\"'.replaceAll('\\', ''), edit('say \\"hi\\"', 'x'))).toContain('only in escapes')
  })

  it('says when nothing is like it, when the file is empty, and what a redacted secret is', () => {
    expect(applied(file, edit('SELECT name FROM person WHERE age > 3', 'x'))).toContain(
      'nothing in its 11 lines is like it',
    )
    expect(applied('', edit('a', 'b'))).toContain('is empty')
    expect(applied('key = "abc"', edit('key = "[redacted:github-token]"', 'x'))).toContain(
      '[redacted:github-token] stands for a secret',
    )
  })

  it('shows two ranges that are about as near', () => {
    const text = `${'a = compute(left, right)\n'}${'q\n'.repeat(20)}a = compute(left, rights)\n`
    expect(applied(text, edit('a = compute(left, wrong)', 'x'))).toMatch(/\n1\ta = compute[^]*\n…\n[^]*22\ta = compute/)
  })

  it('is told in time for 50,000 lines and 500 wanted ones', () => {
    const large = Array.from(
      { length: 50_000 },
      (_, at) => `const value${at} = compute(${at}, "some text", other)`,
    ).join('\n')
    const before = process.cpuUsage()
    expect(applied(large, edit('const value = nothing(1)\n'.repeat(500), 'x'))).toContain('old_text is not in')
    expect(process.cpuUsage(before).user).toBeLessThan(20_000_000)
  })
})
