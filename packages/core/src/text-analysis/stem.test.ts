import { describe, expect, it } from '@jest/globals'
import { baseForm } from './irregular.ts'
import { stem } from './stem.ts'

describe('stem', () => {
  it.each([
    ['refresh refreshing refreshes refreshed', 'refresh'],
    ['connect connected connecting connection connections', 'connect'],
    ['authors author', 'author'],
    ['auth', 'auth'],
    ['happy happiness', 'happi'],
    ['adopt adoption adopted', 'adopt'],
    ['relational', 'relat'],
    ['conditional', 'condit'],
    ['agreed', 'agre'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['falling', 'fall'],
    ['sky', 'sky'],
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['controller', 'control'],
    ['is', 'is'],
  ])('%s', (words, expected) => {
    expect(words.split(' ').map(stem)).toEqual(words.split(' ').map(() => expected))
  })

  it('handles irregular verbs and plurals', () => {
    expect(['went', 'bought', 'children', 'indices', 'walrus'].map(baseForm)).toEqual([
      'go',
      'buy',
      'child',
      'index',
      'walrus',
    ])
  })
})
