/** What usage is asked by, checked before a store makes a question of it. */
import { assertBound, assertLimit, assertObject, assertTextOrAbsent, invalidInput } from '../input.ts'
import type { UsageGrouping, UsageQuery } from '../ports/usage-storage.ts'

const GROUPINGS: readonly UsageGrouping[] = [
  'day',
  'week',
  'month',
  'session',
  'model',
  'mode',
  'workspace',
  'branch',
  'agent',
]

/** @throws CairnError `invalid-input` */
export const assertUsageQuery = (query: UsageQuery): void => {
  assertObject(query, 'What usage is asked by')
  const { by, since, until, timeZone, filter = {}, limit } = query
  if (!GROUPINGS.includes(by)) throw invalidInput('What usage is grouped by', `one of ${GROUPINGS.join(', ')}`, by)
  assertBound(since, 'The time from which on usage counts')
  assertBound(until, 'The time before which usage counts')
  assertTextOrAbsent(timeZone, 'The time zone')
  assertObject(filter, 'The filter of usage')
  for (const [dimension, value] of Object.entries(filter))
    assertTextOrAbsent(value, `The ${dimension} that usage is of`)
  assertLimit(limit, 'The number of rows', 0)
}
