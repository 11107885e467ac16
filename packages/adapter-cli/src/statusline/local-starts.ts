/** When the local day and month began. */

/** When the current day and month started, ms. */
export interface LocalStarts {
  /** ms */
  readonly day: number
  readonly month: number
}

/**
 * Returns the start (ms) of the day and of the month that contain `now`. If a time zone is given, it is set for the
 * whole process, because that is faster than loading the data of all zones.
 */
export const localStarts = (now: number, timeZone: string | undefined): LocalStarts => {
  if (timeZone !== undefined) process.env['TZ'] = timeZone
  const date = new Date(now)
  return {
    day: new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime(),
    month: new Date(date.getFullYear(), date.getMonth(), 1).getTime(),
  }
}
