/** New ids as ULIDs: 26 characters that sort by the time they were made, also within one millisecond. */
import { monotonicFactory } from 'ulid'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'

/** Ids (ULIDs) whose time part comes from `clock`; two made in the same millisecond still sort in order. */
export const createIds = (clock: Clock): Ids => {
  const next = monotonicFactory()
  return { next: () => next(clock.now()) }
}
