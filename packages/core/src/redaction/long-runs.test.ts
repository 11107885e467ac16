import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { longRuns } from './long-runs.ts'

/** The same, read character by character. */
const expected = (text: string, length: number) =>
  [...text.matchAll(/[A-Za-z0-9+/]+/g)]
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
    .filter(({ start, end }) => end - start >= length)

describe('longRuns', () => {
  it.each([
    ['', 1, []],
    ['abc', 3, [{ start: 0, end: 3 }]],
    ['abc', 4, []],
    [
      'a-bcd_efgh',
      3,
      [
        { start: 2, end: 5 },
        { start: 6, end: 10 },
      ],
    ],
    ['→aB9+/é', 5, [{ start: 1, end: 6 }]],
  ])('of %j, at least %d long', (text, length, runs) => {
    expect(longRuns(text, length)).toEqual(runs)
  })

  it('finds the runs that an expression finds, in any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'Z', '5', '+', '/'), maxLength: 12 }),
      fc.constantFrom('', '-', '_', ' ', '"', '@', '[', '`', '{', ':', '*', ',', '.', '→', 'é', '\u{1f600}'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (pieces, length) => {
        const text = pieces.join('')
        expect(longRuns(text, length)).toEqual(expected(text, length))
      }),
      { numRuns: 1000 },
    )
  })
})
