import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { eachTwiceEditedHash, editDistance, editedWords } from './edits.ts'
import { hashText } from './hash.ts'

describe('editDistance', () => {
  it.each([
    ['session', 'session', 0],
    ['sesion', 'session', 1],
    ['sessoin', 'session', 1],
    ['sesson', 'session', 1],
    ['seswion', 'session', 1],
    ['neccesary', 'necessary', 2],
    ['ca', 'abc', 3],
    ['otter', 'walrus', 3],
    ['', 'ab', 2],
  ])('%s, %s: %d', (left, right, errors) => {
    expect(editDistance(left, right, 2)).toBe(errors)
    expect(editDistance(right, left, 2)).toBe(errors)
  })
})

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'n', 'z'), minLength: 1, maxLength: 7 })

describe('editedWords', () => {
  it('has exactly the words that are one error away', () => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(new Set(editedWords(left)).has(right)).toBe(editDistance(left, right, 1) === 1)
      }),
    )
    expect(new Set(editedWords('ab'))).toContain('ba')
  })
})

describe('eachTwiceEditedHash', () => {
  it('calls back for each word that two errors behind the first letter make', () => {
    fc.assert(
      fc.property(word, (given) => {
        const hashes = new Set<number>()
        eachTwiceEditedHash(given, (hash) => hashes.add(hash))
        const [first, rest] = [given.charAt(0), given.slice(1)]
        for (const once of editedWords(rest))
          for (const twice of editedWords(once))
            if (editDistance(rest, twice, 2) === 2) expect(hashes.has(hashText(first + twice))).toBe(true)
      }),
      { numRuns: 8 },
    )
  })
})
