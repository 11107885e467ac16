import { describe, expect, it } from '@jest/globals'
import { createWordFinder } from './word-finder.ts'

const found = (query: string, text: string): readonly string[] =>
  createWordFinder(query)(text).map(({ start, end }) => text.slice(start, end))

describe('createWordFinder', () => {
  it('finds every word in its forms, wherever it stands', () => {
    expect(found('voucher rounding', 'Rounding vouchers: the voucher, rounded.')).toEqual([
      'Rounding',
      'vouchers',
      'voucher',
      'rounded',
    ])
    expect(found('Größe', 'die GRÖSSE, die Größe')).toContain('Größe')
    expect(found('session', 'createSessionLog')).toEqual(['createSessionLog'])
  })

  it('finds a name as a whole, not its parts', () => {
    const text = 'cart.ts, and a cart of ts files, src/cart.ts:12'
    expect(found('cart.ts', text)).toEqual(['cart.ts', 'cart.ts'])
    expect(found('cart.ts files', text)).toEqual(['cart.ts', 'files', 'cart.ts'])
  })

  it('finds quoted words only just so, in any case and across lines', () => {
    const text = 'The Voucher is\n  used twice; a used voucher is fine. C’est déjà vu.'
    expect(found('"voucher is used"', text)).toEqual(['Voucher is\n  used'])
    expect(found('"voucher is used" fine', text)).toEqual(['Voucher is\n  used', 'fine'])
    expect(found('"c\'est deja vu"', text)).toEqual(['C’est déjà vu'])
    expect(found('"is fine" "used twice"', text)).toEqual(['used twice', 'is fine'])
  })

  it('finds nothing for nothing', () => {
    expect(found('', 'text')).toEqual([])
    expect(found('…', 'text…')).toEqual([])
    expect(found('voucher', '')).toEqual([])
  })
})
