import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { analyseQuery, chooseTerms, isQuestion, MOST_QUERY_TERMS, type QueryTermKind } from './query.ts'
import { analyseWord } from './words.ts'

const textsOf = (query: string, wanted: QueryTermKind) =>
  analyseQuery(query)
    .filter(({ kind }) => kind === wanted)
    .map(({ text }) => text)

describe('analyseQuery', () => {
  it('returns words, parts of identifiers, and joins of adjacent words', () => {
    expect(textsOf('open getUserName now', 'word')).toEqual(['open', 'getusername', 'now'])
    expect(textsOf('open getUserName now', 'part')).toEqual(['get', 'user', 'name'])
    expect(textsOf('get log level', 'joined')).toEqual(['getlog', 'getloglevel', 'loglevel'])
  })

  it('finds an identifier by its words', () => {
    expect(analyseQuery('get user names').map(({ hash }) => hash)).toContain(analyseWord('getUserName').terms[0]?.hash)
  })

  it('joins no words across the end of a sentence, and at most six', () => {
    expect(textsOf('red. blue', 'joined')).toEqual([])
    expect(Math.max(...textsOf('a b c d e f g h', 'joined').map((text) => text.length))).toBe(6)
  })

  it('treats connected words as parts of one identifier', () => {
    expect(textsOf('session-log.ts', 'word')).toEqual([])
    expect(textsOf('session-log.ts', 'part')).toEqual(['session', 'log', 'ts'])
    expect(textsOf('session-log.ts', 'joined')).toContain('sessionlogts')
    expect(
      analyseQuery('session-log.ts')
        .filter(({ isName }) => isName)
        .map(({ text }) => text),
    ).toContain('sessionlogts')
    expect(analyseQuery('session log ts').filter(({ isName }) => isName)).toEqual([])
  })

  it('searches for pairs of symbols, or for a single one that stands alone', () => {
    expect(textsOf('黒い猫', 'word')).toEqual(['黒い', 'い猫'])
    expect(textsOf('猫', 'word')).toEqual(['猫'])
  })

  it('has no operators, and returns nothing for an empty query', () => {
    expect(textsOf('"walrus* -(otter)', 'word')).toEqual(['walrus', 'otter'])
    for (const empty of ['', ' ', '"', '*', '\0', '\ud800', '_'.repeat(0)]) expect(analyseQuery(empty)).toEqual([])
  })

  it('limits the words of a huge query to those at both ends', () => {
    const of = (words: number): string =>
      `firstquestion ${Array.from({ length: words }, (_, index) => `w${index}o${index % 7}`).join(' ')} lastquestion`
    const terms = analyseQuery(of(300_000))
    expect(terms.length).toBeLessThanOrEqual(analyseQuery(of(5_000)).length)
    const words = new Set(terms.map(({ text }) => text))
    expect(words.has('firstquestion') && words.has('lastquestion')).toBe(true)
    expect(words.has('w0o0')).toBe(true)
    expect([...words].filter((text) => text.startsWith('w15000'))).toEqual([])
    expect(analyseQuery('x'.repeat(1_000_000)).length).toBeLessThan(10)
  })

  it('returns each hash once, in a stable order, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const hashes = analyseQuery(text).map(({ hash }) => hash)
        expect(new Set(hashes).size).toBe(hashes.length)
        expect(analyseQuery(text).map(({ hash }) => hash)).toEqual(hashes)
      }),
    )
  })
})

describe('chooseTerms', () => {
  it('drops joined words that occur nowhere, and keeps single words that occur nowhere', () => {
    expect(chooseTerms(analyseQuery('red lighthouse'), () => 0).map(({ text }) => text)).toEqual(['red', 'lighthouse'])
  })

  it('keeps the rarest of a long query', () => {
    const text = Array.from(
      { length: 3000 },
      (_, index) => `word${String.fromCharCode(97 + (index % 26))}${'x'.repeat(index % 17)}q${index}`,
    ).join(' ')
    const terms = analyseQuery(text)
    const chosen = chooseTerms(terms, (term) => (term.kind === 'joined' ? 0 : (term.hash % 1000) + 1))
    expect(chosen.length).toBe(MOST_QUERY_TERMS)
    expect(Math.max(...chosen.map(({ hash }) => (hash % 1000) + 1))).toBeLessThan(200)
  })
})

it.each(['Where is it?', 'who said so', 'so it is red?'])('"%s" is a question', (text) =>
  expect(isQuestion(text)).toBe(true),
)
it.each(['the lighthouse', 'explain where it is', ''])('"%s" is not a question', (text) =>
  expect(isQuestion(text)).toBe(false),
)
