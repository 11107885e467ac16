/** The tables that can be exported, each with the filters of its page. Costs are in USD, not rounded. */
import {
  allInputTokens,
  cacheHitRatio,
  CairnError,
  emptyTotals,
  pickTokens,
  TOKEN_CLASSES,
  TOKEN_COUNTS,
  usdFromNano,
} from '@cairn/core'
import type { SessionSummary, Store, SubagentSum, UsageRow, UsageTotals } from '@cairn/core'
import { ORDERS } from '../../components/sorting.ts'
import type { Order } from '../../components/sorting.ts'
import { dimensionReport } from '../dimension/dimension-query.ts'
import { DIMENSION_SORTS } from '../dimension/sorts.ts'
import { sortedRequests } from '../session/request-view.ts'
import { sessionFileRows } from '../files/files-query.ts'
import { sortedFiles } from '../files/files-view.ts'
import type { FileRow } from '../files/files-view.ts'
import { FILE_SORTS, FILE_STATES } from '../files/sorts.ts'
import { REQUEST_SORTS } from '../session/sorts.ts'
import { sessionQuery } from '../sessions/list-query.ts'
import type { SessionListInput } from '../sessions/list-query.ts'
import { allShares, allSubagents, byShare, bySum, isNarrowed, listedSessions } from '../sessions/period-shares.ts'
import { costPerRequest } from '../sessions/session-row.ts'
import { SESSION_SORTS, SUMMED_SORTS } from '../sessions/sorts.ts'
import { costSplit } from '../usage/cost-split.ts'
import { exportSentence } from '../selection/url-problem-text.ts'
import { DIMENSIONS } from '../usage/dimension.ts'
import { readSelection } from '../selection/selection.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import type { ExportRow, ExportRows } from './format.ts'

/** A table to be exported. */
export interface ExportTable {
  readonly columns: readonly string[]
  readonly rows: ExportRows
}

/** The tables that can be exported. */
export const EXPORT_TABLES = ['day', ...DIMENSIONS, 'sessions', 'requests', 'files'] as const
/** One of {@link EXPORT_TABLES}. */
export type ExportName = (typeof EXPORT_TABLES)[number]

const inputFields = TOKEN_CLASSES.filter(({ isInput }) => isInput).map(({ field }) => field)

const USAGE_COLUMNS = [
  'requests',
  ...TOKEN_COUNTS.map(({ field }) => field),
  'cacheHitRatio',
  'costUsd',
  'inputCostUsd',
  'cacheReadCostUsd',
  'cacheWriteCostUsd',
  'outputCostUsd',
  'recordedCostUsd',
  'savedUsd',
  'unpricedRequests',
  'partialRequests',
  'missingOutputTokens',
  'missingOutputCostUsd',
  'timedRequests',
  'averageFirstTokenMs',
  'averageTotalMs',
] as const

/**
 * Returns the cells of a sum, costs in USD; a ratio without input is null. Averages without timed requests are null.
 */
const usageCells = (totals: UsageTotals): ExportRow => {
  const split = costSplit(totals)
  return {
    requests: totals.requests,
    ...pickTokens(totals),
    cacheHitRatio: cacheHitRatio(totals) ?? null,
    costUsd: usdFromNano(totals.costNano),
    inputCostUsd: usdFromNano(split.inputNano),
    cacheReadCostUsd: usdFromNano(split.cacheReadNano),
    cacheWriteCostUsd: usdFromNano(split.cacheWriteNano),
    outputCostUsd: usdFromNano(split.outputNano),
    recordedCostUsd: usdFromNano(split.recordedNano),
    savedUsd: usdFromNano(totals.savedNano),
    unpricedRequests: totals.unpricedRequests,
    partialRequests: totals.partialRequests,
    missingOutputTokens: totals.missingOutputTokens,
    missingOutputCostUsd: usdFromNano(totals.missingOutputCostNano),
    timedRequests: totals.timedRequests,
    averageFirstTokenMs: average(totals.firstTokenMs, totals.timedRequests),
    averageTotalMs: average(totals.totalMs, totals.timedRequests),
  }
}

/** Returns an average as a whole number; null without values. */
const average = (sum: number, count: number): number | null => (count === 0 ? null : Math.round(sum / count))

/** Yields the rows all at once. */
async function* once(rows: readonly ExportRow[]): AsyncGenerator<readonly ExportRow[]> {
  yield rows
}

/** Returns a table of usage whose first column has this name. */
const usageTable = (name: string, rows: readonly UsageRow[]): ExportTable => ({
  columns: [name, ...USAGE_COLUMNS],
  rows: once(rows.map((row) => ({ [name]: row.key, ...usageCells(row) }))),
})

/** Returns a time (ms) as ISO text; null for none, and for a number that is no valid date. */
const isoTime = (at: number | null): string | null =>
  at !== null && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : null

/** What a session used within the selection has the names that it has in tables of usage; what is of its whole life says so. */
const SESSION_COLUMNS = [
  'id',
  'title',
  'agent',
  'project',
  'branch',
  'startedAt',
  'updatedAt',
  'requests',
  'costUsd',
  'unpricedRequests',
  'partialRequests',
  'missingOutputTokens',
  'missingOutputCostUsd',
  'costPerRequestUsd',
  'subagents',
  'subagentsCostUsd',
  'sessionMessages',
  'sessionRequests',
  'sessionCostUsd',
  'sessionUnpricedRequests',
] as const

/**
 * Returns the cells of a session; its requests and costs are those of `share`. Times are ISO texts; without a share
 * they are 0.
 */
const sessionCells = (
  session: SessionSummary,
  share: UsageTotals = emptyTotals,
  subagents?: SubagentSum,
): ExportRow => ({
  id: session.id,
  title: session.title,
  agent: session.agent,
  project: session.workspace,
  branch: session.branch,
  startedAt: isoTime(session.startedAt),
  updatedAt: isoTime(session.updatedAt),
  requests: share.requests,
  costUsd: usdFromNano(share.costNano),
  unpricedRequests: share.unpricedRequests,
  partialRequests: share.partialRequests,
  missingOutputTokens: share.missingOutputTokens,
  missingOutputCostUsd: usdFromNano(share.missingOutputCostNano),
  costPerRequestUsd: costPerRequest(share),
  subagents: subagents?.subagents ?? 0,
  subagentsCostUsd: usdFromNano(subagents?.costNano ?? 0n),
  sessionMessages: session.messages,
  sessionRequests: session.requests,
  sessionCostUsd: usdFromNano(session.costNano),
  sessionUnpricedRequests: session.unpricedRequests,
})

/**
 * Yields the rows of all sessions that are listed, in the list's order, some at a time. Sorted by sums or by the cost
 * in a narrowed selection, all come at once.
 */
async function* sessionRows(
  store: Pick<Store, 'sessions' | 'usage'>,
  input: SessionListInput,
  now: number,
): AsyncGenerator<readonly ExportRow[]> {
  const shares = await allShares(store.usage, input.selection, now)
  const subagents = await allSubagents(store.usage, input.selection, now)
  const cellsOf = (session: SessionSummary): ExportRow =>
    sessionCells(session, shares.get(session.id), subagents.get(session.id))
  const listed = listedSessions(store.sessions, sessionQuery(input, now))
  const isSummed = SUMMED_SORTS.some((sort) => sort === input.sort)
  if (!isSummed && (input.sort !== 'cost' || !isNarrowed(input.selection))) {
    for await (const some of listed) yield some.map(cellsOf)
    return
  }
  const known = new Map<string, SessionSummary>()
  for await (const some of listed) for (const session of some) known.set(session.id, session)
  const ids = [...known.keys()]
  const sorted = isSummed ? bySum(ids, input, shares, subagents) : byShare(ids, shares, input.order)
  yield sorted.flatMap((id) => {
    const session = known.get(id)
    return session === undefined ? [] : [cellsOf(session)]
  })
}

/** Returns the selection of an address, in UTC if it names no zone. An unknown zone or period is the default. */
const selectionOf = (parameters: URLSearchParams): SelectionInput => {
  const { period, from, to, zone, filter } = readSelection(parameters)
  return {
    period,
    timeZone: zone ?? 'UTC',
    filter,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

interface WantedOrder {
  /** The column that the address names, which there may not be. */
  readonly wanted: string | null
  readonly order: Order | undefined
  /** Of the files that are wanted, as the address names it. */
  readonly state: string | null
}

const FILE_COUNTS = ['reads', 'rereads', 'edits', 'failures', 'readTokens', 'rereadTokens'] as const
const FILE_COLUMNS = ['path', ...FILE_COUNTS, 'state', 'usedAt', 'sources', 'change', 'changedAt'] as const

/** Returns the cells of a file. Times are ISO texts, null if unknown. */
const fileCells = (file: FileRow): ExportRow => ({
  path: file.path,
  ...Object.fromEntries(FILE_COUNTS.map((column) => [column, file[column]])),
  state: file.state,
  usedAt: isoTime(file.usedAt),
  sources: file.sources.map(({ name, at }) => (at === null ? name : `${name} ${isoTime(at) ?? ''}`.trim())).join('; '),
  change: file.change?.name ?? null,
  changedAt: isoTime(file.change?.at ?? null),
})

/** Returns the table of a session's files, as its page shows it. An unknown order is that of the tokens read. */
const fileTable = async (
  store: Pick<Store, 'sessions' | 'search' | 'state'>,
  session: SessionSummary,
  { wanted, order = 'descending', state }: WantedOrder,
): Promise<ExportTable> => {
  const { rows } = await sessionFileRows(store, session)
  const sort = FILE_SORTS.find((known) => known === wanted) ?? 'readTokens'
  const chosen = sortedFiles(rows, { sort, order, state: FILE_STATES.find((known) => known === state) ?? 'all' })
  return { columns: FILE_COLUMNS, rows: once(chosen.map(fileCells)) }
}

const REQUEST_COLUMNS = [
  'at',
  'model',
  'mode',
  'subagent',
  ...inputFields,
  'contextTokens',
  'outputTokens',
  'costUsd',
  'costState',
  'partial',
] as const

/** Returns the table of a session's requests, as its page shows it. An unknown order is that of their numbers. */
const requestTable = async (
  store: Pick<Store, 'usage'>,
  session: SessionSummary,
  { wanted, order }: WantedOrder,
): Promise<ExportTable> => {
  const sort = REQUEST_SORTS.find((known) => known === wanted) ?? 'number'
  const firstOrder = sort === 'number' || sort === 'model' ? 'ascending' : 'descending'
  const rows = sortedRequests(await store.usage.requests(session.id), sort, order ?? firstOrder)
  return {
    columns: REQUEST_COLUMNS,
    rows: once(
      rows.map(({ request }) => ({
        at: isoTime(request.at),
        model: request.model,
        mode: request.mode,
        subagent: request.subagent,
        ...Object.fromEntries(inputFields.map((field) => [field, request[field]])),
        contextTokens: allInputTokens(request),
        outputTokens: request.outputTokens,
        costUsd: request.costNano === null ? null : usdFromNano(request.costNano),
        costState: request.costState,
        partial: request.partial,
      })),
    ),
  }
}

/**
 * Returns a table with all rows of its page; undefined for the table of an unknown session. Without a known order it
 * has the page's first one, files that of the tokens read; a search is cut to 200 characters.
 * @param parameters as the page's address has them; requests and files go by `session`, all else by the selection
 * @param now ms
 * @throws CairnError `usage` if the address names an unknown period or zone
 */
export const exportTable = async (
  name: ExportName,
  parameters: URLSearchParams,
  store: Store,
  now: number,
): Promise<ExportTable | undefined> => {
  const wanted = parameters.get('sort')
  const order = ORDERS.find((known) => known === parameters.get('order'))
  if (name === 'requests' || name === 'files') {
    const session = await store.sessions.get(parameters.get('session') ?? '')
    if (session === undefined) return undefined
    const rowsOf = name === 'files' ? fileTable : requestTable
    return rowsOf(store, session, { wanted, order, state: parameters.get('state') })
  }
  const fault = exportSentence(parameters)
  if (fault !== undefined) throw new CairnError('usage', fault)
  const selection = selectionOf(parameters)
  const text = (parameters.get('q') ?? '').slice(0, 200)
  if (name === 'sessions') {
    const input = {
      selection,
      text,
      sort: SESSION_SORTS.find((known) => known === wanted) ?? 'updated',
      order: order ?? 'descending',
    } as const
    return { columns: SESSION_COLUMNS, rows: sessionRows(store, input, now) }
  }
  if (name === 'day')
    return usageTable('day', (await store.usage.report({ ...selectedUsage(selection, now).query, by: 'day' })).rows)
  const sort = DIMENSION_SORTS.find((known) => known === wanted) ?? 'cost'
  const { rows } = await dimensionReport(
    store.usage,
    { selection, dimension: name, text, sort, order: order ?? (sort === 'name' ? 'ascending' : 'descending') },
    now,
  )
  return usageTable(name, rows)
}
