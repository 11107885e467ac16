import { describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { forbiddenWords, storedNames, wordsInNames } from './words.mjs'

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

  it('may be those of stored data where a property has them, never a variable', () => {
    const stored = storedNames(
      '## Names that are stored\n\n| name | what |\n| ---- | ---- |\n| `room` | tokens |\n\n## Other\n\n| `dead` |',
    )
    expect([...stored]).toEqual(['room'])
    const words = new Map([['room', 'available tokens']])
    const found = (text) => wordsInNames('a.ts', text, words, stored).map(({ line }) => line)
    expect(
      found('interface Entry { room: number }\nconst { room: available } = entry\nuse({ room: entry.room })'),
    ).toEqual([])
    expect(found('const room = 1')).toEqual([1])
    expect(found('use({ other })\nuse({ room })')).toEqual([2])
    expect(found('use(entry.roomLeft)')).toEqual([1])
  })
})
