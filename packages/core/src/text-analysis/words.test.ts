import { describe, expect, it } from '@jest/globals'
import { FORM_BITS } from './forms.ts'
import { analyseWord } from './words.ts'

const textsOf = (raw: string) => analyseWord(raw).terms.map(({ text }) => text)

describe('wordOf', () => {
  it.each([
    ['walrus', ['walrus']],
    ['Walrus', ['walrus']],
    ['getUserName', ['getusername', 'get', 'user', 'name']],
    ['get_user_name', ['getusername', 'get', 'user', 'name']],
    ['MAX_VALUE', ['maxvalue', 'max', 'value']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['userIDs', ['userids', 'user', 'ids']],
    ['sha256', ['sha256', 'sha', '256']],
    ['v1', ['v1']],
    ['2023', ['2023']],
    ['__init__', ['init']],
    ['___', ['_']],
    ['Größe', ['grosse']],
    ['ＨＴＴＰ', ['http']],
    ['naïve', ['naive']],
    ['größeÄndern', ['grosseandern', 'grosse', 'andern']],
  ])('%s', (raw, expected) => {
    expect(textsOf(raw)).toEqual(expected)
  })

  it('matches a commit by its first seven digits, whatever length was written', () => {
    const whole = '4be1c0d98a7f6e5d4c3b2a190f8e7d6c5b4a3928'
    expect(textsOf(whole)).toEqual([whole, '4be1c0d'])
    expect(textsOf(whole.slice(0, 9).toUpperCase())).toEqual(['4be1c0d98', '4be1c0d'])
    expect(textsOf('4be1c0d')).toEqual(['4be1c0d'])
    expect(textsOf('a1b2c3d4e5')).toEqual(['a1b2c3d4e5', 'a1b2c3d'])
    // Words and numbers are none.
    expect(textsOf('defaced')).toEqual(['defaced'])
    expect(textsOf('12345678')).toEqual(['12345678'])
  })

  it('does not stem digests and random letters', () => {
    expect(textsOf('de498254e2a1b3c4d5e6g7')).toHaveLength(1)
    expect(textsOf('aB3xK9pQ2rT7mN4v')).toHaveLength(1)
    expect(textsOf('Ab'.repeat(5000))).toHaveLength(1)
  })

  it('gives all forms of a word one hash, and keeps them distinguishable', () => {
    const [plain, several, doing, done] = ['refresh', 'refreshes', 'refreshing', 'refreshed'].map(
      (word) => analyseWord(word).terms[0],
    )
    expect(new Set([plain, several, doing, done].map((term) => term?.hash)).size).toBe(1)
    expect([plain, several, doing, done].map((term) => term?.form)).toEqual([
      FORM_BITS.plain,
      FORM_BITS.s,
      FORM_BITS.ing,
      FORM_BITS.other,
    ])
  })

  it('does not confuse words with a common prefix', () => {
    expect(analyseWord('auth').terms[0]?.hash).not.toBe(analyseWord('authors').terms[0]?.hash)
  })

  it('is the same however often the cache was cleared', () => {
    const before = analyseWord('refreshing')
    for (let index = 0; index < 60_000; index++) analyseWord(`w${index}`)
    expect(analyseWord('refreshing')).toEqual(before)
  })
})
