/**
 * Days, weeks and months of any time zone over usage kept in buckets of 15 minutes. A zone becomes a few intervals of
 * constant UTC offset, so that a database can compute a bucket's local day by adding a number. Texts that name a time
 * are parsed in `parse-time.ts`.
 */
import { CairnError } from '../errors.ts'
import { echoed } from '../input.ts'
import type { UsagePeriod } from '../ports/usage-storage.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Every offset in use today, and every change of one, is a multiple of 15 minutes. */
export const BUCKET_MS = 15 * MINUTE_MS

/** The bucket of requests without a known time. */
const UNKNOWN_BUCKET = -1

/** The key of usage without a time, or without a value in the requested dimension. */
export const UNKNOWN_KEY = 'unknown'

/** The UTC offset of a zone from `from` (ms) until the next interval starts. */
export interface OffsetInterval {
  readonly from: number
  /** Local time minus UTC, ms; negative in the west. */
  readonly offsetMs: number
}

/** Since 1970, two changes of an offset were never closer than this (Ramadan breaks of summer time: 4 weeks). */
const SCAN_STEP_MS = 7 * DAY_MS
/** Later than any announced rule; a far-off time in a broken transcript must not cost seconds. */
const SCAN_END_MS = Date.UTC(2200, 0, 1)

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The formatter of a zone; throws `usage` if the zone is unknown. Made once for each zone. */
const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  let made: Intl.DateTimeFormat
  try {
    made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      era: 'narrow',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch (cause) {
    throw new CairnError(
      'usage',
      `There is no time zone named '${echoed(timeZone)}': use an IANA name such as Europe/Berlin.`,
      { cause },
    )
  }
  formatters.set(timeZone, made)
  return made
}

/**
 * Validates the name of a time zone.
 * @throws CairnError `usage` if the runtime does not know it, and for an offset that no zone has.
 */
export const assertTimeZone = (timeZone: string): void => {
  formatterOf(timeZone)
  // Usage is summed by quarters of an hour: a made-up offset such as +05:37 would cut through them.
  const minutes = /^[+-]\d{2}:?(\d{2})?$/.exec(timeZone)?.[1]
  if (minutes !== undefined && Number(minutes) % 15 !== 0) {
    throw new CairnError(
      'usage',
      `'${echoed(timeZone)}' is no time zone's offset: they are whole quarters of an hour; use a name such as Europe/Berlin.`,
    )
  }
}

/** Local time minus UTC at an instant, ms (whole seconds, because before 1972 some zones had odd offsets). */
export const offsetAt = (timeZone: string, ms: number): number => {
  const whole = Math.floor(ms / 1000) * 1000
  const fields: Record<string, string> = {}
  for (const part of formatterOf(timeZone).formatToParts(whole)) fields[part.type] = part.value
  const year = fields['era'] === 'B' ? 1 - Number(fields['year']) : Number(fields['year'])
  const local = new Date(0)
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  local.setUTCFullYear(year, Number(fields['month']) - 1, Number(fields['day']))
  local.setUTCHours(Number(fields['hour']), Number(fields['minute']), Number(fields['second']))
  return local.getTime() - whole
}

/**
 * The first instant after `low` (ms, whole seconds) at which the zone's offset is that of `high`. If it changes once
 * between the two.
 */
const transitionBetween = (timeZone: string, low: number, high: number, offsetAtHigh: number): number => {
  let before = Math.floor(low / 1000)
  let after = Math.ceil(high / 1000)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(timeZone, middle * 1000) === offsetAtHigh) after = middle
    else before = middle
  }
  return after * 1000
}

/**
 * The intervals of constant offset that cover `fromMs` to `toMs` (ms). The first starts at `fromMs` and also covers
 * everything earlier; the last covers everything later.
 * @throws CairnError `usage` for an unknown zone.
 */
export const zoneOffsets = (timeZone: string, fromMs: number, toMs: number): readonly OffsetInterval[] => {
  let offset = offsetAt(timeZone, fromMs)
  const intervals: OffsetInterval[] = [{ from: fromMs, offsetMs: offset }]
  const end = Math.min(toMs, SCAN_END_MS)
  let position = fromMs
  while (position < end) {
    const next = Math.min(position + SCAN_STEP_MS, end)
    const nextOffset = offsetAt(timeZone, next)
    if (nextOffset !== offset) {
      intervals.push({ from: transitionBetween(timeZone, position, next, nextOffset), offsetMs: nextOffset })
      offset = nextOffset
    }
    position = next
  }
  return intervals
}

/**
 * The quarter of an hour of an instant (ms), the key of rollups. Unknown times and times before 1970 share one bucket.
 */
export const bucketOf = (at: number | null): number =>
  at === null || at < 0 ? UNKNOWN_BUCKET : Math.floor(at / BUCKET_MS)

/**
 * The local day (days since 1970-01-01, negative before) of an instant (ms), given the zone's offset from UTC (ms; see
 * {@link offsetAt}).
 */
export const localDayOf = (ms: number, offsetMs: number): number => Math.floor((ms + offsetMs) / DAY_MS)

/**
 * The local day (days since 1970-01-01) of an instant (ms), given intervals of {@link zoneOffsets} that cover it.
 * Faster than looking up the zone each time.
 */
export const localDayWithin = (intervals: readonly OffsetInterval[], ms: number): number => {
  let offset = intervals[0]?.offsetMs ?? 0
  for (const interval of intervals) {
    if (interval.from > ms) break
    offset = interval.offsetMs
  }
  return localDayOf(ms, offset)
}

/**
 * The first instant (ms) of a local day. If summer time skips midnight, the day starts later; if the zone skipped the
 * whole day, it is the start of the next one.
 * @throws CairnError `usage` for an unknown zone.
 */
export const startOfLocalDay = (timeZone: string, localDayNumber: number): number => {
  const target = localDayNumber * DAY_MS
  const intervals = zoneOffsets(timeZone, target - 2 * DAY_MS, target + 2 * DAY_MS)
  for (const [index, interval] of intervals.entries()) {
    const start = Math.max(interval.from, target - interval.offsetMs)
    const end = intervals[index + 1]?.from ?? Number.POSITIVE_INFINITY
    if (start < end) return start
  }
  return target
}

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')

/** Formats a day number (days since 1970-01-01) as `2026-01-31`; years have at least four digits. */
export const dayKey = (localDayNumber: number): string => {
  const date = new Date(localDayNumber * DAY_MS)
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`
}

/**
 * The ISO 8601 week of a local day (days since 1970-01-01), such as `2026-W05`: weeks start on Monday and belong to the
 * year that contains their Thursday.
 */
const weekKey = (localDayNumber: number): string => {
  // 1970-01-01 was a Thursday: day numbers ≡ 4 (mod 7) are Mondays.
  const monday = localDayNumber - ((((localDayNumber + 3) % 7) + 7) % 7)
  const thursday = monday + 3
  const year = new Date(thursday * DAY_MS).getUTCFullYear()
  const yearStart = Math.floor(Date.UTC(year, 0, 1) / DAY_MS)
  return `${pad(year, 4)}-W${pad(Math.floor((thursday - yearStart) / 7) + 1, 2)}`
}

/**
 * The key of the period that contains a local day (days since 1970-01-01): `2026-01-31`, `2026-W05` (ISO weeks) or
 * `2026-01`. Keys sort by time.
 */
export const periodKey = (by: UsagePeriod, localDayNumber: number): string => {
  switch (by) {
    case 'day':
      return dayKey(localDayNumber)
    case 'week':
      return weekKey(localDayNumber)
    case 'month':
      return dayKey(localDayNumber).slice(0, 7)
  }
}
