/** Says which values of an address are unknown, and what is shown instead. */
import { PERIOD_NAMES } from './period-names.ts'
import { urlProblems, readSelection } from './selection.ts'

/**
 * Returns what is wrong with an address, a sentence each.
 * @param instead what follows for each: what a page shows, or what an export does
 */
const sentences = (
  parameters: Pick<URLSearchParams, 'get'>,
  instead: { readonly period: string; readonly zone: string },
): readonly string[] => {
  const { period, zone } = urlProblems(parameters)
  return [
    ...(period === undefined ? [] : [`The period in the address is not one: ${period}; ${instead.period}.`]),
    ...(zone === undefined ? [] : [`The time zone in the address is not one: there is no “${zone}”; ${instead.zone}.`]),
  ]
}

/**
 * Returns what is wrong with a page's address, a sentence each, with the default that is shown instead; empty if
 * nothing is.
 */
export const pageSentences = (parameters: Pick<URLSearchParams, 'get'>): readonly string[] =>
  sentences(parameters, {
    period: `showing ${PERIOD_NAMES[readSelection(parameters).period].long.toLowerCase().replace(/^last/, 'the last')}`,
    zone: 'showing days and times of this browser’s zone',
  })

/**
 * Returns what is wrong with an export's address, as the first sentence; undefined if nothing is. Such an export is
 * refused, as a file could not say that it contains something else.
 */
export const exportSentence = (parameters: Pick<URLSearchParams, 'get'>): string | undefined =>
  sentences(parameters, { period: 'nothing was exported', zone: 'nothing was exported' })[0]
