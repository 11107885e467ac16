/** Asks the store for a page of sessions: it sorts, filters, searches and cuts. */
import type { SessionPage, SessionQuery, SessionStorage } from '@cairn/core'
import { z } from 'zod'
import { ORDERS } from '../../components/sorting.ts'
import { selectionInput } from '../selection/selection-input.ts'
import { spanOf } from '../selection/period.ts'
import { SESSION_SORTS } from './sorts.ts'

/** Which sessions are asked for, as procedures take it. */
export const sessionListInput = z.object({
  selection: selectionInput,
  sort: z.enum(SESSION_SORTS),
  order: z.enum(ORDERS).default('descending'),
  text: z.string().max(200),
})
/** Which sessions are asked for. */
export type SessionListInput = z.infer<typeof sessionListInput>

/**
 * Returns the list's selection, order and search as a query of sessions, without a page; what it leaves open is not
 * filtered. Orders by sums (`perRequest`, `subagents`), which the store doesn't have, become the latest first.
 * @param now ms
 * @throws CairnError `usage` for an unknown zone
 */
export const sessionQuery = ({ selection, sort, order, text }: SessionListInput, now: number): SessionQuery => {
  const { since, until } = spanOf(
    { period: selection.period, from: selection.from, to: selection.to },
    selection.timeZone,
    now,
  )
  const { agent, project, branch, model } = selection.filter
  const wanted = text.trim()
  return {
    // The rest is in the order of the latest before it is sorted by sums.
    ...(sort === 'perRequest' || sort === 'subagents' ? { sort: 'updated', order: 'descending' } : { sort, order }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project }),
    ...(branch === undefined ? {} : { branch }),
    ...(model === undefined ? {} : { model }),
    ...(wanted === '' ? {} : { text: wanted }),
  }
}

/**
 * Returns the sessions of a range of the list (`offset` from 0), and how many there are in all. Rejects as the store
 * does.
 * @param now ms
 */
export const listSessions = (
  sessions: Pick<SessionStorage, 'list'>,
  input: SessionListInput,
  range: { readonly offset: number; readonly limit: number },
  now: number,
): Promise<SessionPage> => sessions.list({ ...sessionQuery(input, now), ...range })
