/** Forecasts, budgets and what stands out, from the costs of days and sessions. All pure. */
import { nanoFromUsd, type NanoUsd } from '../money.ts'
import type { Budget, Forecast, UnusualDay } from './spending.ts'

/** A day with requests, by its number (days since 1970-01-01). */
export interface DayCost {
  readonly day: number
  readonly costNano: NanoUsd
}

/** A forecast looks at so many days at most. */
export const FORECAST_DAYS = 90
/** From so many days with requests on, a forecast tells something. */
const LEAST_FORECAST_DAYS = 5
/** Standard deviations within which four of five values lie. */
const BAND = 1.2816

/**
 * The month's forecast; its figures are null from fewer than `LEAST_FORECAST_DAYS` active days. Days without requests count, from the first day that had some.
 * @param days with requests, rising, at most today
 * @param today its number; it is not over, so that it is in what was spent and not in the mean
 * @param month its name, its first day, and the first day of the next
 */
export const forecastOf = (
  days: readonly DayCost[],
  today: number,
  month: { readonly name: string; readonly first: number; readonly next: number },
): Forecast => {
  const spentNano = days.reduce((sum, { day, costNano }) => (day >= month.first ? sum + costNano : sum), 0n)
  const over = days.filter(({ day }) => day < today && day >= today - FORECAST_DAYS)
  // On the first day ever there is nothing but that day.
  const known = over.length === 0 ? days.filter(({ day }) => day === today) : over
  const soFar = { month: month.name, spentNano, daysLeft: month.next - 1 - today, activeDays: known.length }
  return { ...soFar, ...outlookOf(known, today, soFar) }
}

/**
 * What the month will have cost at its end if the days left are like those since the first of `known`; these rise and
 * are before `today`. `perDayNano` is the mean of a day, also of those without requests; the other figures include what
 * is spent. All are null from fewer than `LEAST_FORECAST_DAYS` days.
 */
const outlookOf = (
  known: readonly DayCost[],
  today: number,
  { spentNano, daysLeft }: Pick<Forecast, 'spentNano' | 'daysLeft'>,
) => {
  const [first] = known
  if (first === undefined || known.length < LEAST_FORECAST_DAYS)
    return { isUncertain: true, perDayNano: null, totalNano: null, lowNano: null, highNano: null } as const
  const count = today - first.day
  const costs = known.map(({ costNano }) => Number(costNano))
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / count
  const squares = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0) + (count - costs.length) * mean ** 2
  const deviation = Math.sqrt(squares / count)
  const rest = mean * daysLeft
  const band = BAND * deviation * Math.sqrt(daysLeft)
  return {
    isUncertain: false,
    perDayNano: nano(mean),
    totalNano: spentNano + nano(rest),
    lowNano: spentNano + nano(Math.max(0, rest - band)),
    highNano: spentNano + nano(rest + band),
  } as const
}

const nano = (value: number): NanoUsd => BigInt(Math.round(value))

/**
 * How a month's spending stands to a limit in USD: `exceeded` when more is spent, `warning` when only the forecast is
 * above it; without one it is `ok` until more is spent. Exactly the limit is within it.
 */
export const budgetOf = ({ spentNano, totalNano }: Forecast, limitUsd: number): Budget => {
  const limitNano = nanoFromUsd(limitUsd)
  return {
    limitNano,
    state: spentNano > limitNano ? 'exceeded' : totalNano !== null && totalNano > limitNano ? 'warning' : 'ok',
  }
}

/** Active days that a day is compared with. */
const DAYS_BEFORE = 14
const DAY_FACTOR = 3n
/** Fewer tell nothing of what is usual. */
const LEAST_DAYS = 5

/**
 * The days from `from` on (a day's number) that cost more than three times the median of the 14 active days before
 * them, and more than each of these; newest first. A day with fewer than five before it is never unusual.
 * @param days with requests, rising
 * @param nameOf the name of a day by its number
 */
export const unusualDays = (
  days: readonly DayCost[],
  from: number,
  nameOf: (day: number) => string,
): readonly UnusualDay[] =>
  days
    .flatMap(({ day, costNano }, index): readonly UnusualDay[] => {
      const before = days.slice(Math.max(0, index - DAYS_BEFORE), index).map((one) => one.costNano)
      if (day < from || before.length < LEAST_DAYS) return []
      const medianNano = medianOf(before)
      const isUnusual = costNano > DAY_FACTOR * medianNano && before.every((cost) => costNano > cost)
      return isUnusual ? [{ day: nameOf(day), costNano, medianNano }] : []
    })
    .toReversed()

/** The middle of some amounts, the mean of both where there are two; 0 of none. */
export const medianOf = (amounts: readonly NanoUsd[]): NanoUsd => {
  const sorted = amounts.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0))
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0n
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0n) + upper) / 2n
}
