import { visibleText } from './store-text.tsx'

describe('text of the store', () => {
  it('shows control characters instead of obeying them', () => {
    expect(visibleText('\u001b[31mred\u001b[0m\u0000\u007f')).toBe('␛[31mred␛[0m␀␡')
    expect(visibleText('a\tb\r\nc\n')).toBe('a\tb\nc\n')
  })

  it('leaves all else as it is', () => {
    const text = '<script>alert(1)</script> javascript:alert(1) 你好 🪨'
    expect(visibleText(text)).toBe(text)
  })
})
