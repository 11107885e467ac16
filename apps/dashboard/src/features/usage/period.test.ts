import { periodStart } from './period.ts'
import { readSelection, writeSelection } from './selection.ts'

describe('a period', () => {
  it('begins with a day of the zone, today being its last', () => {
    const now = Date.parse('2026-03-10T02:00:00Z')
    expect(periodStart('7d', 'UTC', now)?.at).toBe(Date.parse('2026-03-04T00:00:00Z'))
    // There it is still the 9th; and the clocks went forward on the 8th.
    expect(periodStart('7d', 'America/New_York', now)?.at).toBe(Date.parse('2026-03-03T05:00:00Z'))
    expect(periodStart('all', 'UTC', now)).toBeUndefined()
  })

  it('refuses a zone that nobody knows', () => {
    expect(() => periodStart('all', 'Mars/Olympus', 0)).toThrow('no time zone')
  })
})

describe('the selection in the address', () => {
  it('is read back as it was written', () => {
    for (const selection of [{ period: '7d', zone: 'Europe/Berlin' }, { period: '30d', zone: undefined }, { period: 'all', zone: 'UTC' }] as const) {
      expect(readSelection(new URLSearchParams(writeSelection(selection)))).toEqual(selection)
    }
  })

  it('is the default where the address says nothing or nonsense', () => {
    expect(readSelection(new URLSearchParams('period=1y&zone=../../x'))).toEqual({ period: '30d', zone: undefined })
    expect(writeSelection(readSelection(new URLSearchParams()))).toBe('')
  })
})
