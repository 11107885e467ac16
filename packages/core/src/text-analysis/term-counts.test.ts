import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { TermCounts } from './term-counts.ts'

/** Few hashes, many of them beside each other at either end. */
const anyHash = fc.oneof(
  fc.integer({ min: 1, max: 30 }),
  fc.integer({ min: 4_294_967_200, max: 4_294_967_295 }),
  fc.integer({ min: 1, max: 4_294_967_295 }),
)
const anyTerms = fc.array(fc.tuple(anyHash, fc.constantFrom(0, 1, 2, 4, 8)), { maxLength: 400 })

const counted = (terms: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => {
  const counts = new Map<number, { count: number; forms: number }>()
  for (const [hash, form] of terms) {
    const { count, forms } = counts.get(hash) ?? { count: 0, forms: 0 }
    counts.set(hash, { count: Math.min(count + 1, 15), forms: forms | form })
  }
  return [...counts]
    .sort(([left], [right]) => left - right)
    .map(([hash, { count, forms }]) => [hash, (forms << 4) | count])
}

describe('the terms of passages', () => {
  it('are counted in ascending order, whatever order they come in', () => {
    const counting = new TermCounts()
    fc.assert(
      fc.property(fc.array(anyTerms, { maxLength: 4 }), (passages) => {
        const ends = passages.map((terms) =>
          counting.add(
            Uint32Array.from(terms, ([hash]) => hash),
            Uint8Array.from(terms, ([, form]) => form),
            terms.length,
          ),
        )
        const { hashes, counts } = counting.take()
        const found = ends.map((end, index) =>
          Array.from(hashes.subarray(ends[index - 1] ?? 0, end), (hash, offset) => [
            hash,
            counts[(ends[index - 1] ?? 0) + offset],
          ]),
        )
        expect(found).toEqual(passages.map(counted))
        expect(hashes.length).toBe(ends.at(-1) ?? 0)
      }),
    )
  })

  it('may exceed the initial capacity by far', () => {
    const hashes = Uint32Array.from({ length: 100_000 }, (_, index) => 100_000 - index)
    const counting = new TermCounts()
    for (let round = 0; round < 2; round += 1) {
      counting.add(hashes, new Uint8Array(hashes.length), 2_000)
      counting.add(hashes.subarray(98_000), new Uint8Array(2_000), 2_000)
      expect([...counting.take().hashes]).toEqual(
        [...hashes.slice(0, 2_000)].reverse().concat([...hashes.slice(98_000)].reverse()),
      )
    }
  })
})
