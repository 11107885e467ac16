import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { wordKey } from './same-words.ts'

describe('equal texts', () => {
  it.each([
    ['Config is YAML, not JSON.', 'config  is yaml not json'],
    ['“Use tabs” – always!', '"use tabs" always'],
    ['It’s done', "it's done"],
    ['Ｆｕｌｌ width', 'full width'],
    ['run `npm test`', 'run npm test'],
    ['call foo()', 'call foo'],
    ['¿Qué?', 'qué'],
    ['...', '...'],
  ])('%j and %j are equal', (left, right) => {
    expect(wordKey(left)).toBe(wordKey(right))
  })

  it.each([
    ['YAML not JSON', 'JSON not YAML'],
    ['use C++', 'use C#'],
    ['use C', 'use C++'],
    ['x = 1', 'x != 1'],
    ['load .env', 'load env'],
    ['pass -f', 'pass f'],
    ['__proto__ is set', 'proto is set'],
    ['a.b', 'ab'],
    ['dog bites man', 'man bites dog'],
    ['not not', 'not'],
    ['🙂', '🙁'],
    ['...', '!!!'],
  ])('%j and %j are not', (left, right) => {
    expect(wordKey(left)).not.toBe(wordKey(right))
  })

  it('the key of a key is itself, and never empty for a text that is not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(text.trim() !== '')
        expect(wordKey(text)).not.toBe('')
        expect(wordKey(` ${text.trim()}\n`)).toBe(wordKey(text))
      }),
    )
  })
})
