/** Validates usage queries before they reach a store. */
import { assertBound, assertLimit, assertObject, assertTextOrAbsent, invalidInput } from '../input.ts'
import { USAGE_GROUPINGS, type UsageQuery } from '../ports/usage-storage.ts'

/**
 * Validates a usage query.
 * @throws CairnError `invalid-input`, naming the field and what it must be
 */
export const assertUsageQuery = (query: UsageQuery): void => {
  assertObject(query, 'What usage is asked by')
  const { by, since, until, timeZone, filter = {}, workspaces = [], limit } = query
  if (!USAGE_GROUPINGS.includes(by))
    throw invalidInput('What usage is grouped by', `one of ${USAGE_GROUPINGS.join(', ')}`, by)
  assertBound(since, 'The time from which on usage counts')
  assertBound(until, 'The time before which usage counts')
  assertTextOrAbsent(timeZone, 'The time zone')
  assertObject(filter, 'The filter of usage')
  for (const [dimension, value] of Object.entries(filter))
    assertTextOrAbsent(value, `The ${dimension} that usage is of`)
  const isListOfTexts = Array.isArray(workspaces) && workspaces.every((path) => typeof path === 'string')
  if (!isListOfTexts) throw invalidInput('The folders that usage is of', 'a list of paths', workspaces)
  assertLimit(limit, 'The number of rows', 0)
}
