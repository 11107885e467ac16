import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { HASH_SEED, extendHash, WordCache } from './word-cache.ts'

const hashOf = (text: string): number =>
  [...Array(text.length).keys()].reduce((hash, index) => extendHash(hash, text.charCodeAt(index)), HASH_SEED)

describe('cached pieces', () => {
  it('are found at any position, and nothing else is', () => {
    const piece = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        piece,
        fc.string({ maxLength: 3 }),
        fc.constantFrom(hashOf, () => 7),
        (pieces, other, before, hashed) => {
          const known = new WordCache<string>()
          const find = (text: string) =>
            known.find(`${before}${text}${before}`, before.length, before.length + text.length, hashed(text))
          for (const text of pieces) if (find(text) === undefined) known.keep(text, 0, text.length, hashed(text), text)
          // Of those whose hashes are all alike, some are not kept.
          for (const text of pieces) expect([text, hashed === hashOf ? 'never' : undefined]).toContain(find(text))
          if (!pieces.includes(other)) expect(find(other)).toBeUndefined()
        },
      ),
    )
  })

  it('are never confused after an eviction', () => {
    const known = new WordCache<number>()
    let [refused, wrong] = [0, 0]
    for (let index = 0; index < 120_000; index += 1) {
      const text = `w${index}`
      known.keep(text, 0, text.length, hashOf(text), index)
      const found = known.find(text, 0, text.length, hashOf(text))
      if (found === undefined) refused += 1
      else if (found !== index) wrong += 1
    }
    expect(wrong).toBe(0)
    expect(refused).toBeLessThan(100)
    expect(known.find('w0', 0, 2, hashOf('w0'))).toBeUndefined()
    for (let index = 0; index < 120_000; index += 997)
      expect([index, undefined]).toContain(known.find(`w${index}`, 0, `w${index}`.length, hashOf(`w${index}`)))
  })
})
