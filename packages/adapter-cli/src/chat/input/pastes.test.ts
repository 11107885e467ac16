import { describe, expect, it } from '@jest/globals'
import { createPastes } from './pastes.ts'

describe('pastes', () => {
  it('leaves a short line as it is, without the line end behind it', () => {
    const pastes = createPastes()
    expect(pastes.keep('npm test\r\n')).toBe('npm test')
  })

  it('names what has several lines, is long, or has keys in it, and gives it back whole', () => {
    const pastes = createPastes()
    const lines = Array.from({ length: 120 }, (_, line) => `line ${line}`).join('\r\n')
    const other = Array.from({ length: 120 }, (_, line) => `other ${line}`).join('\n')
    const names = [lines, other, lines, 'x'.repeat(1_234), 'a\tb'].map((text) => pastes.keep(text))
    expect(names).toEqual([
      '[pasted 120 lines]',
      '[pasted 120 lines #2]',
      '[pasted 120 lines]',
      '[pasted 1,234 characters]',
      '[pasted 3 characters]',
    ])
    expect(pastes.expand(`Fix ${names[1] ?? ''}: ${names[4] ?? ''} [pasted 7 lines]`)).toBe(
      `Fix ${other}: a\tb [pasted 7 lines]`,
    )
    expect(pastes.expand(names[0] ?? '')).toBe(lines.replaceAll('\r\n', '\n'))
  })
})
