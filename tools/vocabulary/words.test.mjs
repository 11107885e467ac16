import { describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { forbiddenWords, wordsInNames } from './words.mjs'

const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8')

describe('the words of names', () => {
  it('are those of the last table of the glossary', () => {
    const words = forbiddenWords(glossary)
    expect(words.get('bury')).toBe('evict')
    expect(words.get('rents')).toBe('carrying cost')
    expect(words.has('word')).toBe(false)
    expect(words.has('session')).toBe(false)
  })

  it('are found in every part of a name, and nowhere else', () => {
    const text = `
      const placeOf = (worth: number) => ({ totalRent: worth, ROOM_LEFT: 1 })
      // a dead end, said the comment
      const placeholder = 'the room is dead', parent = 1, parentalReplacement = 2, currently = 3`
    const words = new Map(['place', 'worth', 'rent', 'room', 'dead', 'said'].map((word) => [word, '-']))
    expect(wordsInNames('a.ts', text, words).map(({ name, word, line }) => [name, word, line])).toEqual(
      expect.arrayContaining([
        ['placeOf', 'place', 2],
        ['worth', 'worth', 2],
        ['totalRent', 'rent', 2],
        ['ROOM_LEFT', 'room', 2],
      ]),
    )
    expect(wordsInNames('a.ts', text, words)).toHaveLength(4)
  })
})
