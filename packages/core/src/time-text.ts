/** Times as texts, in UTC. A stored time may be none of which a date can be made; what shows it must not fail for that. */
import { LATEST_TIME } from './input.ts'

const isDate = (at: number): boolean => Math.abs(at) <= LATEST_TIME

/** `2026-01-31`, the UTC day of a time in ms; undefined for an invalid time. */
export const dayText = (at: number): string | undefined =>
  isDate(at) ? new Date(at).toISOString().slice(0, 10) : undefined

/** `2026-01-31T08:00:00.000Z` of a time in ms; the number itself for an invalid time. */
export const instantText = (at: number): string => (isDate(at) ? new Date(at).toISOString() : String(at))
