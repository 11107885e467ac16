/**
 * What sessions used within a selection: the share of its period and filters, as the overview and `cairn usage --by
 * session` sum it. A session's own sums are those of its whole life.
 */
import { addTotals, emptyTotals, usdFromNano } from '@cairn/core'
import type { SessionStorage, SessionSummary, SubagentSum, UsageRow, UsageStorage, UsageTotals } from '@cairn/core'
import { sortedRows } from '../../components/sorting.ts'
import { MEASURE_OF } from '../overview/measure-values.ts'
import { FILTERS } from '../selection/selection.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { listSessions, sessionQuery } from './list-query.ts'
import type { SessionListInput } from './list-query.ts'
import { SESSION_PAGE_ROWS } from './page-sizes.ts'
import { costPerRequest } from './session-row.ts'
import { SUMMED_SORTS } from './sorts.ts'

/** What of the store is used here. */
interface Stores {
  readonly sessions: Pick<SessionStorage, 'list' | 'get'>
  readonly usage: Pick<UsageStorage, 'report' | 'subagentSums'>
}

/** What sessions used within the selection, by their ids. */
export type Shares = ReadonlyMap<string, UsageTotals>

/** What the subagents of sessions used within the selection, by their ids; sessions without any are missing. */
export type SubagentShares = ReadonlyMap<string, SubagentSum>

/** Whether the selection leaves anything out, so that a session may have used more than what is selected. */
export const isNarrowed = ({ period, from, to, filter }: SelectionInput): boolean =>
  period !== 'all' || from !== undefined || to !== undefined || FILTERS.some((name) => filter[name] !== undefined)

/** Sessions that are held at once. */
const AT_ONCE = 2_000
/** Up to here the store finds the most expensive sessions without summing all of them. */
const DEAREST = 1_000

/**
 * Yields all sessions of a list in its order, at most `AT_ONCE` at a time; the last part may be empty. Rejects as the
 * list does.
 */
export async function* listedSessions(
  sessions: Pick<SessionStorage, 'list'>,
  query: ReturnType<typeof sessionQuery>,
): AsyncGenerator<readonly SessionSummary[]> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const { sessions: some } = await sessions.list({ ...query, offset, limit: AT_ONCE })
    yield some
    if (some.length < AT_ONCE) return
  }
}

/** Returns the shares in the rows of a report. */
const sharesOf = (rows: readonly UsageRow[]): Shares => new Map(rows.map((row) => [row.key, row]))

/** Returns the shares of all sessions that used something within the selection, the most expensive first. `now`: ms. */
export const allShares = async (
  usage: Pick<UsageStorage, 'report'>,
  selection: SelectionInput,
  now: number,
): Promise<Shares> => sharesOf((await usage.report({ ...selectedUsage(selection, now).query, by: 'session' })).rows)

/** Returns the shares of some sessions, asked for one by one; a session without requests has none. */
const sharesOfFew = async (
  usage: Stores['usage'],
  selection: SelectionInput,
  ids: readonly string[],
  now: number,
): Promise<Shares> => {
  const { query } = selectedUsage(selection, now)
  const reports = await Promise.all(
    ids.map((session) => usage.report({ ...query, by: 'session', filter: { ...query.filter, session } })),
  )
  return new Map(
    reports.flatMap(({ rows, total }, index) => (rows.length === 0 ? [] : [[ids[index] ?? '', total] as const])),
  )
}

/**
 * Returns the ids by what their sessions used within the selection, in cost. Those without a price, and then those
 * without any request, come last in both orders.
 * @param shares the most expensive first
 */
export const byShare = (
  ids: readonly string[],
  shares: Shares,
  order: SessionListInput['order'],
): readonly string[] => {
  const listed = new Set(ids)
  const used = [...shares].filter(([id]) => listed.has(id))
  const sorted =
    order === 'descending' ? used : sortedRows(used.toReversed(), order, ([, totals]) => MEASURE_OF.cost(totals))
  return [...sorted.map(([id]) => id), ...ids.filter((id) => !shares.has(id))]
}

/**
 * Returns what subagents used within the selection, by session; sessions without any are left out. Rejects as the store
 * does. @param now ms
 */
export const allSubagents = async (
  usage: Pick<UsageStorage, 'subagentSums'>,
  selection: SelectionInput,
  now: number,
): Promise<SubagentShares> => {
  const { since, until, filter } = selectedUsage(selection, now).query
  const sums = await usage.subagentSums({
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(filter === undefined ? {} : { filter }),
  })
  return new Map(sums.map((sum) => [sum.sessionId, sum]))
}

/**
 * Returns what subagents used within the selection, for some sessions, asked for one by one. Rejects as the store does.
 * @param now ms
 */
const subagentsOfFew = async (
  usage: Pick<UsageStorage, 'subagentSums'>,
  selection: SelectionInput,
  ids: readonly string[],
  now: number,
): Promise<SubagentShares> => {
  const { since, until, filter } = selectedUsage(selection, now).query
  const sums = await Promise.all(
    ids.map((session) =>
      usage.subagentSums({
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
        filter: { ...filter, session },
      }),
    ),
  )
  return new Map(sums.flatMap((found) => found.map((sum) => [sum.sessionId, sum] as const)))
}

/** Returns the ids in order of a sum that the store does not sort by; those without it last in both orders. */
export const bySum = (
  ids: readonly string[],
  { sort, order }: Pick<SessionListInput, 'sort' | 'order'>,
  shares: Shares,
  subagents: SubagentShares,
): readonly string[] =>
  sortedRows(ids, order, (id) => {
    if (sort !== 'subagents') return costPerRequest(shares.get(id))
    const sum = subagents.get(id)
    return sum === undefined ? null : usdFromNano(sum.costNano)
  })

/** A page of the list of sessions. */
export interface SharedPage {
  readonly sessions: readonly SessionSummary[]
  readonly shares: Shares
  readonly subagents: SubagentShares
  /** Of all pages. */
  readonly count: number
  /** The page that this is: the last one where a later one was asked for. */
  readonly page: number
  /** Of all requests of the selection; where titles are searched, of the sessions that were found. */
  readonly total: UsageTotals
}

/** All sessions of a list with their shares. */
interface Everything {
  readonly ids: readonly string[]
  readonly shares: Shares
}

/**
 * Returns the ids of all sessions of the list, the newest first, with what each used within the selection. Rejects as
 * the store does. @param now ms
 */
const everything = async ({ sessions, usage }: Stores, input: SessionListInput, now: number): Promise<Everything> => {
  const ids: string[] = []
  for await (const some of listedSessions(sessions, {
    ...sessionQuery(input, now),
    sort: 'updated',
    order: 'descending',
  }))
    ids.push(...some.map(({ id }) => id))
  return { ids, shares: await allShares(usage, input.selection, now) }
}

/** Returns the page, or the nearest one that exists. */
const pageWithin = (page: number, count: number): number =>
  Math.max(1, Math.min(page, Math.ceil(count / SESSION_PAGE_ROWS)))

/** Whether the list contains the sessions of all rows: it may not if a request has another time than its session. */
const areListed = async (
  sessions: Stores['sessions'],
  rows: readonly UsageRow[],
  input: SessionListInput,
  now: number,
): Promise<boolean> => {
  const { since = -Infinity, until = Infinity } = sessionQuery(input, now)
  if (since === -Infinity && until === Infinity) return true
  const found = await Promise.all(rows.map(({ key }) => sessions.get(key)))
  return found.every(
    (session) => (session?.updatedAt ?? -Infinity) >= since && (session?.startedAt ?? Infinity) < until,
  )
}

/**
 * Returns the ids of a page, in order of cost within the selection. @param page from 1 @param known all sessions, if
 * they were read already
 */
const dearestIds = async (
  store: Stores,
  input: SessionListInput,
  page: number,
  count: number,
  now: number,
  known: Everything | undefined,
): Promise<readonly string[]> => {
  const end = page * SESSION_PAGE_ROWS
  const { project } = input.selection.filter
  // A session is listed under its own project, its requests under those of their time.
  if (known === undefined && input.order === 'descending' && end <= DEAREST && project === undefined) {
    const { rows } = await store.usage.report({
      ...selectedUsage(input.selection, now).query,
      by: 'session',
      limit: end,
    })
    if (rows.length >= Math.min(end, count) && (await areListed(store.sessions, rows, input, now)))
      return rows.slice(end - SESSION_PAGE_ROWS).map(({ key }) => key)
  }
  const { ids, shares } = known ?? (await everything(store, input, now))
  return byShare(ids, shares, input.order).slice(end - SESSION_PAGE_ROWS, end)
}

/** Returns the ids of a page, in order of a sum within the selection. */
const summedIds = async (
  { usage }: Stores,
  input: SessionListInput,
  page: number,
  now: number,
  { ids, shares }: Everything,
): Promise<readonly string[]> => {
  const subagents =
    input.sort === 'subagents' ? await allSubagents(usage, input.selection, now) : new Map<string, never>()
  return bySum(ids, input, shares, subagents).slice((page - 1) * SESSION_PAGE_ROWS, page * SESSION_PAGE_ROWS)
}

/**
 * Returns a page of the list with what each of its sessions used within the selection, and the sum of all pages. A page
 * past the last is the last. Rejects as the store does. A search sums the sessions that were found, else the sum is of
 * all usage of the selection.
 * @param page from 1
 * @param now ms
 */
export const sharedPage = async (
  store: Stores,
  input: SessionListInput,
  page: number,
  now: number,
): Promise<SharedPage> => {
  const { selection } = input
  const first = await listSessions(
    store.sessions,
    input,
    { offset: (page - 1) * SESSION_PAGE_ROWS, limit: SESSION_PAGE_ROWS },
    now,
  )
  const count = first.total
  const within = pageWithin(page, count)
  const isSummed = SUMMED_SORTS.some((sort) => sort === input.sort)
  const known = input.text.trim() === '' && !isSummed ? undefined : await everything(store, input, now)
  let { sessions } = first
  if (isSummed || (input.sort === 'cost' && isNarrowed(selection))) {
    const ids =
      isSummed && known !== undefined
        ? await summedIds(store, input, within, now, known)
        : await dearestIds(store, input, within, count, now, known)
    sessions = (await Promise.all(ids.map((id) => store.sessions.get(id)))).filter((session) => session !== undefined)
  } else if (within !== page) {
    sessions = (
      await listSessions(
        store.sessions,
        input,
        { offset: (within - 1) * SESSION_PAGE_ROWS, limit: SESSION_PAGE_ROWS },
        now,
      )
    ).sessions
  }
  const total =
    known === undefined || input.text.trim() === ''
      ? (await store.usage.report({ ...selectedUsage(selection, now).query, by: 'agent', limit: 1 })).total
      : known.ids.reduce((sum, id) => addTotals(sum, known.shares.get(id) ?? emptyTotals), emptyTotals)
  const shown = sessions.map(({ id }) => id)
  return {
    sessions,
    shares: await sharesOfFew(store.usage, selection, shown, now),
    subagents: await subagentsOfFew(store.usage, selection, shown, now),
    count,
    page: within,
    total,
  }
}
