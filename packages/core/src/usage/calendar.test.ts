import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CairnError } from '../errors.ts'
import {
  BUCKET_MS,
  DAY_MS,
  assertTimeZone,
  bucketOf,
  dayKey,
  localDayWithin,
  offsetAt,
  periodKey,
  startOfLocalDay,
  zoneOffsets,
} from './calendar.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Australia/Eucla',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Antarctica/Troll',
] as const

/** What Intl itself calls the local date: the independent witness of these tests. */
const intlDate = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms)

const zone = fc.constantFrom(...ZONES)
// From 2012 on: until 2011, Newfoundland changed its clocks at 00:01.
const instant = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2034, 0, 1) })

describe('zoneOffsets', () => {
  it('agrees with Intl on the local day of any bucket in any zone', () => {
    fc.assert(
      fc.property(
        zone,
        instant,
        fc.integer({ min: 0, max: 500 * DAY_MS }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }),
        (timeZone, from, span, shares) => {
          const intervals = zoneOffsets(timeZone, from, from + span)
          for (const share of shares) {
            const ms = Math.floor(from + share * span)
            const bucketStart = bucketOf(ms) * BUCKET_MS
            expect(dayKey(localDayWithin(intervals, ms))).toBe(intlDate(timeZone, ms))
            if (bucketStart >= from) expect(localDayWithin(intervals, bucketStart)).toBe(localDayWithin(intervals, ms))
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('finds each change to the millisecond', () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, from) => {
        const [, ...changes] = zoneOffsets(timeZone, from, from + 800 * DAY_MS)
        for (const change of changes) {
          expect(offsetAt(timeZone, change.from)).toBe(change.offsetMs)
          expect(offsetAt(timeZone, change.from - 1)).not.toBe(change.offsetMs)
        }
      }),
      { numRuns: 100 },
    )
  })

  it("returns Berlin's changes of 2026", () => {
    expect(zoneOffsets('Europe/Berlin', Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1))).toEqual([
      { from: Date.UTC(2026, 0, 1), offsetMs: 3_600_000 },
      { from: Date.UTC(2026, 2, 29, 1), offsetMs: 7_200_000 },
      { from: Date.UTC(2026, 9, 25, 1), offsetMs: 3_600_000 },
    ])
  })

  it('handles half an hour of summer time, offsets of 45 minutes and a skipped day', () => {
    expect(
      zoneOffsets('Australia/Lord_Howe', Date.UTC(2026, 0, 1), Date.UTC(2026, 5, 1)).map(
        (entry) => entry.offsetMs / 60_000,
      ),
    ).toEqual([660, 630])
    expect(offsetAt('Asia/Kathmandu', 0) / 60_000).toBe(330)
    expect(offsetAt('Asia/Kathmandu', Date.UTC(2026, 0, 1)) / 60_000).toBe(345)
    expect(
      zoneOffsets('Pacific/Apia', Date.UTC(2011, 11, 1), Date.UTC(2012, 0, 15)).map(
        (entry) => entry.offsetMs / 3_600_000,
      ),
    ).toEqual([-10, 14])
  })

  it('handles an empty range, and does not scan an unlimited one', () => {
    expect(zoneOffsets('Europe/Berlin', 5, 5)).toEqual([{ from: 5, offsetMs: 3_600_000 }])
    expect(zoneOffsets('UTC', 0, 8.64e15)).toEqual([{ from: 0, offsetMs: 0 }])
  })

  it('refuses an unknown zone in one sentence', () => {
    // Offsets that would cut through a quarter of an hour.
    for (const zone of ['+05:37', '-00:01'])
      expect(() => {
        assertTimeZone(zone)
      }).toThrow(/quarters of an hour/)
    for (const zone of ['+05:45', '-03:30', 'Asia/Kathmandu']) assertTimeZone(zone)
    expect(() => assertTimeZone('Mars/Olympus')).toThrow(/no time zone named 'Mars\/Olympus'/)
    try {
      assertTimeZone('')
      throw new Error('accepted')
    } catch (error) {
      expect(CairnError.is(error) && error.code).toBe('usage')
    }
  })
})

describe('startOfLocalDay', () => {
  it('is the first instant of the day according to Intl', () => {
    fc.assert(
      fc.property(zone, fc.integer({ min: 15_400, max: 23_000 }), (timeZone, day) => {
        const start = startOfLocalDay(timeZone, day)
        expect(intlDate(timeZone, start) >= dayKey(day)).toBe(true)
        expect(intlDate(timeZone, start - 1) < dayKey(day)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('gives a skipped day zero length', () => {
    const skipped = Date.UTC(2011, 11, 30) / DAY_MS
    expect(startOfLocalDay('Pacific/Apia', skipped)).toBe(startOfLocalDay('Pacific/Apia', skipped + 1))
    expect(intlDate('Pacific/Apia', startOfLocalDay('Pacific/Apia', skipped))).toBe('2011-12-31')
  })

  it('is after midnight where summer time skips midnight', () => {
    const day = Date.UTC(2017, 9, 15) / DAY_MS
    expect(startOfLocalDay('America/Sao_Paulo', day)).toBe(Date.UTC(2017, 9, 15, 3))
  })
})

describe('periodKey', () => {
  it.each([
    ['2026-01-31', '2026-W05', '2026-01'],
    ['2024-12-30', '2025-W01', '2024-12'],
    ['2021-01-03', '2020-W53', '2021-01'],
    ['2021-01-04', '2021-W01', '2021-01'],
    ['1969-12-28', '1969-W52', '1969-12'],
    ['1969-12-29', '1970-W01', '1969-12'],
    ['2016-01-01', '2015-W53', '2016-01'],
  ])('%s is in %s and %s', (day, week, month) => {
    const number = Date.parse(day) / DAY_MS
    expect([periodKey('day', number), periodKey('week', number), periodKey('month', number)]).toEqual([
      day,
      week,
      month,
    ])
  })

  it('starts weeks on Monday, and keys sort by time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), (day) => {
        const monday = new Date(day * DAY_MS).getUTCDay() === 1
        expect(periodKey('week', day) !== periodKey('week', day - 1)).toBe(monday)
        expect(periodKey('week', day) >= periodKey('week', day - 1)).toBe(true)
      }),
    )
  })
})

describe('bucketOf', () => {
  it('groups by 15 minutes, and keeps unknown times apart', () => {
    expect([bucketOf(0), bucketOf(899_999), bucketOf(900_000), bucketOf(null), bucketOf(-5)]).toEqual([0, 0, 1, -1, -1])
  })
})
