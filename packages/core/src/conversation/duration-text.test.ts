import { expect, it } from '@jest/globals'
import { durationText } from './duration-text.ts'

it('tells how long something took in one or two units', () => {
  const seconds = [0.4, 42, 59.7, 360, 3_600, 7_500, 259_200]
  expect(seconds.map((each) => durationText(each * 1_000))).toEqual([
    '0 s',
    '42 s',
    '1 min',
    '6 min',
    '1 h',
    '2 h 5 min',
    '3 d',
  ])
})
