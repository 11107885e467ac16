import { describe, expect, it } from '@jest/globals'
import { hasUnsafe } from '@cairn/core'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from '@cairn/core/testing'
import { neutralise, neutraliseLine } from './neutralise.ts'

describe('neutralise', () => {
  it('makes escape sequences visible', () => {
    expect(neutralise('\u001b[2J\u001b]0;title\u0007ok')).toBe('␛[2J␛]0;title␇ok')
  })

  it('leaves no character that a terminal acts on', () => {
    const every = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('')
    // eslint-disable-next-line no-control-regex -- what must not be left
    expect(neutralise(every)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  })

  it('keeps lines and tabs', () => {
    expect(neutralise('a\r\n\tb\n')).toBe('a\n\tb\n')
  })

  it('removes marks that change the direction of writing', () => {
    expect(neutralise('rm \u202efdsa')).toBe('rm \ufffdfdsa')
  })

  it.each(UNSAFE_EXAMPLES)('shows $name', ({ text }) => {
    expect(hasUnsafe(neutralise(`a${text}b`))).toBe(false)
  })

  it.each(HARMLESS_EXAMPLES)('leaves %s', (text) => {
    expect(neutralise(text)).toBe(text)
  })

  it('joins several lines to one', () => {
    expect(neutraliseLine(' a\n\n  b\u001b[31m\t')).toBe('a b␛[31m')
  })
})
