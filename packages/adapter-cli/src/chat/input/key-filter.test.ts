import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createKeyFilter } from './key-filter.ts'

const filtered = (pieces: readonly string[]): { readonly out: string; readonly pasted: readonly string[] } => {
  const pasted: string[] = []
  const filter = createKeyFilter((text) => {
    pasted.push(text)
    return `<${pasted.length}>`
  })
  return { out: pieces.map((piece) => filter.take(piece)).join(''), pasted }
}

describe('the key filter', () => {
  it('takes a bracketed paste as one piece', () => {
    const { out, pasted } = filtered(['see \u001b[200~one\rtwo\tthree\u0003\u001b[201~ and \u001b[200~x\u001b[201~\r'])
    expect(out).toBe('see <1> and <2>\r')
    expect(pasted).toEqual(['one\rtwo\tthree\u0003', 'x'])
  })

  it('does so however the text is cut, as long as an escape is not alone', () => {
    const text = 'a\u001b[200~b\r\u001b[20 c\u001b[201~d\u001b[A\r'
    const whole = filtered([text])
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const at = [...new Set(cuts)].sort((a, b) => a - b).filter((cut) => text[cut - 1] !== '\u001b' || cut > 8)
        const pieces = [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end))
        expect(filtered(pieces)).toEqual(whole)
      }),
    )
  })

  it('gives keys through, an escape alone too', () => {
    expect(filtered(['\u001b', 'x', '\u001b[A', '\u0003']).out).toBe('\u001bx\u001b[A\u0003')
  })

  it('makes Alt-Enter and Ctrl-J go on in another line', () => {
    expect(filtered(['a\u001b\rb\nc\r']).out).toBe('a\\\rb\\\rc\r')
  })

  it('lets Ctrl-C out of a paste that never ends', () => {
    expect(filtered(['\u001b[200~lost', '\u0003', 'on\r'])).toEqual({ out: '\u0003on\r', pasted: [] })
  })
})
