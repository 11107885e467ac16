import { DAY_MS, addTotals, emptyTotals } from '@cairn/core'
import type { UsageRow, UsageTotals } from '@cairn/core'
import { longLabel, shortLabel, timeAxis } from './time-axis.ts'

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS
const row = (key: string, requests: number): UsageRow => ({ key, ...emptyTotals, requests, costNano: BigInt(requests) })

describe('a time axis', () => {
  it('has a step for each day of the period, those without usage too', () => {
    const { step, points } = timeAxis(
      [row('2026-02-27', 2), row('2026-03-01', 1)],
      dayOf('2026-02-26'),
      dayOf('2026-03-02'),
    )
    expect(step).toBe('day')
    expect(points.map(({ key, totals }) => [key, totals.requests])).toEqual([
      ['2026-02-26', 0],
      ['2026-02-27', 2],
      ['2026-02-28', 0],
      ['2026-03-01', 1],
      ['2026-03-02', 0],
    ])
  })

  it('begins with the first usage where the period has no beginning, and goes on past today for what is later', () => {
    const { points } = timeAxis([row('2026-03-01', 1), row('2026-03-04', 1)], undefined, dayOf('2026-03-02'))
    expect(points.map(({ key }) => key)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'])
  })

  it('changes to weeks and months as it grows, and loses no usage', () => {
    const rows = [row('2024-01-31', 1), row('2024-02-01', 2), row('2024-06-30', 4), row('unknown', 8)]
    const sum = (points: readonly { readonly totals: UsageTotals }[]): number =>
      points.reduce((all, { totals }) => addTotals(all, totals), emptyTotals).requests
    const weeks = timeAxis(rows, undefined, dayOf('2024-07-01'))
    expect([weeks.step, weeks.points.length, sum(weeks.points), weeks.withoutTime.requests]).toEqual(['week', 23, 7, 8])
    const months = timeAxis(rows, undefined, dayOf('2026-07-01'))
    expect([months.step, months.points.length, sum(months.points)]).toEqual(['month', 31, 7])
    expect(months.points[0]).toMatchObject({ key: '2024-01', totals: { requests: 1 } })
  })

  it('does not draw eight thousand years for a broken date', () => {
    const { points } = timeAxis([row('2026-03-01', 1), row('9999-12-31', 1)], undefined, dayOf('2026-03-02'))
    expect(points.map(({ key, isAfterGap }) => [key, isAfterGap])).toEqual([
      ['2026-03-01', false],
      ['2026-03-02', false],
      ['9999-12-31', true],
    ])
    expect(shortLabel('day', points.at(-1)?.day ?? 0, true)).toBe('Dec 9999')
  })

  it('marks gaps, in the past too, and loses no usage', () => {
    const rows = [row('1970-01-01', 1), row('2026-03-01', 2), row('2031-05-05', 4)]
    const { step, points } = timeAxis(rows, undefined, dayOf('2026-04-02'))
    expect([step, points.length, points.filter(({ isAfterGap }) => isAfterGap).map(({ key }) => key)]).toEqual([
      'day',
      35,
      ['2026-03-01', '2031-05-05'],
    ])
    expect(points.reduce((sum, { totals }) => sum + totals.requests, 0)).toBe(7)
    const many = Array.from({ length: 900 }, (_, index) =>
      row(`${String(1971 + index * 9).padStart(4, '0')}-06-01`, 1),
    ).filter(({ key }) => key.length === 10)
    const long = timeAxis(many, undefined, dayOf('2026-04-02'))
    expect(long.points.length).toBeLessThanOrEqual(many.length + 1)
    expect(long.points.reduce((sum, { totals }) => sum + totals.requests, 0)).toBe(many.length)
  })

  it('of no usage is empty', () => {
    expect(timeAxis([], undefined, dayOf('2026-03-02')).points).toEqual([])
  })

  it('names its steps', () => {
    expect([shortLabel('day', dayOf('2026-01-26')), longLabel('day', dayOf('2026-01-26'))]).toEqual([
      'Jan 26',
      'Monday, January 26, 2026',
    ])
    expect([shortLabel('week', dayOf('2026-01-26')), longLabel('week', dayOf('2026-01-26'))]).toEqual([
      'Jan 26 ’26',
      'Week from January 26, 2026',
    ])
    expect([shortLabel('month', dayOf('2026-01-01')), longLabel('month', dayOf('2026-01-01'))]).toEqual([
      'Jan 2026',
      'January 2026',
    ])
  })
})
