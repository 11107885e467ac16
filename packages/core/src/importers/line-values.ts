/** Reads values that several agents write in the same way: times, titles, and what is left of damaged lines. */
import { JSON_LEVELS, isCountOrAbsent, objectOf, type JsonValue } from '../json.ts'
import { HIGHEST_COST, isCostOrAbsent } from '../money.ts'

/** The character of a byte that a power cut leaves where a file's content was not written yet. */
export const NUL = '\0'

/** The text without the NUL bytes that a power cut leaves at its ends; those inside stay. */
export const trimNuls = (text: string): string => {
  if (!text.startsWith(NUL) && !text.endsWith(NUL)) return text
  let start = 0
  let end = text.length
  while (start < end && text[start] === NUL) start++
  while (end > start && text[end - 1] === NUL) end--
  return text.slice(start, end)
}

/** Why a part of a line is kept as text. */
export const NESTED_DEEPLY = `nested over ${JSON_LEVELS} levels deep: what lies deeper is kept as text`
/** What was left out of a line that was taken. */
export const NULS_LEFT_OUT = 'NUL bytes around the line, as a power cut leaves them, were left out'

const ODD_COUNT = 'a token count that is no whole number; it counts as 0, or is rounded down'
const ODD_COST = `a cost that is no amount from $0 to $${HIGHEST_COST.toLocaleString('en-US')}; the tokens count by their prices`

/**
 * A sentence about numbers of a request that can't be right (a count that is no whole number from 0, an impossible
 * cost), as the reason of a skip; undefined when all of them count as they stand.
 */
export const oddUsage = (counts: readonly unknown[], cost?: unknown): string | undefined => {
  if (!counts.every(isCountOrAbsent)) return ODD_COUNT
  return isCostOrAbsent(cost) ? undefined : ODD_COST
}

/** The end of the year 9999, ms: what lies beyond is a mistake of the source. */
const END_OF_TIME = 253_402_300_799_999
const LATE_DAY = /^(\d{4})-(\d{2})-(29|30|31)/

/**
 * Milliseconds since the epoch, from an ISO text or a number (seconds or milliseconds, by its size); null for anything
 * else, for numbers up to 0, dates that no calendar has, and times after the year 9999.
 */
export const parseTime = (value: unknown): number | null => {
  if (typeof value === 'number') {
    const time = Math.round(value < 1e11 ? value * 1000 : value)
    return time > 0 && time <= END_OF_TIME ? time : null
  }
  if (typeof value !== 'string' || value === '') return null
  const time = Date.parse(value)
  return Number.isFinite(time) && time <= END_OF_TIME && isCalendarDate(value) ? time : null
}

/** False for the 30th of February, which Date takes for a day of March. */
const isCalendarDate = (text: string): boolean => {
  const late = LATE_DAY.exec(text)
  return late === null || Number(late[3]) <= new Date(Date.UTC(Number(late[1]), Number(late[2]), 0)).getUTCDate()
}

const TITLE_CHARACTERS = 80
/** Enough to find 80 visible characters in, however much whitespace there is. */
const TITLE_SOURCE_CHARACTERS = 2000

/**
 * A title made of a user's text (of its first 2000 characters): one line, at most 80 characters, the last one "…" where
 * it was cut; undefined for a text of blanks.
 */
export const titleFrom = (text: string): string | undefined => {
  const line = text.slice(0, TITLE_SOURCE_CHARACTERS).replace(/\s+/g, ' ').trim()
  if (line === '') return undefined
  if (line.length <= TITLE_CHARACTERS) return line
  const characters = Array.from(line)
  return characters.length <= TITLE_CHARACTERS
    ? line
    : `${characters
        .slice(0, TITLE_CHARACTERS - 1)
        .join('')
        .trimEnd()}…`
}

/** The members of an object whose values are strings; an empty object for any other value. */
export const textsIn = (value: JsonValue | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectOf(value)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
