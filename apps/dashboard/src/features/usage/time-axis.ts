/** Puts sums by day on an axis without gaps, in days, weeks or months, as many as a chart can show. */
import { DAY_MS, addTotals, emptyTotals, periodKey } from '@cairn/core'
import type { UsagePeriod, UsageRow, UsageTotals } from '@cairn/core'

/** The key of requests whose time nobody knows. */
const WITHOUT_TIME = 'unknown'

/** Up to how many days each step is used. */
const LONGEST_IN_DAYS = 92
const LONGEST_IN_WEEKS = 731
/** A broken transcript may name the year 9999; past this only months that have usage are shown. */
const LONGEST_WITHOUT_GAPS = 40 * 366

export interface AxisPoint {
  readonly key: string
  /** The step's first day on the axis, days since 1970-01-01. */
  readonly day: number
  readonly totals: UsageTotals
}

export interface TimeAxis {
  readonly step: UsagePeriod
  readonly points: readonly AxisPoint[]
  /** Usage that has no place on the axis. */
  readonly withoutTime: UsageTotals
}

const dayOfKey = (key: string): number => Math.floor(Date.parse(`${key}T00:00:00Z`) / DAY_MS)

const stepFor = (days: number): UsagePeriod => (days <= LONGEST_IN_DAYS ? 'day' : days <= LONGEST_IN_WEEKS ? 'week' : 'month')

/**
 * @param rows a report by day
 * @param firstDay where the axis begins; undefined: with the first row
 * @param today where it ends, unless a row is later
 */
export const timeAxis = (rows: readonly UsageRow[], firstDay: number | undefined, today: number): TimeAxis => {
  let withoutTime = emptyTotals
  const days: { readonly day: number; readonly totals: UsageTotals }[] = []
  for (const row of rows) {
    if (row.key === WITHOUT_TIME) withoutTime = addTotals(withoutTime, row)
    else days.push({ day: dayOfKey(row.key), totals: row })
  }
  const first = firstDay ?? days[0]?.day
  if (first === undefined) return { step: 'day', points: [], withoutTime }
  const last = Math.max(today, days.at(-1)?.day ?? today)
  const step = stepFor(last - first + 1)

  const points = new Map<string, AxisPoint>()
  if (last - first < LONGEST_WITHOUT_GAPS) {
    for (let day = first; day <= last; day += 1) {
      const key = periodKey(step, day)
      if (!points.has(key)) points.set(key, { key, day, totals: emptyTotals })
    }
  }
  for (const { day, totals } of days) {
    const key = periodKey(step, day)
    const point = points.get(key)
    points.set(key, { key, day: point?.day ?? day, totals: addTotals(point?.totals ?? emptyTotals, totals) })
  }
  return { step, points: [...points.values()], withoutTime }
}

const dateText = (day: number, options: Intl.DateTimeFormatOptions): string => new Date(day * DAY_MS).toLocaleDateString('en-US', { timeZone: 'UTC', ...options })

/** What stands below the axis: `Jan 26`, or `Jan 2026` for a month. */
export const shortLabel = (step: UsagePeriod, day: number): string => dateText(day, step === 'month' ? { month: 'short', year: 'numeric' } : { month: 'short', day: 'numeric' })

/** The step in full: `Monday, January 26, 2026`, `Week from January 26, 2026`, `January 2026`. */
export const longLabel = (step: UsagePeriod, day: number): string => {
  if (step === 'month') return dateText(day, { month: 'long', year: 'numeric' })
  const date = dateText(day, { month: 'long', day: 'numeric', year: 'numeric', ...(step === 'day' ? { weekday: 'long' } : {}) })
  return step === 'week' ? `Week from ${date}` : date
}
