import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { splitIntoPassages } from './passages.ts'
import { analyseWord } from './words.ts'

const hashOf = (word: string): number => analyseWord(word).terms[0]?.hash ?? 0
const holds = (texts: readonly string[], word: string): boolean =>
  splitIntoPassages(texts).passages.some(({ hashes }) => hashes.includes(hashOf(word)))
const sentence = (word: string, words: number): string => `${Array.from({ length: words }, () => word).join(' ')}. `

describe('passages', () => {
  it('are at least one, even for an empty text', () => {
    for (const texts of [[], [''], ['…'], ['\0\ud800']])
      expect(splitIntoPassages(texts)).toMatchObject({ words: 0, passages: [{ tokens: 0 }] })
  })

  it('end at the end of a sentence', () => {
    const { passages } = splitIntoPassages([sentence('one', 50) + sentence('two', 50) + sentence('three', 20)])
    expect(passages.map(({ hashes }) => [...hashes])).toEqual([
      [hashOf('one')],
      [hashOf('two'), hashOf('three')].sort((left, right) => left - right),
    ])
  })

  it('end after 80 words where no sentence ends', () => {
    expect(splitIntoPassages([sentence('one', 200)]).passages.map(({ tokens }) => tokens)).toEqual([80, 80, 40])
  })

  it('count a term up to fifteen, with its forms', () => {
    const [passage] = splitIntoPassages([`${'walrus '.repeat(20)}refresh refreshing`]).passages
    const countOf = (word: string) => passage?.counts[passage.hashes.indexOf(hashOf(word))] ?? 0
    expect(countOf('walrus') & 15).toBe(15)
    expect(countOf('refresh')).toBe((0b0101 << 4) | 2)
  })

  it('index file names whole, without extension, and by their parts', () => {
    for (const word of ['sessionlogts', 'sessionlog', 'session', 'log'])
      expect([word, holds(['see src/core/session-log.ts:12'], word)]).toEqual([word, true])
    expect(holds(['a self-made thing'], 'selfmade')).toBe(true)
    expect(holds(['the end.Next begins'], 'end')).toBe(true)
  })

  it('drop suffixes after an apostrophe', () => {
    for (const text of ["Ann's walrus", 'Ann’s walrus']) {
      expect(holds([text], 'Ann')).toBe(true)
      expect(splitIntoPassages([text]).words).toBe(2)
    }
    expect(splitIntoPassages(["const c = 's'"]).words).toBe(3)
  })

  it('index words of scripts without spaces, and emoji', () => {
    const { passages } = splitIntoPassages(['黒い猫がいる 🚀🚀'])
    expect(passages[0]?.hashes.length).toBeGreaterThan(8)
  })

  it('handle huge words and lines quickly', () => {
    const lines = [
      'a'.repeat(2_000_000),
      'aB3'.repeat(500_000),
      '../'.repeat(500_000),
      'a-'.repeat(500_000),
      'a.'.repeat(500_000),
      "a'".repeat(500_000),
      '猫'.repeat(200_000),
      '😀\ud83d'.repeat(100_000),
    ]
    for (const line of lines) expect(splitIntoPassages([line]).passages.length).toBeGreaterThan(0)
  })

  it('keep their invariants for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { maxLength: 4 }), (texts) => {
        const { passages, words } = splitIntoPassages(texts)
        expect(passages.length).toBeGreaterThan(0)
        expect(words).toBeGreaterThanOrEqual(0)
        for (const { hashes, counts, tokens } of passages) {
          expect(counts.length).toBe(hashes.length)
          expect(hashes.every((hash, index) => hash > 0 && (index === 0 || hash > (hashes[index - 1] ?? 0)))).toBe(true)
          expect(counts.every((count) => (count & 15) > 0)).toBe(true)
          expect(tokens).toBeGreaterThanOrEqual(hashes.length)
        }
      }),
    )
  })

  it('index every word of a text, wherever it was cut', () => {
    const word = fc.stringMatching(/^[a-z]{2,12}$/)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.constantFrom(' ', '. ', '\n', ', ')), { minLength: 1, maxLength: 300 }),
        (parts) => {
          const text = parts.map(([one, gap]) => one + gap).join('')
          const found = new Set(splitIntoPassages([text]).passages.flatMap(({ hashes }) => [...hashes]))
          expect(parts.every(([one]) => found.has(hashOf(one)))).toBe(true)
        },
      ),
    )
  })
})
