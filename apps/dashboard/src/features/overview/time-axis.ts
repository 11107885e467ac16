/** Puts sums by day on an axis in days, weeks or months, as many as a chart can show. Long times without usage are left out, and marked. */
import { DAY_MS, addTotals, emptyTotals, periodKey } from '@cairn/core'
import type { UsagePeriod, UsageRow, UsageTotals } from '@cairn/core'

/** The key of requests without a recorded time. */
const WITHOUT_TIME = 'unknown'

/** Up to how many days each step is used. */
const LONGEST_IN_DAYS = 92
const LONGEST_IN_WEEKS = 731
/** A longer time without usage is left out; after today, where only a wrong clock leads, a shorter one is. */
const LONGEST_GAP = 3_660
const LONGEST_GAP_AHEAD = 31
/** Past this only steps that have usage are shown. */
const LONGEST_WITHOUT_GAPS = 40 * 366

/** A step of the axis. */
export interface AxisPoint {
  readonly key: string
  /** The step's first day on the axis, days since 1970-01-01. */
  readonly day: number
  /** Its last day on the axis. */
  readonly lastDay: number
  readonly totals: UsageTotals
  /** Time is left out before it. */
  readonly isAfterGap: boolean
}

/** Usage along a time axis. */
export interface TimeAxis {
  readonly step: UsagePeriod
  readonly points: readonly AxisPoint[]
  /** Usage that has no place on the axis. */
  readonly withoutTime: UsageTotals
}

/** A run of days without a long gap, both ends included. */
interface Stretch {
  readonly first: number
  last: number
}

/** Returns the day number (since 1970-01-01) of a key such as `2026-01-31`. */
const dayOfKey = (key: string): number => Math.floor(Date.parse(`${key}T00:00:00Z`) / DAY_MS)

/** Returns the step of a chart of so many days: the fewer days, the shorter. */
const stepFor = (days: number): UsagePeriod =>
  days <= LONGEST_IN_DAYS ? 'day' : days <= LONGEST_IN_WEEKS ? 'week' : 'month'

/**
 * Returns the days as stretches without long gaps; with `isDense`, without any day that has no usage. Days are in
 * rising order; those ahead of today are gaps sooner.
 */
const stretchesOf = (days: readonly number[], today: number, isDense: boolean): readonly Stretch[] => {
  const stretches: Stretch[] = []
  for (const day of days) {
    const current = stretches.at(-1)
    const most = isDense ? 1 : day > today ? LONGEST_GAP_AHEAD : LONGEST_GAP
    if (current !== undefined && day - current.last <= most) current.last = day
    else stretches.push({ first: day, last: day })
  }
  return stretches
}

/** Returns how many days stretches have together. */
const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((days, { first, last }) => days + last - first + 1, 0)

/**
 * The usage by day as the points of a chart: by day, week or month, by how long it is. Empty days have a point, except
 * in gaps of more than 10 years, or of more than 31 days after `today`; none on an axis over 40 years. Requests without
 * a time are summed apart. No points only if no row has a day and `firstDay` is undefined. Days count since the epoch.
 * @param rows a report by day
 * @param firstDay where the axis begins, unless a row is earlier; undefined: with the first row
 * @param today where it ends, unless a row or `firstDay` is later
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
  const edges = [...new Set([first, ...(first <= today ? [today] : []), ...days.map(({ day }) => day)])].sort(
    (left, right) => left - right,
  )
  const whole = stretchesOf(edges, today, false)
  const stretches = lengthOf(whole) <= LONGEST_WITHOUT_GAPS ? whole : stretchesOf(edges, today, true)
  const step = stepFor(lengthOf(stretches))

  const points = new Map<string, AxisPoint>()
  for (const [index, stretch] of stretches.entries()) {
    for (let day = stretch.first; day <= stretch.last; day += 1) {
      const key = periodKey(step, day)
      const point = points.get(key)
      points.set(
        key,
        point === undefined
          ? { key, day, lastDay: day, totals: emptyTotals, isAfterGap: index > 0 && day === stretch.first }
          : { ...point, lastDay: day },
      )
    }
  }
  for (const { day, totals } of days) {
    const key = periodKey(step, day)
    const point = points.get(key)
    if (point !== undefined) points.set(key, { ...point, totals: addTotals(point.totals, totals) })
  }
  return { step, points: [...points.values()], withoutTime }
}

/** Returns a day, counted since the epoch, as text. */
const dateText = (day: number, options: Intl.DateTimeFormatOptions): string =>
  new Date(day * DAY_MS).toLocaleDateString('en-US', { timeZone: 'UTC', ...options })

/**
 * Returns the label below the axis: `Jan 26`, `Jan 26 ’26` for a week (they may span two years), or `Jan 2026` for a
 * month and after a gap.
 */
export const shortLabel = (step: UsagePeriod, day: number, isAfterGap = false): string => {
  if (step === 'month' || isAfterGap) return dateText(day, { month: 'short', year: 'numeric' })
  const date = dateText(day, { month: 'short', day: 'numeric' })
  return step === 'week' ? `${date} ’${dateText(day, { year: '2-digit' })}` : date
}

/** Returns a step in full: `Monday, January 26, 2026`, `Week from January 26, 2026`, `January 2026`. */
export const longLabel = (step: UsagePeriod, day: number): string => {
  if (step === 'month') return dateText(day, { month: 'long', year: 'numeric' })
  const date = dateText(day, {
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    ...(step === 'day' ? { weekday: 'long' } : {}),
  })
  return step === 'week' ? `Week from ${date}` : date
}

/**
 * Returns a range of days, counted since the epoch and both included: `Oct 23 – Nov 21, 2026`; a single date if both
 * are the same.
 */
export const daysText = (first: number, last: number): string => {
  const whole = { month: 'short', day: 'numeric', year: 'numeric' } as const
  if (first === last) return dateText(last, whole)
  const isOneYear = dateText(first, { year: 'numeric' }) === dateText(last, { year: 'numeric' })
  return `${dateText(first, isOneYear ? { month: 'short', day: 'numeric' } : whole)} – ${dateText(last, whole)}`
}
