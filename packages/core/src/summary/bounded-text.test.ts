import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { cleanText, cutText, indentContinuation } from './bounded-text.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }))

describe('cutText', () => {
  it('keeps the beginning and the end', () => {
    expect(cutText('abcdefghij', 10)).toBe('abcdefghij')
    expect(cutText('abcdefghij', 7)).toBe('abcd…ij')
    expect(cutText('abc', 1)).toBe('…')
    expect(cutText('abc', 0)).toBe('')
  })

  it('never splits a surrogate pair, and never exceeds the limit', () => {
    fc.assert(
      fc.property(text, fc.nat(70), (whole, maximum) => {
        const cut = cutText(whole, maximum)
        expect(cut.length).toBeLessThanOrEqual(maximum)
        expect(cut.isWellFormed()).toBe(true)
      }),
    )
    for (let maximum = 0; maximum < 12; maximum++) expect(cutText('😀😀😀😀😀😀', maximum).isWellFormed()).toBe(true)
  })

  it('gives the same result in two cuts as in one', () => {
    fc.assert(
      fc.property(text, fc.nat(70), fc.nat(70), (whole, one, other) =>
        expect(cutText(cutText(whole, Math.max(one, other)), Math.min(one, other))).toBe(
          cutText(whole, Math.min(one, other)),
        ),
      ),
    )
  })
})

it("cleanText removes what a database or a terminal can't handle", () => {
  expect(cleanText('a\r\nb\tc\u0000\u001b[31mred\u001b[0m \ud800')).toBe('a\nb\tcred \ufffd')
})

it('hanging text indents all lines after the first', () => {
  expect(indentContinuation('- Agent: ', 'a\n## b')).toBe('- Agent: a\n         ## b')
})
