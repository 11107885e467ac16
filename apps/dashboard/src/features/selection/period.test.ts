import { previousSpan, spanOf } from './period.ts'
import { daysWith, isDay, readSelection, writeSelection } from './selection.ts'
import type { Selection } from './selection.ts'

const preset = (period: Selection['period']) => ({ period, from: undefined, to: undefined })

describe('a period', () => {
  it('begins with a day of the zone, today being its last', () => {
    const now = Date.parse('2026-03-10T02:00:00Z')
    expect(spanOf(preset('7d'), 'UTC', now).since).toBe(Date.parse('2026-03-04T00:00:00Z'))
    // There it is still the 9th; and the clocks went forward on the 8th.
    expect(spanOf(preset('7d'), 'America/New_York', now).since).toBe(Date.parse('2026-03-03T05:00:00Z'))
    expect(spanOf(preset('all'), 'UTC', now)).toMatchObject({ since: undefined, until: undefined, firstDay: undefined })
  })

  it('between two days includes both, and its axis ends today', () => {
    const now = Date.parse('2026-03-10T12:00:00Z')
    const march = spanOf({ period: '7d', from: '2026-03-01', to: '2026-03-31' }, 'Asia/Tokyo', now)
    expect([march.since, march.until]).toEqual([Date.parse('2026-02-28T15:00:00Z'), Date.parse('2026-03-31T15:00:00Z')])
    expect(march.lastDay).toBe(Date.parse('2026-03-10T00:00:00Z') / 86_400_000)
    expect(spanOf({ period: '7d', from: undefined, to: '2026-02-01' }, 'UTC', now)).toMatchObject({
      since: undefined,
      until: Date.parse('2026-02-02T00:00:00Z'),
    })
  })

  it('accepts today and yesterday, and ends at its end day', () => {
    const now = Date.parse('2026-03-10T02:00:00Z')
    const span = (period: Selection['period']) => spanOf(preset(period), 'America/New_York', now)
    expect([span('today').since, span('today').until]).toEqual([
      Date.parse('2026-03-09T04:00:00Z'),
      Date.parse('2026-03-10T04:00:00Z'),
    ])
    // The clocks went forward that day: it had 23 hours.
    const sunday = spanOf(preset('yesterday'), 'America/New_York', now)
    expect([sunday.since, sunday.until]).toEqual([
      Date.parse('2026-03-08T05:00:00Z'),
      Date.parse('2026-03-09T04:00:00Z'),
    ])
    for (const period of ['7d', '30d', '90d', '1y'] as const)
      expect(span(period).until).toBe(Date.parse('2026-03-10T04:00:00Z'))
    // From a day on means until now; from a day to come, what is there.
    expect(spanOf({ period: '7d', from: '2026-03-01', to: undefined }, 'UTC', now).until).toBe(
      Date.parse('2026-03-11T00:00:00Z'),
    )
    expect(spanOf({ period: '7d', from: '2026-04-01', to: undefined }, 'UTC', now).until).toBeUndefined()
  })

  it('is a calendar month: this one until today, and the whole one before', () => {
    const days = (period: Selection['period'], now: string, timeZone = 'UTC') => {
      const { firstDay = NaN, lastDay } = spanOf(preset(period), timeZone, Date.parse(now))
      return [firstDay, lastDay].map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
    }
    expect(days('month', '2026-03-10T02:00:00Z')).toEqual(['2026-03-01', '2026-03-10'])
    expect(days('last-month', '2026-03-10T02:00:00Z')).toEqual(['2026-02-01', '2026-02-28'])
    expect(days('last-month', '2026-01-31T02:00:00Z')).toEqual(['2025-12-01', '2025-12-31'])
    // There it is still February.
    expect(days('month', '2026-03-01T02:00:00Z', 'America/New_York')).toEqual(['2026-02-01', '2026-02-28'])
  })

  it('is compared with as many days before, up to the same time of day', () => {
    const now = Date.parse('2026-05-10T14:00:00Z')
    const before = (selection: Partial<Selection>) =>
      previousSpan(spanOf({ ...preset('7d'), ...selection }, 'UTC', now), 'UTC', now)
    expect(before({})).toEqual({
      since: Date.parse('2026-04-27T00:00:00Z'),
      until: Date.parse('2026-05-03T14:00:00Z'),
      days: 7,
      isCut: true,
    })
    expect(before({ period: 'yesterday' })).toEqual({
      since: Date.parse('2026-05-08T00:00:00Z'),
      until: Date.parse('2026-05-09T00:00:00Z'),
      days: 1,
      isCut: false,
    })
    expect(before({ from: '2026-05-01', to: '2026-05-04' })).toMatchObject({
      since: Date.parse('2026-04-27T00:00:00Z'),
      until: Date.parse('2026-05-01T00:00:00Z'),
      days: 4,
    })
    expect([before({ period: 'all' }), before({ to: '2026-05-01' }), before({ from: '2027-01-01' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('refuses an unknown zone', () => {
    expect(() => spanOf(preset('all'), 'Mars/Olympus', 0)).toThrow('no time zone')
  })
})

describe('daysWith', () => {
  const days = { from: '2026-01-30', to: '2026-02-28' }

  it('changes the day that was chosen', () => {
    expect(daysWith(days, { from: '2026-02-01' })).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(daysWith(days, { to: '2026-01-30' })).toEqual({ from: '2026-01-30', to: '2026-01-30' })
    expect(daysWith(days, { from: undefined })).toEqual({ from: undefined, to: '2026-02-28' })
    expect(daysWith({ from: undefined, to: undefined }, { to: '2026-01-30' })).toEqual({
      from: undefined,
      to: '2026-01-30',
    })
  })

  it('moves the other along where it would come before the first, or after the last', () => {
    expect(daysWith(days, { from: '2026-05-30' })).toEqual({ from: '2026-05-30', to: '2026-06-28' })
    expect(daysWith(days, { to: '2025-12-31' })).toEqual({ from: '2025-12-02', to: '2025-12-31' })
    expect(daysWith({ from: undefined, to: '2026-01-05' }, { from: '2026-01-09' })).toEqual({
      from: '2026-01-09',
      to: '2026-01-09',
    })
    expect(daysWith({ from: '1970-01-01', to: '1970-03-01' }, { to: '1969-12-31' })).toEqual({
      from: '1969-12-31',
      to: '1969-12-31',
    })
  })
})

describe('the selection in the address', () => {
  const nothing: Selection = { period: '30d', from: undefined, to: undefined, zone: undefined, filter: {} }

  it('is read back as it was written', () => {
    const selections: Selection[] = [
      { ...nothing, period: '7d', zone: 'Europe/Berlin' },
      nothing,
      { ...nothing, period: 'all', zone: 'UTC', filter: { project: '/a b/&c', model: 'x' } },
      { ...nothing, from: '2026-01-31', to: '2026-02-28' },
    ]
    for (const selection of selections)
      expect(readSelection(new URLSearchParams(writeSelection(selection)))).toEqual(selection)
  })

  it('is the default where the address says nothing or nonsense', () => {
    expect(readSelection(new URLSearchParams('period=9y&zone=../../x&from=2026-02-30&to=x&model='))).toEqual(nothing)
    expect(writeSelection(readSelection(new URLSearchParams()))).toBe('')
  })

  it('accepts only days of the calendar', () => {
    expect(['2024-02-29', '2026-02-29', '2026-13-01', '26-01-01', '2026-01-01x', '0002-03-08'].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
