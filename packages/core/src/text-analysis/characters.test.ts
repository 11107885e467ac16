import { expect, it } from '@jest/globals'
import { characterClass, SEPARATOR, SIGN, WORD } from './characters.ts'

it('classifies letters, signs and other characters', () => {
  const classOf = (text: string): number => characterClass(text, 0)
  expect(['a', 'É', '7', '_', 'ж', '𝒜'].map(classOf)).toEqual(Array.from({ length: 6 }, () => WORD))
  expect(['猫', 'ー', 'ก', '한', '😀'].map(classOf)).toEqual(Array.from({ length: 5 }, () => SIGN))
  expect([' ', '.', '©', '\0', '\ud835', '\udc9c'].map(classOf)).toEqual(Array.from({ length: 6 }, () => SEPARATOR))
})

// Compiled code of V8 13.6 makes a pair of the half at the end of a text and what follows in the text that it was cut from.
it('classifies a lone surrogate at the end of a text as a separator, however often it is asked', () => {
  const cut = `${'x'.repeat(30)}𝒜${'y'.repeat(30)}`.slice(0, 31)
  let wrong = 0
  for (let index = 0; index < 50_000; index += 1) if (characterClass(cut, 30) !== SEPARATOR) wrong += 1
  expect(wrong).toBe(0)
})
