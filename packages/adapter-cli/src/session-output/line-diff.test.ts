import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { lineDiff } from './line-diff.ts'

describe('lineDiff', () => {
  it('shows the changed lines and three around them', () => {
    const lines = (change: string): string => ['1', '2', '3', '4', change, '6', '7', '8', '9'].join('\n')
    expect(lineDiff(lines('a'), lines('b')).map(({ kind, text }) => `${kind[0]}${text}`)).toEqual([
      'g',
      's2',
      's3',
      's4',
      'ra',
      'ab',
      's6',
      's7',
      's8',
      'g',
    ])
  })

  it('holds every removed and every added line, in order', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 8 })
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        // Without gaps, both sides can be read off the difference.
        const diff = lineDiff(before, after)
        if (diff.some(({ kind }) => kind === 'gap')) return
        expect(
          diff
            .filter(({ kind }) => kind !== 'added')
            .map((line) => line.text)
            .join('\n'),
        ).toBe(before)
        expect(
          diff
            .filter(({ kind }) => kind !== 'removed')
            .map((line) => line.text)
            .join('\n'),
        ).toBe(after)
      }),
    )
  })

  it('skips the comparison for very large changes only', () => {
    const many = (letter: string): string => Array.from({ length: 900 }, (_, line) => `${letter}${line}`).join('\n')
    const diff = lineDiff(many('a'), many('b'))
    expect(diff).toHaveLength(1800)
    expect(diff[899]?.kind).toBe('removed')
    expect(diff[900]?.kind).toBe('added')
  })
})
