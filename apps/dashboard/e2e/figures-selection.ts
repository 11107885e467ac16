/** Selections of a page at random, and how the command line is asked for the same. */
import { DAYS, ZONES, clockChanges } from './figures-store.ts'
import type { MadeStore, Zone } from './figures-store.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

export const FILTERS = ['project', 'model', 'agent', 'branch'] as const
type FilterName = (typeof FILTERS)[number]
export type Filter = Readonly<Partial<Record<FilterName, string>>>

/** What a page is asked to show. */
export interface Wanted {
  readonly zone: Zone
  readonly period: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly filter: Filter
}

/** The first day of the month of a day, or of one so many months later. */
const monthOf = (day: string, later: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + later, 1)).toISOString().slice(0, 10)

/** The first and the last day of each period, on a day. */
const PERIODS: Readonly<Record<string, (today: string) => readonly [string | undefined, string | undefined]>> = {
  today: (today) => [today, today],
  yesterday: (today) => [dayAfter(today, -1), dayAfter(today, -1)],
  month: (today) => [monthOf(today, 0), today],
  'last-month': (today) => [monthOf(today, -1), dayAfter(monthOf(today, 0), -1)],
  '7d': (today) => [dayAfter(today, -6), today],
  '30d': (today) => [dayAfter(today, -29), today],
  '90d': (today) => [dayAfter(today, -89), today],
  '1y': (today) => [dayAfter(today, -364), today],
  all: () => [undefined, undefined],
}

/** The day that it is in a zone, as `2026-01-31`. */
export const dayIn = (zone: Zone, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

/** The local time that it is in a zone, as `2026-01-31T14:05:09.070`. */
export const timeIn = (zone: Zone, at: number): string => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' }).format(at)
  return `${dayIn(zone, at)}T${clock}.${String(at % 1_000).padStart(3, '0')}`
}

/** A day so many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** Days from one to another, both counted. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY) + 1

/** First and last day that are meant, both included; undefined where open. */
export const daysOf = (
  { zone, period, from, to }: Wanted,
  now: number,
): readonly [string | undefined, string | undefined] => {
  const today = dayIn(zone, now)
  if (from !== undefined || to !== undefined)
    // What has begun and has no end goes on until today, whatever clocks are wrong.
    return [from, to ?? (from !== undefined && from <= today ? today : undefined)]
  return PERIODS[period ?? '30d']?.(today) ?? [undefined, undefined]
}

/** The query of the page's address. */
export const addressOf = ({ zone, period, from, to, filter }: Wanted): string =>
  new URLSearchParams(
    Object.entries({ zone, period, from, to, ...filter }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  ).toString()

/** Options for a time. */
export const timeWords = ([since, until]: readonly [string | undefined, string | undefined]): readonly string[] => [
  ...(since === undefined ? [] : ['--since', since]),
  ...(until === undefined ? [] : ['--until', until]),
]

/** Options for filters; each as one word, since a value may begin as an option does. */
export const filterWords = (filter: Filter): readonly string[] =>
  FILTERS.flatMap((name) => (filter[name] === undefined ? [] : [`--${name}=${filter[name]}`]))

/**
 * A selection: a zone, a period or days, and up to four filters, mostly those of one request so that something passes
 * them.
 * @param next a number from 0 to below 1
 * @param now ms
 */
export const randomSelection = (made: MadeStore, next: () => number, now: number): Wanted => {
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const zone = pick(ZONES)
  const dayAgo = (): string => dayIn(zone, now - Math.floor(next() ** 1.3 * (DAYS + 10)) * DAY)
  const days = (): Pick<Wanted, 'period' | 'from' | 'to'> => {
    const kind = next()
    if (kind < 0.5) return { period: pick(Object.keys(PERIODS)), from: undefined, to: undefined }
    if (kind < 0.58) return { period: undefined, from: dayAgo(), to: undefined }
    if (kind < 0.64) return { period: undefined, from: undefined, to: dayAgo() }
    if (kind < 0.68) return { period: undefined, from: dayAgo(), to: dayAfter(dayIn(zone, now), 5) }
    const change = clockChanges(zone, now - DAYS * DAY, now).map((at) => dayIn(zone, at - 2 * HOUR))
    // Single days and weeks with a change of the clocks in them.
    if (kind < 0.84) {
      const day = change.length > 0 && kind < 0.78 ? pick(change) : dayAgo()
      return { period: undefined, from: day, to: kind < 0.74 ? day : dayAfter(day, Math.floor(next() * 9)) }
    }
    const [from = '', to = ''] = [dayAgo(), dayAgo()].toSorted()
    return { period: undefined, from, to }
  }
  const chosen = { zone, ...days(), filter: {} }
  const [first = '0000', last = '9999'] = daysOf(chosen, now)
  const within = made.requests.filter(({ at }) => at !== null && dayIn(zone, at) >= first && dayIn(zone, at) <= last)
  const request = pick(within.length > 0 && next() < 0.9 ? within : made.requests)
  const other = pick(made.requests)
  const filter: Partial<Record<FilterName, string>> = {}
  const most = Math.floor(next() * 5)
  for (const name of FILTERS.toSorted(() => next() - 0.5).slice(0, most)) {
    const kind = next()
    filter[name] = (kind < 0.9 ? request : other)[name]
    if (kind > 0.97) filter[name] = name === 'agent' ? 'aider' : 'nowhere'
  }
  return { ...chosen, filter }
}
