import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { unifiedDiff } from './unified-diff.ts'

/** What a patch program makes of lines and a diff. */
const patched = (before: readonly string[], diff: readonly string[]): readonly string[] => {
  const result: string[] = []
  let at = 0
  for (const line of diff) {
    const [, from, count] = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line) ?? []
    if (from !== undefined) {
      const start = count === '0' ? Number(from) : Number(from) - 1
      result.push(...before.slice(at, start))
      at = start
    } else if (line.startsWith('+')) result.push(line.slice(1))
    else {
      expect(before[at]).toBe(line.slice(1))
      if (line.startsWith(' ')) result.push(line.slice(1))
      at += 1
    }
  }
  return [...result, ...before.slice(at)]
}

describe('the difference of two texts', () => {
  it('shows three lines around each change', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
    const after = before.with(9, 'other').toSpliced(15, 0, 'added')
    expect(unifiedDiff(before.join('\n'), after.join('\n'))).toEqual([
      '@@ -7,12 +7,13 @@',
      ...[' line 7', ' line 8', ' line 9', '-line 10', '+other', ' line 11', ' line 12', ' line 13'],
      ...[' line 14', ' line 15', '+added', ' line 16', ' line 17', ' line 18'],
    ])
  })

  it('is empty for equal texts, and counts the lines of a new file from 0', () => {
    expect(unifiedDiff('a\n', 'a\n')).toEqual([])
    expect(unifiedDiff('', 'a\nb\n')).toEqual(['@@ -0,0 +1,2 @@', '+a', '+b'])
    expect(unifiedDiff('a\r\n', '')).toEqual(['@@ -1,1 +0,0 @@', '-a'])
  })

  it('is fast where everything is different', () => {
    const lines = (word: string): string => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`).join('\n')
    expect(unifiedDiff(lines('a'), lines('b'))).toHaveLength(10_001)
  })

  it('turns one into the other', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((each) => [...each, 'end'])
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(patched(before, unifiedDiff(before.join('\n'), after.join('\n')))).toEqual(after)
      }),
    )
  })
})
