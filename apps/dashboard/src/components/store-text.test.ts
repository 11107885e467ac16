import { hasUnsafe } from '@cairn/core'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from '@cairn/core/testing'
import { visibleText } from './store-text.tsx'

describe('text of the store', () => {
  it('shows control characters instead of obeying them', () => {
    expect(visibleText('\u001b[31mred\u001b[0m\u0000\u007f')).toBe('␛[31mred␛[0m␀␡')
    expect(visibleText('a\tb\r\nc\n')).toBe('a\tb\nc\n')
  })

  it('shows characters that reverse or hide text', () => {
    expect(visibleText('invoice\u202efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe')
    expect(visibleText('a\u200bb\ufeffc\u00add\u2066e\u2069f\u200e')).toBe(
      'a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d⟨U+2066⟩e⟨U+2069⟩f⟨U+200E⟩',
    )
    expect(visibleText('one\u2028two\u0085three')).toBe('one⟨U+2028⟩two⟨U+0085⟩three')
    const tags = Array.from('ignore all', (letter) =>
      String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)),
    ).join('')
    expect(visibleText(`hello${tags}!`)).toBe('hello⟨tags: ignore all⟩!')
    expect(visibleText('a\u200db \u200c')).toBe('a⟨U+200D⟩b ⟨U+200C⟩')
  })

  it.each(UNSAFE_EXAMPLES)('shows $name', ({ text }) => {
    expect(hasUnsafe(visibleText(`a${text}b`))).toBe(false)
  })

  it.each(HARMLESS_EXAMPLES)('leaves %s', (text) => {
    expect(visibleText(text)).toBe(text)
  })

  it('keeps joiners where a script needs them', () => {
    for (const text of ['می\u200cخواهم', 'क्\u200dष', '👩🏽\u200d💻', '👩\u200d❤️\u200d👨', 'עברית', '☺️'])
      expect(visibleText(text)).toBe(text)
  })

  it('leaves everything else unchanged', () => {
    const text = '<script>alert(1)</script> javascript:alert(1) 你好 🪨'
    expect(visibleText(text)).toBe(text)
  })
})
