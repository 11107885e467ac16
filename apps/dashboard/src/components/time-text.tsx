/** An instant as people say it, in the zone that the page shows; all digits on hover. */

interface TimeTextProps {
  /** ms; null where it was not recorded. */
  readonly at: number | null
  readonly timeZone: string | undefined
  /** With its seconds. */
  readonly isExact?: boolean
}

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * A formatter for times in a zone (the reader's, if undefined), with seconds if `isExact`. Kept, as they are expensive
 * to make, and a table has hundreds of times.
 */
const formatFor = (timeZone: string | undefined, isExact: boolean): Intl.DateTimeFormat => {
  const key = `${timeZone ?? ''} ${isExact}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isExact ? { second: '2-digit' } : {}),
    ...(timeZone === undefined ? {} : { timeZone }),
  })
  formats.set(key, made)
  return made
}

/** Beyond these a date has no text. */
const LATEST = 8.64e15

/** Whether a number is a valid time: a store may hold one that no date has. */
const isTime = (at: number): boolean => Math.abs(at) <= LATEST

/**
 * Returns a time (ms) in a zone (undefined: the browser's), with seconds if `isExact`; `–` for null, `unknown` for a
 * number that is no valid date.
 */
export const timeText = (at: number | null, timeZone: string | undefined, isExact = false): string =>
  at === null ? '–' : isTime(at) ? formatFor(timeZone, isExact).format(at) : 'unknown'

/** The text of {@link timeText}, as an element that machines can read; `–` for null, `unknown` for what is no time. */
export const TimeText = ({ at, timeZone, isExact = false }: TimeTextProps) =>
  at === null ? (
    <span title="No time was recorded">–</span>
  ) : !isTime(at) ? (
    <span title="The recorded time is not valid">unknown</span>
  ) : (
    <time dateTime={new Date(at).toISOString()}>{timeText(at, timeZone, isExact)}</time>
  )
