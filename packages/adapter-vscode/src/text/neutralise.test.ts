import fc from 'fast-check'
import { hasUnsafe } from '@cairn/core'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from '@cairn/core/testing'
import { neutralise, neutraliseLine, shorten } from './neutralise.ts'

describe('neutralised text', () => {
  it('makes control sequences visible', () => {
    expect(neutralise('\u001b]0;owned\u0007\u009b2J\u007f')).toBe('␛]0;owned␇\ufffd2J␡')
    expect(neutralise('a\r\nb\rc\td')).toBe('a\nb␍c\td')
  })

  it('has no marks that change the direction of writing, and no unusual line ends', () => {
    expect(neutralise('rm \u202egnp.txt\u2028x')).toBe('rm \ufffdgnp.txt\ufffdx')
  })

  it.each(UNSAFE_EXAMPLES)('shows $name', ({ text }) => {
    expect(hasUnsafe(neutralise(`a${text}b`))).toBe(false)
  })

  it.each(HARMLESS_EXAMPLES)('leaves %s', (text) => {
    expect(neutralise(text)).toBe(text)
  })

  it('is one line if asked for', () => {
    expect(neutraliseLine('  a\n\n b\u2029c ')).toBe('a b c')
  })

  it('is the same when done twice, and has no control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = neutralise(text)
        expect(neutralise(once)).toBe(once)
        // eslint-disable-next-line no-control-regex -- what must not be there
        expect(once).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      }),
    )
  })

  it('is cut between characters', () => {
    expect(shorten('abcdef', 4)).toBe('abc…')
    expect(shorten('ab😀cd', 4)).toBe('ab…')
    expect(shorten('abcd', 4)).toBe('abcd')
  })
})
