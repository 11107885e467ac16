import { describe, expect, it } from '@jest/globals'
import { wordPattern } from './marked-words.tsx'

/** The parts of a text that are marked. */
const marked = (text: string, ...words: readonly string[]): readonly string[] =>
  text.split(wordPattern(words)).filter((_, index) => index % 2 === 1)

describe('wordPattern', () => {
  it('splits at whole words, and at none within another', () => {
    expect(marked('a cat at a café, category, cat_at', 'cat', 'a')).toEqual(['a', 'cat', 'a'])
    expect(marked('x.y (x.y) x.yz xxy', 'x.y')).toEqual(['x.y', 'x.y'])
    expect(marked('--json and --jsonl', '--json')).toEqual(['--json'])
  })

  it('splits within a text that has no spaces', () => {
    expect(marked('会话记录', '话记')).toEqual(['话记'])
  })

  it('takes any white space between words', () => {
    expect(marked('used\n  twice, used twice', 'used twice')).toEqual(['used\n  twice', 'used twice'])
  })
})
