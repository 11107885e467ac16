import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { FieldCounts } from './field-counts.ts'
import type { FileTerms } from './field-counts.ts'

const hash = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 0xffff_ffff }))
const files = fc.array(
  fc.record({ content: fc.array(hash, { maxLength: 400 }), symbols: fc.array(hash, { maxLength: 40 }) }),
  {
    minLength: 1,
    maxLength: 5,
  },
)

const expected = (content: readonly number[], symbols: readonly number[]) => {
  const of = (all: readonly number[], wanted: number): number => all.filter((one) => one === wanted).length
  const hashes = [...new Set(content)].sort((left, right) => left - right)
  return {
    hashes,
    content: hashes.map((one) => of(content, one)),
    symbols: hashes.map((one) => of(symbols, one)),
    contentLength: content.length,
    symbolLength: symbols.length,
  }
}
const plain = ({ table, from, size, ...lengths }: FileTerms) => ({
  hashes: [...table.hashes.subarray(from, from + size)],
  content: [...table.content.subarray(from, from + size)],
  symbols: [...table.symbols.subarray(from, from + size)],
  ...lengths,
})

describe('counts of fields', () => {
  it('are those of one file after the other, whatever their hashes', () => {
    fc.assert(
      fc.property(files, (all) => {
        const counts = new FieldCounts()
        const taken = all.map(({ content, symbols }) => {
          for (const one of content) counts.addContent(one)
          for (const one of symbols) counts.addSymbol(one)
          return counts.take()
        })
        // Only now, as none may write over what another has.
        expect(taken.map(plain)).toEqual(all.map(({ content, symbols }) => expected(content, symbols)))
      }),
    )
  })

  it('grow with a file of many terms, and end at the highest count', () => {
    const counts = new FieldCounts()
    for (let term = 0; term < 70_000; term++) counts.addContent(term * 61_417)
    for (let time = 0; time < 70_000; time++) counts.addContent(0)
    const { content, contentLength } = plain(counts.take())
    expect([content.length, content[0], content[1], contentLength]).toEqual([70_000, 0xffff, 1, 140_000])
    counts.addContent(5)
    expect(plain(counts.take())).toMatchObject({ hashes: [5], content: [1], contentLength: 1 })
  })
})
