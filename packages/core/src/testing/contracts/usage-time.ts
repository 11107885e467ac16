/** Contract of UsageStorage, second part: days of any zone, and ranges exact to the millisecond. */
import type { Store } from '../../ports/store.ts'
import { CairnError } from '../../errors.ts'
import { facts, importBatch, reply, request } from './fixtures.ts'
import { rejectionOf, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const HOUR = 3_600_000

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Asia/Beirut',
]

/** Days on which some zone changes its clocks, skips midnight, or skips the day itself. */
const DAYS = [
  Date.UTC(2011, 11, 30, 10),
  Date.UTC(2017, 9, 15, 3),
  Date.UTC(2025, 11, 31, 23),
  Date.UTC(2026, 2, 8, 7),
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 3, 4, 15),
  Date.UTC(2026, 9, 25, 1),
]

const TIMES = DAYS.flatMap((day) =>
  [-24, -14.5, -6.25, -1, -0.25, 0, 0.25, 1, 5.75, 10.999, 13, 23.5].flatMap((hours) => [
    day + hours * HOUR - 1,
    day + hours * HOUR,
    day + hours * HOUR + 61_001,
  ]),
)

/** A session with a request at each time; the cost (nano-USD) of each is its index. */
const fillAt = (store: Store, times: readonly (number | null)[]) =>
  importBatch(store, '/a', {
    sessions: [
      {
        session: facts('s'),
        writes: times.map((at, index) => reply(`m${index}`, request(`c${index}`, { at, costNano: BigInt(index) }))),
      },
    ],
  })

/** The local date as the platform formats it: the witness. */
const localDate = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

/** The ISO week of a date (`2026-W05`). */
const isoWeek = (date: string): string => {
  const thursday = new Date(`${date}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const dayOfYear = (thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 86_400_000
  return `${thursday.getUTCFullYear()}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}

/** How often each key is there, sorted by key. */
const countBy = (keys: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runUsageTimeContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('periods', () => {
    it("begin by the zone's clock, also on days of clock changes", async (store) => {
      await fillAt(store, TIMES)
      for (const timeZone of ZONES) {
        const dates = TIMES.map((at) => localDate(timeZone, at))
        const rows = async (by: 'day' | 'week' | 'month') =>
          (await store.usage.report({ by, timeZone })).rows.map((row): [string, number] => [row.key, row.requests])
        expect([timeZone, await rows('day')]).toEqual([timeZone, countBy(dates)])
        expect([timeZone, await rows('week')]).toEqual([timeZone, countBy(dates.map(isoWeek))])
        expect([timeZone, await rows('month')]).toEqual([timeZone, countBy(dates.map((date) => date.slice(0, 7)))])
      }
    })

    it('are in UTC when no zone is given', async (store) => {
      await fillAt(store, [Date.UTC(2026, 0, 31, 23, 59), Date.UTC(2026, 1, 1)])
      expect((await store.usage.report({ by: 'day' })).rows.map((row) => row.key)).toEqual(['2026-01-31', '2026-02-01'])
    })

    it('refuse a zone that does not exist', async (store) => {
      await fillAt(store, [0])
      expect(CairnError.is(await rejectionOf(store.usage.report({ by: 'day', timeZone: 'Mars/Olympus' })))).toBe(true)
    })
  })

  describe('ranges', () => {
    it('cut to the millisecond, also within a quarter of an hour', async (store) => {
      const start = Date.UTC(2026, 1, 2, 9)
      const times = [0, 1, 450_000, 899_999, 900_000, 900_001, 1_799_999, 3_600_000].map((offset) => start + offset)
      await fillAt(store, times)
      const edges = [...times, ...times.map((time) => time + 1), start - 1, start + 10 * HOUR]
      for (const since of [undefined, ...edges]) {
        for (const until of [undefined, ...edges]) {
          const wanted = times.filter(
            (at) => (since === undefined || at >= since) && (until === undefined || at < until),
          )
          const query = {
            ...(since === undefined ? {} : { since }),
            ...(until === undefined ? {} : { until }),
          }
          const byDay = await store.usage.report({ by: 'day', ...query })
          expect([since, until, byDay.total.requests]).toEqual([since, until, wanted.length])
          expect(byDay.total.costNano).toBe(wanted.reduce((sum, at) => sum + BigInt(times.indexOf(at)), 0n))
        }
      }
      const query = { since: start + 1, until: start + 900_001 }
      for (const by of ['session', 'model', 'branch', 'week'] as const)
        expect((await store.usage.report({ by, ...query })).total.requests).toBe(4)
    })

    it('keep their groups and filters', async (store) => {
      const start = Date.UTC(2026, 1, 2, 9)
      const fact = (id: string, at: number, model: string) => reply(id, request(id, { at, model }))
      await importBatch(store, '/a', {
        sessions: [
          {
            session: facts('s'),
            writes: [
              fact('1', start, 'x'),
              fact('2', start + 5, 'x'),
              fact('3', start + 5, 'y'),
              fact('4', start + 9, 'x'),
            ],
          },
        ],
      })
      const { rows } = await store.usage.report({ by: 'model', since: start + 1, until: start + 9 })
      expect(rows.map((row) => [row.key, row.requests])).toEqual([
        ['x', 1],
        ['y', 1],
      ])
      expect((await store.usage.report({ by: 'day', since: start + 1, filter: { model: 'x' } })).total.requests).toBe(2)
    })

    it('leave out requests without a time', async (store) => {
      await fillAt(store, [null, 5000])
      expect((await store.usage.report({ by: 'day' })).rows.map((row) => row.key)).toEqual(['1970-01-01', 'unknown'])
      expect((await store.usage.report({ by: 'model', since: 0 })).total.requests).toBe(1)
      expect((await store.usage.report({ by: 'model', until: 9000 })).total.requests).toBe(1)
    })
  })
}
