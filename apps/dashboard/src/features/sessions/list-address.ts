/**
 * The way from the list of sessions to one of them and back. A session's page has parameters of its own (its tables are
 * sorted, too), so the list's address goes along as one parameter.
 */
import { FILTERS, writeSelection, readSelection } from '../selection/selection.ts'
import type { Selection } from '../selection/selection.ts'

type Parameters = Pick<URLSearchParams, 'get'>

/** All that the list's address says. */
const LIST_NAMES = ['period', 'from', 'to', 'zone', ...FILTERS, 'q', 'sort', 'order', 'page'] as const
/** Longer than any address that the list writes. */
const LONGEST_LIST = 24_000

/** Returns the parameters of the list among those of an address, without empty ones. */
const listParameters = (parameters: Parameters): URLSearchParams => {
  const list = new URLSearchParams()
  for (const name of LIST_NAMES) {
    const value = parameters.get(name)
    if (value !== null && value !== '') list.set(name, value)
  }
  return list
}

/**
 * Address of a session's page; its id may hold anything.
 * @param list the address of the list that the page leads back to, or of another page with its period and filters
 * @param entry the entry of the log that the page opens at; null: its beginning
 * @param others more parameters, which the page understands
 */
export const sessionHref = (
  id: string,
  list?: Parameters,
  entry: number | null = null,
  others: Readonly<Record<string, string>> = {},
): string => {
  const parameters = new URLSearchParams({ ...(entry === null ? {} : { at: String(entry) }), ...others })
  const from = list === undefined ? '' : listParameters(list).toString()
  if (from !== '') {
    parameters.set('list', from)
    const zone = list?.get('zone') ?? ''
    if (zone !== '') parameters.set('zone', zone)
  }
  const query = parameters.toString()
  return `/sessions/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`
}

/**
 * Returns {@link sessionHref} for a page that shows a selection, whose period, zone and filters are passed on and come
 * back.
 */
export const sessionHrefWithin = (
  id: string,
  selection: Selection,
  entry: number | null = null,
  others: Readonly<Record<string, string>> = {},
): string => sessionHref(id, new URLSearchParams(writeSelection(selection)), entry, others)

/**
 * The address of a session's page, as a search gives it, with the period, zone and filters of the page that it is opened
 * from; any other address as it is.
 */
export const withListOf = (href: string, page: Parameters): string => {
  if (!href.startsWith('/sessions/')) return href
  const [address = '', fragment] = href.split('#')
  const [path = '', query = ''] = address.split('?')
  const parameters = new URLSearchParams(query)
  const list = new URLSearchParams(writeSelection(readSelection(listAddress(page))))
  const zone = list.get('zone')
  if (list.size > 0) parameters.set('list', list.toString())
  if (zone !== null) parameters.set('zone', zone)
  return `${path}${parameters.size === 0 ? '' : `?${parameters}`}${fragment === undefined ? '' : `#${fragment}`}`
}

/**
 * The parameters of the list that a session's page was opened from, with the zone that the page has by now; the given
 * parameters themselves where it was not opened from there.
 */
export const listAddress = (parameters: Parameters): Parameters => {
  const list = parameters.get('list') ?? ''
  if (list === '' || list.length > LONGEST_LIST) return parameters
  const from = listParameters(new URLSearchParams(list))
  // The zone may have been changed since.
  const zone = parameters.get('zone') ?? ''
  if (zone !== '') from.set('zone', zone)
  return from
}

/**
 * Returns the address of the list with its period, filters, search, order and page as they were; where a session's page
 * was not opened from the list, with the period and zone of that page alone.
 */
export const listHref = (parameters: Parameters): string => {
  const list = listAddress(parameters)
  if (list === parameters) return `/sessions${writeSelection({ ...readSelection(parameters), filter: {} })}`
  const query = listParameters(list).toString()
  return query === '' ? '/sessions' : `/sessions?${query}`
}
