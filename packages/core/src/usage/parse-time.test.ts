import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import { parseTime } from './parse-time.ts'

const NOW = Date.UTC(2026, 0, 31, 22, 30)
const iso = (text: string, zone = 'UTC', edge: 'since' | 'until' = 'since'): string =>
  new Date(parseTime(text, zone, edge, NOW)).toISOString()

describe('parseTime', () => {
  it('reads a date as the whole local day', () => {
    expect(iso('2026-01-31', 'Europe/Berlin')).toBe('2026-01-30T23:00:00.000Z')
    expect(iso('2026-01-31', 'Europe/Berlin', 'until')).toBe('2026-01-31T23:00:00.000Z')
    expect(iso('2026-03-29', 'Europe/Berlin', 'until')).toBe('2026-03-29T22:00:00.000Z')
    expect(iso('2026-06-01', 'Asia/Kathmandu')).toBe('2026-05-31T18:15:00.000Z')
  })

  it('reads today and yesterday in the zone', () => {
    expect(iso('today')).toBe('2026-01-31T00:00:00.000Z')
    expect(iso('today', 'Asia/Tokyo')).toBe('2026-01-31T15:00:00.000Z')
    expect(iso('Yesterday', 'UTC', 'until')).toBe('2026-01-31T00:00:00.000Z')
  })

  it('counts back from now', () => {
    expect(iso('7d')).toBe('2026-01-24T22:30:00.000Z')
    expect(iso('24h')).toBe('2026-01-30T22:30:00.000Z')
    expect(iso('30m')).toBe('2026-01-31T22:00:00.000Z')
    expect(iso('2w')).toBe('2026-01-17T22:30:00.000Z')
    expect(iso('now')).toBe('2026-01-31T22:30:00.000Z')
  })

  it('reads instants with and without a zone', () => {
    expect(iso('2026-01-31T10:00:00.123Z')).toBe('2026-01-31T10:00:00.123Z')
    expect(iso('2026-01-31T10:00+05:30')).toBe('2026-01-31T04:30:00.000Z')
    expect(iso('2026-01-31 10:00', 'America/New_York')).toBe('2026-01-31T15:00:00.000Z')
    // 02:30 does not exist on the day that summer time begins.
    expect(iso('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z')
    // 02:30 exists twice on the day that it ends: the first is meant.
    expect(iso('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z')
  })

  it.each(['', 'soon', '2026-02-30', '2026-1-5', '2026-13-01', '2026-01-31T25:00Z', '7y', '-3d', '1e3', '20260131'])(
    'refuses %j in one sentence',
    (text) => {
      try {
        parseTime(text, 'UTC', 'since', NOW)
        throw new Error('accepted')
      } catch (error) {
        expect(CairnError.is(error) && error.code).toBe('usage')
        expect(error).toMatchObject({ message: expect.stringContaining(`'${text}' is not a time`) })
      }
    },
  )

  it('refuses an unknown zone', () => {
    expect(() => parseTime('2026-01-01', 'Nowhere', 'since', NOW)).toThrow(/time zone/)
  })
})
