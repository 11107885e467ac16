import { isTimeZone } from './selection.ts'
import { zoneName, zoneNames, zoneOf } from './time-zones.ts'

describe('time zones', () => {
  it('have their current names, each once, and all are known to Intl', () => {
    const names = zoneNames()
    expect(names).toEqual(
      expect.arrayContaining(['UTC', 'Asia/Kathmandu', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk']),
    )
    for (const old of ['Asia/Katmandu', 'Asia/Calcutta', 'Europe/Kiev', 'America/Godthab'])
      expect(names).not.toContain(old)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !isTimeZone(name))).toEqual([])
    expect([zoneName('Asia/Katmandu'), zoneName('Europe/Berlin')]).toEqual(['Asia/Kathmandu', 'Europe/Berlin'])
  })

  it('are the same zones as by their old names', () => {
    const offset = (timeZone: string): string =>
      new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(0)
    for (const old of Intl.supportedValuesOf('timeZone'))
      expect([old, offset(zoneName(old))]).toEqual([old, offset(old)])
  })

  it('are found by what people type', () => {
    const names = zoneNames()
    expect([zoneOf('europe/berlin', names), zoneOf(' new york ', names), zoneOf('Kathmandu', names)]).toEqual([
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
    ])
    expect([zoneOf('', names), zoneOf('Olympus Mons', names), zoneOf('Europe', names)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
