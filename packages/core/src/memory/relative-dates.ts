/**
 * Replaces relative dates by absolute ones, so that an entry still means the same a year later: "broke yesterday"
 * becomes "broke on 2026-01-30". Only in English prose: code, quotes of a single term, names, flags and paths stay. A
 * weekday with "last" or "next" is the nearest one before or after the day; weeks start on Monday.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, dayKey, localDayOf, offsetAt } from '../usage/calendar.ts'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
}
/** Larger numbers are not treated as dates: "30000 years ago". */
const MOST_UNITS = 1_000

const NUMBER = `\\d{1,4}|${Object.keys(NUMBERS).join('|')}`
const PART = 'morning|afternoon|evening|night'
const PERIOD = 'week|weekend|month|year'
const TERM = [
  'the day before yesterday',
  'the day after tomorrow',
  'earlier today',
  `(?:yesterday|tomorrow) (?:${PART})`,
  'yesterday',
  'today',
  'tomorrow',
  'tonight',
  `this (?:${PART})`,
  'last night',
  `(?:last|next|this) (?:${WEEKDAYS.join('|')})(?: (?:${PART}))?`,
  `(?:last|next|this) (?:${PERIOD})`,
  `(?:${NUMBER}) (?:minute|hour|day|week|month|year)s? (?:ago|from now)`,
].join('|')

/** Words after which a date needs no "on": "since 2026-01-30". */
const PREPOSITIONS = 'on|since|until|till|by|from|before|after|of|to|for|than|as of|through|between|and|during|in|at'

/** A term with its surrounding characters, which distinguish prose from names and paths (`today.ts`, `next-week`). */
const RELATIVE = new RegExp(
  String.raw`(?<=^|[\s("'“‘—–])(?:(${PREPOSITIONS})(\s+))?(?<![\w-]+=|--[\w-]+ )(${TERM.replaceAll(' ', String.raw`\s+`)})(?=$|['’]s\b|[\s,;:!?)"'”’—–]|\.(?:\s|$|["')]))(?!\s+of\b|\()`,
  'giu',
)

/** Fenced code, code spans, and quotes that contain only a term or what looks like part of a command. */
const CODE = /(^|\n)[ \t]*(```|~~~)[\s\S]*?(?:\n[ \t]*\2[^\n]*|$)|(`+)(?!`)[\s\S]*?[^`]\3(?!`)/gu
const QUOTED_TERM = new RegExp(String.raw`^\s*(?:${TERM.replaceAll(' ', String.raw`\s+`)})\s*$`, 'iu')

const monthKey = (day: number): string => dayKey(day).slice(0, 7)
const yearKey = (day: number): string => dayKey(day).slice(0, 4)

/** The Monday of a day's week: 1970-01-01 was a Thursday. */
const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)

/** The same day (a number) so many months later, earlier if negative; the month's last one where it is shorter. */
const monthsLater = (day: number, months: number): number => {
  const date = new Date(day * DAY_MS)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  return first / DAY_MS + Math.min(date.getUTCDate(), length) - 1
}

/** Far enough back to see a word such as "every " before a term. */
const LONGEST_ARTICLE = 10

interface AbsoluteDate {
  /** Inserted before the date if the text has no preposition. */
  readonly preposition: 'on' | 'in' | 'at'
  readonly text: string
}

/** A day as `2026-01-31`, with a part of the day in brackets. */
const on = (day: number, part?: string): AbsoluteDate => ({
  preposition: 'on',
  text: part === undefined ? dayKey(day) : `${dayKey(day)} (${part})`,
})

/**
 * The day number of a weekday as a text names it: this, last or next. "this" may lie behind, "last" and "next" never
 * give today.
 */
const weekdayOf = (which: string, name: string, today: number): number => {
  const wanted = mondayOf(today) + WEEKDAYS.findIndex((weekday) => weekday === name)
  if (which === 'last') return wanted < today ? wanted : wanted - 7
  if (which === 'next') return wanted > today ? wanted : wanted + 7
  return wanted
}

/**
 * The period `steps` from today's, back if negative: `2026-01` of a month, `2026` of a year, else such as `the week of
 * 2026-01-26` by its Monday, a weekend by its Saturday.
 * @param today a day number
 */
const periodOf = (steps: number, period: string, today: number): AbsoluteDate => {
  if (period === 'month') return { preposition: 'in', text: monthKey(monthsLater(today, steps)) }
  if (period === 'year') return { preposition: 'in', text: yearKey(monthsLater(today, 12 * steps)) }
  const monday = mondayOf(today) + 7 * steps
  return { preposition: 'in', text: `the ${period} of ${dayKey(period === 'weekend' ? monday + 5 : monday)}` }
}

const STEPS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 }

/** An instant (ms), the speaker's time zone, and the day there (days since 1970-01-01). */
interface Moment {
  readonly now: number
  readonly timeZone: string
  readonly today: number
}

/** The date that a term means when used at an instant (ms); undefined if it is not a date. */
const absolute = (term: string, now: number, timeZone: string): AbsoluteDate | undefined => {
  const moment = { now, timeZone, today: localDayOf(now, offsetAt(timeZone, now)) }
  const words = term.toLowerCase().split(/\s+/)
  const last = words.at(-1)
  return last === 'ago' || last === 'now'
    ? distanceDate(words, last === 'ago' ? -1 : 1, moment)
    : namedDate(words, moment.today)
}

/**
 * The date of "three days ago" or "an hour from now"; undefined for more than `MOST_UNITS`. `sign`: -1 for the past.
 * Minutes and hours give a time of day, the others a day.
 */
const distanceDate = (
  words: readonly string[],
  sign: 1 | -1,
  { now, timeZone, today }: Moment,
): AbsoluteDate | undefined => {
  const [first = ''] = words
  const unit = (words.at(sign < 0 ? -2 : -3) ?? '').replace(/s$/, '')
  const count = NUMBERS[first] ?? Number(first)
  if (count > MOST_UNITS) return undefined
  const steps = sign * count
  switch (unit) {
    case 'minute':
      return minuteAt(now + steps * MINUTE_MS, timeZone)
    case 'hour':
      return minuteAt(now + steps * HOUR_MS, timeZone)
    case 'month':
      return on(monthsLater(today, steps))
    case 'year':
      return on(monthsLater(today, 12 * steps))
    default:
      return on(today + steps * (unit === 'week' ? 7 : 1))
  }
}

/** An instant (ms) as a local time to the minute, such as "2026-01-31 08:05", with the preposition `at`. */
const minuteAt = (instant: number, timeZone: string): AbsoluteDate => {
  const local = instant + offsetAt(timeZone, instant)
  return { preposition: 'at', text: new Date(local).toISOString().slice(0, 16).replace('T', ' ') }
}

/**
 * The date of "yesterday", "tomorrow morning", "last night", "next Monday", "this week", ...; undefined for other
 * words.
 * @param words in lower case
 * @param today a day number
 */
const namedDate = (words: readonly string[], today: number): AbsoluteDate | undefined => {
  const [first = '', second = '', third] = words
  switch (first) {
    case 'the':
      // "the day before yesterday", "the day after tomorrow".
      return on(today + (words.at(-1) === 'yesterday' ? -2 : 2))
    case 'yesterday':
      return on(today - 1, words[1])
    case 'tomorrow':
      return on(today + 1, words[1])
    case 'today':
    case 'earlier':
      return on(today)
    case 'tonight':
      return on(today, 'night')
  }
  if (first === 'last' && second === 'night') return on(today - 1, 'night')
  if (WEEKDAYS.some((weekday) => weekday === second)) return on(weekdayOf(first, second, today), third)
  const steps = STEPS[first]
  if (steps === undefined) return undefined
  return PERIODS.has(second) ? periodOf(steps, second, today) : on(today, second)
}

const PERIODS: ReadonlySet<string> = new Set(PERIOD.split('|'))

/**
 * The text with each relative date replaced by the absolute one ("broke yesterday": "broke on 2026-01-30"). A quote
 * that is only such a term stays, and a term after an article or a word such as "every".
 */
const inProse = (text: string, now: number, timeZone: string): string =>
  text.replace(
    RELATIVE,
    (found: string, preposition: string | undefined, space: string | undefined, term: string, offset: number) => {
      const [before, after] = [text.slice(0, offset), text.slice(offset + found.length)]
      // A quote that holds nothing else names the words themselves.
      if (/["'“‘]$/.test(before) && /^["'”’]/.test(after) && QUOTED_TERM.test(found)) return found
      const date = absolute(term, now, timeZone)
      if (date === undefined) return found
      if (preposition !== undefined) return `${preposition}${space ?? ' '}${date.text}`
      if (/^['’]s/.test(after)) return date.text
      if (/(?:\b(?:the|a|this|that|our|every|per|each))\s+$/i.test(before.slice(-LONGEST_ARTICLE))) return found
      return `${/^\p{Lu}/u.test(term) ? capitalised(date.preposition) : date.preposition} ${date.text}`
    },
  )

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/**
 * Replaces each relative date in a text ("yesterday") by the absolute date that it means at a time (ms) in a time zone
 * (IANA name). Code stays, and a text without such words is returned unchanged.
 */
export const resolveRelativeDates = (text: string, now: number, timeZone: string): string => {
  const parts: string[] = []
  let position = 0
  for (const code of text.matchAll(CODE)) {
    parts.push(inProse(text.slice(position, code.index), now, timeZone), code[0])
    position = code.index + code[0].length
  }
  parts.push(inProse(text.slice(position), now, timeZone))
  return parts.join('')
}
