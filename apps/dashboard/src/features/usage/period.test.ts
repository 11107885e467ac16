import { spanOf } from './period.ts'
import { isDay, readSelection, writeSelection } from './selection.ts'
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
    expect(spanOf({ period: '7d', from: undefined, to: '2026-02-01' }, 'UTC', now)).toMatchObject({ since: undefined, until: Date.parse('2026-02-02T00:00:00Z') })
  })

  it('refuses a zone that nobody knows', () => {
    expect(() => spanOf(preset('all'), 'Mars/Olympus', 0)).toThrow('no time zone')
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
    for (const selection of selections) expect(readSelection(new URLSearchParams(writeSelection(selection)))).toEqual(selection)
  })

  it('is the default where the address says nothing or nonsense', () => {
    expect(readSelection(new URLSearchParams('period=9y&zone=../../x&from=2026-02-30&to=x&model='))).toEqual(nothing)
    expect(writeSelection(readSelection(new URLSearchParams()))).toBe('')
  })

  it('knows the calendar', () => {
    expect(['2024-02-29', '2026-02-29', '2026-13-01', '26-01-01', '2026-01-01x'].map(isDay)).toEqual([true, false, false, false, false])
  })
})
