import { describe, expect, it } from '@jest/globals'
import { analyseQuery } from '../../text-analysis/query.ts'
import { splitUnknownNames } from './unknown-names.ts'

/** Which terms are words, where a passage each holds the given ones. */
const wordsOf = (query: string, held: readonly string[]): readonly string[] => {
  const terms = analyseQuery(query)
  return splitUnknownNames(
    terms,
    terms.map(({ text }) => (held.includes(text) ? 1 : 0)),
  ).flatMap(({ text, kind }) => (kind === 'word' ? [text] : []))
}

describe('withLooseWords', () => {
  it('splits an unknown identifier into words', () => {
    expect(wordsOf('harbour-related decisions', ['harbour', 'related'])).toEqual(['harbour', 'related', 'decisions'])
    expect(wordsOf('getUserName', ['get', 'user', 'name'])).toEqual(['getusername', 'get', 'user', 'name'])
  })

  it('keeps a known identifier together', () => {
    expect(wordsOf('order-api decisions', ['order', 'api', 'orderapi'])).toEqual(['decisions'])
    expect(wordsOf('getUserName or order-lists', ['getusername', 'user', 'order', 'lists'])).toEqual([
      'getusername',
      'or',
      'order',
      'lists',
    ])
  })
})
