import { describe, expect, it } from '@jest/globals'
import { counted, formatBytes, formatClock, formatCount, formatDuration, formatMinute, formatTime } from './format.ts'

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1.00k'],
    [9_994, '9.99k'],
    [9_996, '10.0k'],
    [123_456, '123k'],
    [999_499, '999k'],
    [999_999, '1.00M'],
    [4_567_890, '4.57M'],
    [2_000_000_000, '2.00G'],
  ])('of %i is %s', (count, text) => {
    expect(formatCount(count)).toBe(text)
  })

  it('never takes more than five characters up to a quadrillion', () => {
    for (let count = 1; count < 1e14; count = Math.ceil(count * 1.37))
      expect(formatCount(count).length).toBeLessThanOrEqual(5)
  })
})

describe('sizes and times', () => {
  it('are written in units that people read', () => {
    expect([formatBytes(12), formatBytes(3_400), formatBytes(1_200_000_000)]).toEqual(['12 B', '3.4 kB', '1.2 GB'])
    expect([formatDuration(400), formatDuration(12_000), formatDuration(185_000), formatDuration(7_800_000)]).toEqual([
      '0.4 s',
      '12 s',
      '3 min 5 s',
      '2 h 10 min',
    ])
    expect([formatDuration(300_000), formatDuration(3_600_000)]).toEqual(['5 min', '1 h'])
    expect([counted(1, 'file'), counted(2_000, 'file'), counted(2, 'log entry')]).toEqual([
      '1 file',
      '2,000 files',
      '2 log entries',
    ])
  })

  it('show invalid stored times (1e300, a text, NaN) as unknown', () => {
    for (const at of [1e300, Number.NaN, -Infinity, 'yesterday' as unknown as number])
      expect([formatTime(at), formatClock(at), formatMinute(at)]).toEqual(['unknown', 'unknown ', 'unknown'])
    expect([formatTime(null), formatClock(null).trim()]).toEqual(['-', ''])
    expect(formatTime(0)).toMatch(/^19(69|70)-/)
    expect(formatMinute(0)).toBe(formatClock(0).slice(0, 5))
  })
})
