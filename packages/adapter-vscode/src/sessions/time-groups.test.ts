import { timeGroups } from './time-groups.ts'

const keys = (now: string, timeZone = 'UTC') => timeGroups(timeZone, Date.parse(now)).map(({ key }) => key)

describe('groups by time', () => {
  it('leave out empty groups: on a Monday there is no rest of the week', () => {
    expect(keys('2026-03-05T15:00:00Z')).toEqual([
      'future',
      'today',
      'yesterday',
      'week',
      'last-week',
      'month',
      'quarter',
      'older',
    ])
    expect(keys('2026-03-02T15:00:00Z')).toEqual([
      'future',
      'today',
      'yesterday',
      'last-week',
      'month',
      'quarter',
      'older',
    ])
    expect(keys('2026-03-03T15:00:00Z')).toEqual([
      'future',
      'today',
      'yesterday',
      'last-week',
      'month',
      'quarter',
      'older',
    ])
  })

  it('begin with the day of the time zone, also when the clocks change', () => {
    const [, today, yesterday] = timeGroups('Europe/Berlin', Date.parse('2026-03-29T12:00:00Z'))
    expect(today?.since).toBe(Date.parse('2026-03-28T23:00:00Z'))
    expect(yesterday?.since).toBe(Date.parse('2026-03-27T23:00:00Z'))
    expect(timeGroups('Europe/Berlin', Date.parse('2026-03-30T12:00:00Z'))[1]?.since).toBe(
      Date.parse('2026-03-29T22:00:00Z'),
    )
  })

  it('are in order of time, and the last has all that is left', () => {
    const starts = timeGroups('Pacific/Auckland', Date.parse('2026-03-05T15:00:00Z')).map(({ since }) => since ?? 0)
    expect(starts).toEqual(starts.toSorted((a, b) => b - a))
    expect(starts.at(-1)).toBe(0)
  })
})
