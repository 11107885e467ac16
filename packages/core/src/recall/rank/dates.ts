/** Days, months and years that a query names, and how well a time fits them. All times are UTC. */

/** A day, month or year, as far as it is named. */
export interface DatePart {
  /** Absent: any year. */
  readonly year?: number
  /** 0–11; absent: any month of the year. */
  readonly month?: number
  /** 1–31; absent: the whole month. */
  readonly day?: number
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const MONTH =
  '(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?'
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = '((?:19|20)\\d\\d)'

const ISO = /\b((?:19|20)\d\d)-(0[1-9]|1[0-2])(?:-(\d\d))?\b/g
const DAY_MONTH = new RegExp(`\\b${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?(?![a-z])`, 'gi')
const MONTH_DAY = new RegExp(`\\b${MONTH} ${DAY}(?![\\d:])(?:,? ${YEAR})?`, 'gi')
const MONTH_YEAR = new RegExp(`\\b${MONTH},?(?: of)? ${YEAR}\\b`, 'gi')
const MONTH_ONLY = new RegExp(
  `\\b(?:in|during|last|this|since|of|late|early|mid|until|by|next|before|after) ${MONTH}(?![a-z])`,
  'gi',
)
const YEAR_ONLY = new RegExp(`\\b(?:in|during|since|of|until|by|before|after) ${YEAR}\\b`, 'gi')

/**
 * The dates that a text names, each read as exactly as possible: "7 May 2023" does not also name all of May. Empty when
 * it names none.
 */
export const parseDates = (text: string): readonly DatePart[] => findDates(text).map(({ date }) => date)

/**
 * The dates that a text names, as {@link parseDates} reads them, each with the words that name it; full dates before
 * months and years. Whether a day exists is not checked. In each kind in the order of the text.
 */
export const findDates = (text: string): readonly { readonly date: DatePart; readonly words: string }[] => {
  const dates: { readonly date: DatePart; readonly words: string }[] = []
  let rest = text
  /** Adds what a pattern finds to `dates`, and takes it out of `rest`, so that no later pattern reads it again. */
  const take = (pattern: RegExp, part: (groups: readonly (string | undefined)[]) => DatePart): void => {
    rest = rest.replace(pattern, (...groups: unknown[]) => {
      dates.push({
        date: part(groups.map((group) => (typeof group === 'string' ? group : undefined))),
        words: String(groups[0]),
      })
      return ' | '
    })
  }
  take(ISO, ([, year, month, day]) => ({
    ...numberField('year', year),
    month: Number(month) - 1,
    ...numberField('day', day),
  }))
  take(DAY_MONTH, ([, day, month, year]) => ({
    ...numberField('year', year),
    month: monthNumber(month),
    ...numberField('day', day),
  }))
  take(MONTH_DAY, ([, month, day, year]) => ({
    ...numberField('year', year),
    month: monthNumber(month),
    ...numberField('day', day),
  }))
  take(MONTH_YEAR, ([, month, year]) => ({ ...numberField('year', year), month: monthNumber(month) }))
  take(MONTH_ONLY, ([, month]) => ({ month: monthNumber(month) }))
  take(YEAR_ONLY, ([, year]) => ({ ...numberField('year', year) }))
  return dates
}

/** The number of a month from 0, by its first three letters; -1 for no name of one. */
const monthNumber = (name = ''): number => MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)))

const numberField = (key: 'year' | 'day', text: string | undefined): { readonly [key in 'year' | 'day']?: number } =>
  text === undefined ? {} : { [key]: Number(text) }

/**
 * How well a time (ms) fits a named date, as people write about events later. Of a day: 2 on it and the day after, 1.5
 * within a week, 1 later in the month, 0.3 earlier in it. Of a month: 1. In the month after 0.5, or 0.25 for a day
 * before the 24th. In a year that is named alone 0.5. Otherwise, and for NaN, 0.
 */
export const dateFit = (at: number, { year, month, day }: DatePart): number => {
  if (Number.isNaN(at)) return 0
  const date = new Date(at)
  if (month === undefined) return year === date.getUTCFullYear() ? 0.5 : 0
  const months = (year === undefined ? 0 : (date.getUTCFullYear() - year) * 12) + date.getUTCMonth() - month
  const after = year === undefined ? (months + 12) % 12 : months
  if (after === 1) return day !== undefined && day < 24 ? 0.25 : 0.5
  if (after !== 0) return 0
  if (day === undefined) return 1
  const late = date.getUTCDate() - day
  return late < 0 ? 0.3 : late <= 1 ? 2 : late <= 7 ? 1.5 : 1
}
