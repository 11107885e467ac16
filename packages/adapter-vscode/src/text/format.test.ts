import { ageText, agoText, bytesText, counted } from './format.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe('times and counts', () => {
  it('write an age in one unit', () => {
    const ages = [0, 5 * MINUTE, 3 * 60 * MINUTE, 2 * DAY, 20 * DAY, 90 * DAY, 800 * DAY]
    expect(ages.map((age) => ageText(0, age))).toEqual(['now', '5 min', '3 h', '2 d', '2 wk', '3 mo', '2 y'])
    expect(ageText(null, DAY)).toBe('')
    // Clocks of two machines differ, but not by that much.
    expect([4 * MINUTE, 5 * MINUTE, DAY].map((ahead) => ageText(ahead, 0))).toEqual([
      'now',
      'in the future',
      'in the future',
    ])
  })

  it('write how long ago something was', () => {
    const texts = [0, 5 * MINUTE, 3 * 60 * MINUTE, -DAY].map((age) => agoText(0, age))
    expect([...texts, agoText(null, DAY)]).toEqual(['just now', '5 min ago', '3 h ago', 'in the future', ''])
  })

  it('write a count with its noun, and sizes', () => {
    expect([counted(1, 'reply', 'replies'), counted(2_000, 'file')]).toEqual(['1 reply', '2,000 files'])
    expect([999, 12_345, 3_400_000].map(bytesText)).toEqual(['999 B', '12.3 kB', '3.4 MB'])
  })
})
