/** What a question about usage has to name, checked; and the store's form of it. */
import type { UsageQuery } from '@cairn/core'
import { z } from 'zod'
import { spanOf } from './period.ts'
import type { Span } from './period.ts'
import { LONGEST_FILTER, PERIODS, isDay, isTimeZone } from './selection.ts'

const dayInput = z.string().refine(isDay, 'There is no such day.').optional()
const valueInput = z.string().min(1).max(LONGEST_FILTER).optional()

/** A selection as procedures take it. */
export const selectionInput = z.object({
  period: z.enum(PERIODS),
  from: dayInput,
  to: dayInput,
  timeZone: z.string().max(100).refine(isTimeZone, 'There is no such time zone.'),
  filter: z.object({ project: valueInput, model: valueInput, agent: valueInput, branch: valueInput }),
})

/** A selection with its time zone. */
export type SelectionInput = z.infer<typeof selectionInput>

/** The part of a usage query that the selection decides; `by` and `limit` are the asker's. */
export type SelectedUsage = Omit<UsageQuery, 'by' | 'limit'>

/**
 * Returns the selection as a query of usage, and the span of days that it means; what it leaves open is not filtered.
 * @param now ms
 * @throws CairnError `usage` for an unknown zone
 */
export const selectedUsage = (
  { period, from, to, timeZone, filter }: SelectionInput,
  now: number,
): { readonly query: SelectedUsage; readonly span: Span } => {
  const span = spanOf({ period, from, to }, timeZone, now)
  const { project, model, agent, branch } = filter
  const wanted: NonNullable<UsageQuery['filter']> = {
    ...(project === undefined ? {} : { project }),
    ...(model === undefined ? {} : { model }),
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
  }
  return {
    query: {
      timeZone,
      ...(span.since === undefined ? {} : { since: span.since }),
      ...(span.until === undefined ? {} : { until: span.until }),
      ...(Object.keys(wanted).length === 0 ? {} : { filter: wanted }),
    },
    span,
  }
}
