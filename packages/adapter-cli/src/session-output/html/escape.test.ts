import { describe, expect, it } from '@jest/globals'
import { hasUnsafe } from '@cairn/core'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from '@cairn/core/testing'
import { escapeAttribute, escapeText } from './escape.ts'

describe('text in an HTML document', () => {
  it.each(UNSAFE_EXAMPLES)('shows $name', ({ text }) => {
    for (const html of [escapeText(`a${text}b`), escapeAttribute(`a${text}b`)]) expect(hasUnsafe(html)).toBe(false)
  })

  it.each(HARMLESS_EXAMPLES)('leaves %s', (text) => {
    expect(escapeText(text)).toBe(text)
    expect(escapeAttribute(text)).toBe(text)
  })

  it('marks invisible characters in an element, and escapes markup', () => {
    expect(escapeText('<b>\u200e\u001b')).toBe('&lt;b&gt;<span class="ctl">[U+200E]</span><span class="ctl">␛</span>')
    expect(escapeAttribute('"\u00ad"')).toBe('&quot;[U+00AD]&quot;')
    expect(escapeText('a\u2028b\r\nc')).toBe('a\nb\nc')
  })
})
