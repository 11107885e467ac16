/** Times that a store may hold and no date has: shown as unknown, and no page fails over them. */
import { describe, expect, it } from '@jest/globals'
import { timeText } from './time-text.tsx'

describe('a time', () => {
  it.each([[1e300], [Number.NaN], [-9e15], ['yesterday' as unknown as number]])('of %j is shown as unknown', (at) => {
    expect(timeText(at, 'UTC')).toBe('unknown')
  })

  it('shows a dash where it was not recorded, else its date', () => {
    expect([timeText(null, 'UTC'), timeText(0, 'UTC')]).toEqual(['–', 'Jan 1, 1970, 00:00'])
  })
})
