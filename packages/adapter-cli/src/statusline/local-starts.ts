/** When the local day and month began. */

export interface LocalStarts {
  /** ms */
  readonly day: number
  readonly month: number
}

/**
 * The beginning (ms) of the day and of the month that `now` is in. Sets the process's time zone where one is given, for
 * good: asking the system's calendar is faster than loading that of all zones.
 */
export const localStarts = (now: number, timeZone: string | undefined): LocalStarts => {
  if (timeZone !== undefined) process.env['TZ'] = timeZone
  const date = new Date(now)
  return {
    day: new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime(),
    month: new Date(date.getFullYear(), date.getMonth(), 1).getTime(),
  }
}
