import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { TermNumbers } from './term-numbers.ts'

it('numbers hashes in the order of their first occurrence', () => {
  const anyHash = fc.oneof(fc.nat({ max: 20 }), fc.constant(4_294_967_295), fc.nat({ max: 4_294_967_295 }))
  fc.assert(
    fc.property(fc.array(anyHash, { maxLength: 200 }), fc.integer({ min: 0, max: 6_000 }), (hashes, many) => {
      const all = [
        ...hashes,
        ...Array.from({ length: many }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0),
        ...hashes,
      ]
      const numbers = new TermNumbers()
      const expected = new Map<number, number>()
      for (const hash of all) {
        if (!expected.has(hash)) expected.set(hash, expected.size)
        expect(numbers.of(hash)).toBe(expected.get(hash))
      }
      expect(numbers.size).toBe(expected.size)
      expect([...numbers.hashes()]).toEqual([...expected.keys()])
    }),
    { numRuns: 40 },
  )
})
