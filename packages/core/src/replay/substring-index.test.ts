import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createInterner } from '../context/names.ts'
import { createSubstringIndex } from './substring-index.ts'

const word = fc.stringMatching(/^[ab]{1,4}$/)

describe('substring index', () => {
  it('agrees with a linear search while names are added', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(word), word)), (rounds) => {
        const names = createInterner()
        const index = createSubstringIndex(names)
        for (const [added, text] of rounds) {
          for (const name of added) names.id(name)
          const holding = Array.from({ length: names.size }, (_, id) => id).filter((id) =>
            names.name(id).includes(text),
          )
          expect(index.all(text)).toEqual(holding)
          expect(index.newest(text)).toBe(holding.at(-1))
        }
      }),
    )
  })

  it('finds names beyond the first chunk', () => {
    const names = createInterner()
    for (let id = 0; id < 20_000; id++) names.id(`name_${id}`)
    const index = createSubstringIndex(names)
    expect(index.all('name_19999')).toEqual([19_999])
    expect(index.newest('name_1')).toBe(19_999)
    expect(index.all('e_0')).toEqual([0])
    names.id('late_name_0')
    expect(index.all('e_0')).toEqual([0, 20_000])
    expect(index.newest('nothing')).toBeUndefined()
  })
})
