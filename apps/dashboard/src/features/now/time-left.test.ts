import { describe, expect, it } from '@jest/globals'
import { cacheText, spanText } from './time-left.ts'

describe('spanText', () => {
  it('has whole units, rounded down', () => {
    expect([0, 999, 59_999, 60_000, 3_599_999, 3_600_000, 3_900_000].map(spanText)).toEqual([
      '0 s',
      '0 s',
      '59 s',
      '1 min',
      '59 min',
      '1 h',
      '1 h 5 min',
    ])
    expect(spanText(-5)).toBe('0 s')
  })
})

describe('cacheText', () => {
  it('counts the seconds of the last ten minutes', () => {
    expect([252_500, 240_500, 9_500, 3_630_500].map((at) => cacheText(at, 500))).toEqual([
      { text: '4 min 12 s', below: 'left' },
      { text: '4 min', below: 'left' },
      { text: '9 s', below: 'left' },
      { text: '1 h', below: 'left' },
    ])
  })

  it('says since when it is gone', () => {
    expect(cacheText(1_000, 1_000)).toEqual({ text: 'expired', below: '0 s ago' })
    expect(cacheText(1_000, 181_500)).toEqual({ text: 'expired', below: '3 min ago' })
  })
})
