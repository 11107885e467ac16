/** What the page is asked to show, as its address has it: `?period=7d&zone=Europe/Berlin&model=gpt-5`. */

/** The spans of time that are offered: of the calendar, then numbers of days until today, shortest first. */
export const PERIODS = ['today', 'yesterday', 'month', 'last-month', '7d', '30d', '90d', '1y', 'all'] as const
/** One of {@link PERIODS}. */
export type Period = (typeof PERIODS)[number]

/** By what usage can be narrowed down. */
export const FILTERS = ['project', 'model', 'agent', 'branch'] as const
/** One of {@link FILTERS}. */
export type FilterName = (typeof FILTERS)[number]
/** Values to narrow usage down to, by filter. */
export type Filter = Readonly<Partial<Record<FilterName, string>>>

/** What a page shows: a period or days, a time zone, and filters. */
export interface Selection {
  /** Counts where neither `from` nor `to` is given. */
  readonly period: Period
  /** First and last day, `2026-01-31`; both included. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** IANA name; undefined: the browser's. */
  readonly zone: string | undefined
  readonly filter: Filter
}

/** The period of an address that names none. */
export const DEFAULT_PERIOD: Period = '30d'
/** Before these there was no request to count. */
const FIRST_YEAR = 1970
/** Longer than any name, shorter than what would burden a server. */
export const LONGEST_FILTER = 4_096

const OFFSET = /^[+-]/
/** The store's days begin with a quarter of an hour. */
const QUARTER_OFFSET = /^[+-]\d{2}:(00|15|30|45)$/

/** Whether the runtime knows a zone of this name; false for an offset that is not in quarters of an hour. */
export const isTimeZone = (name: string): boolean => {
  if (OFFSET.test(name) && !QUARTER_OFFSET.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Whether a text is a day of the calendar: `2026-02-28`, not `2026-02-30`; false for years before `FIRST_YEAR`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  Number(text.slice(0, 4)) >= FIRST_YEAR &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

type Parameters = Pick<URLSearchParams, 'get'>

/** Returns a day of an address as it stands; undefined if there is none. */
const givenDay = (parameters: Parameters, name: 'from' | 'to'): string | undefined => {
  const text = parameters.get(name)
  return text === null || text === '' ? undefined : text
}

/** Returns what is wrong with the days of an address, in words; undefined if nothing is. */
const dayFault = (parameters: Parameters): string | undefined => {
  const [from, to] = [givenDay(parameters, 'from'), givenDay(parameters, 'to')]
  for (const day of [from, to]) if (day !== undefined && !isDay(day)) return `“${day}” is not a day`
  return from !== undefined && to !== undefined && from > to ? `${from} is after ${to}` : undefined
}

/** What is wrong with an address. */
export interface UrlProblems {
  /** What is wrong with the period, in words. */
  readonly period: string | undefined
  /** An unknown zone. */
  readonly zone: string | undefined
}

/**
 * Returns the unknown values of an address, each undefined if it is known or absent. `readSelection` uses the default
 * for them.
 */
export const urlProblems = (parameters: Parameters): UrlProblems => {
  const [period, zone] = [parameters.get('period') ?? '', parameters.get('zone') ?? '']
  const unknown = period === '' || PERIODS.some((known) => known === period) ? undefined : `there is no “${period}”`
  return { period: dayFault(parameters) ?? unknown, zone: zone === '' || isTimeZone(zone) ? undefined : zone }
}

/**
 * Returns what an address selects: period or days, zone, filters. What it leaves out or has wrong is the default;
 * `urlProblems` reports that. A fault in one of two days is one in both. An empty or too long filter is left out.
 */
export const readSelection = (parameters: Parameters): Selection => {
  const areDays = dayFault(parameters) === undefined
  const zone = parameters.get('zone')
  const filter: Partial<Record<FilterName, string>> = {}
  for (const name of FILTERS) {
    const value = parameters.get(name)
    if (value !== null && value !== '' && value.length <= LONGEST_FILTER) filter[name] = value
  }
  return {
    period: PERIODS.find((known) => known === parameters.get('period')) ?? DEFAULT_PERIOD,
    from: areDays ? givenDay(parameters, 'from') : undefined,
    to: areDays ? givenDay(parameters, 'to') : undefined,
    zone: zone !== null && zone !== '' && isTimeZone(zone) ? zone : undefined,
    filter,
  }
}

/**
 * The days of a selection after one of them was chosen. Where the first would come after the last, the other goes along, so
 * that there are as many days as before.
 */
export const daysWith = (
  { from, to }: Pick<Selection, 'from' | 'to'>,
  change: Partial<Pick<Selection, 'from' | 'to'>>,
): Pick<Selection, 'from' | 'to'> => {
  const chosen = { from, to, ...change }
  if (chosen.from === undefined || chosen.to === undefined || chosen.from <= chosen.to) return chosen
  const span = from === undefined || to === undefined ? 0 : Date.parse(to) - Date.parse(from)
  return 'from' in change
    ? { from: chosen.from, to: movedBy(chosen.from, span) }
    : { from: movedBy(chosen.to, -span), to: chosen.to }
}

/** The day that many ms later; those at the ends of the calendar stay. */
const movedBy = (day: string, ms: number): string => {
  const moved = new Date(Date.parse(day) + ms).toISOString().slice(0, 10)
  return isDay(moved) ? moved : day
}

/** The query of an address that shows this; '' for what is shown anyway. Days go before the period. */
export const writeSelection = ({ period, from, to, zone, filter }: Selection): string => {
  const parameters = new URLSearchParams()
  const isCustom = from !== undefined || to !== undefined
  if (!isCustom && period !== DEFAULT_PERIOD) parameters.set('period', period)
  if (from !== undefined) parameters.set('from', from)
  if (to !== undefined) parameters.set('to', to)
  if (zone !== undefined) parameters.set('zone', zone)
  for (const name of FILTERS) {
    const value = filter[name]
    if (value !== undefined) parameters.set(name, value)
  }
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}
