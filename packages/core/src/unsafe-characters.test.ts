import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from './testing/unsafe-examples.ts'
import { asCodePoints, controlPicture, hasUnsafe, replaceUnsafe } from './unsafe-characters.ts'

describe('unsafe characters', () => {
  it.each(UNSAFE_EXAMPLES)('are found: $name is $kind', ({ kind, text }) => {
    expect(replaceUnsafe(`a${text}b`, (found, is) => `[${is} ${found}]`)).toBe(`a[${kind} ${text}]b`)
    expect(hasUnsafe(`a${text}b`)).toBe(true)
  })

  it.each(HARMLESS_EXAMPLES)('are not found in %s', (text) => {
    expect(hasUnsafe(text)).toBe(false)
  })

  it('are found wherever Unicode has them', () => {
    const expected = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}\u2028\u2029]/u
    const visible = /[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u
    const wrong: string[] = []
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code)
      if (hasUnsafe(character) !== (expected.test(character) && !visible.test(character))) wrong.push(code.toString(16))
    }
    expect(wrong).toEqual([])
  })

  it('do not include tabs and line feeds', () => {
    expect(hasUnsafe('a\tb\nc')).toBe(false)
  })

  it('leave nothing for a second pass', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(hasUnsafe(replaceUnsafe(text, () => '\ufffd'))).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('are found behind a character that is allowed', () => {
    expect(replaceUnsafe('ᠠ\u180b\u180c', () => '?')).toBe('ᠠ\u180b?')
    expect(replaceUnsafe('❤\ufe0f\ufe0f', () => '?')).toBe('❤\ufe0f?')
    expect(replaceUnsafe('ی\u061c\u200c', () => '?')).toBe('ی??')
  })

  it('are shown as pictures or code points', () => {
    expect(['\u001b', '\u007f', '\u009b', '\u202e'].map(controlPicture)).toEqual(['␛', '␡', '\ufffd', '\ufffd'])
    expect(asCodePoints('\u200b\u{e0069}', (code) => `<${code}>`)).toBe('<200b><e0069>')
  })
})
