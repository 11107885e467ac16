/** What the page is asked to show, as it stands in its address: `?period=7d&zone=Europe/Berlin`. */

/** The spans of time that are offered, shortest first. */
export const PERIODS = ['7d', '30d', '90d', 'all'] as const
export type Period = (typeof PERIODS)[number]

export interface Selection {
  readonly period: Period
  /** IANA name; undefined: the browser's. */
  readonly zone: string | undefined
}

const DEFAULT_PERIOD: Period = '30d'

/** Whether the runtime knows a zone of this name. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Reads an address; what it does not say, or says wrongly, is the default. */
export const readSelection = (parameters: Pick<URLSearchParams, 'get'>): Selection => {
  const period = PERIODS.find((known) => known === parameters.get('period')) ?? DEFAULT_PERIOD
  const zone = parameters.get('zone')
  return { period, zone: zone !== null && isTimeZone(zone) ? zone : undefined }
}

/** The query of an address that shows this; '' for what is shown anyway. */
export const writeSelection = ({ period, zone }: Selection): string => {
  const parameters = new URLSearchParams()
  if (period !== DEFAULT_PERIOD) parameters.set('period', period)
  if (zone !== undefined) parameters.set('zone', zone)
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}
