/** Asks the store what the page of one session shows. */
import { CairnError, unpricedModels } from '@cairn/core'
import type { ImportSkip, ImportStorage, SessionStorage, UsageStorage } from '@cairn/core'
import { readEntryViews } from '@cairn/core/conversation'
import type { EntryView } from '@cairn/core/conversation'
import type { Order } from '../../components/sorting.ts'
import { sessionRow } from '../sessions/session-row.ts'
import type { SessionRow } from '../sessions/session-row.ts'
import { remarksOn } from '../overview/overview-view.ts'
import type { Remark } from '../overview/remarks.tsx'
import type { ProjectNames } from '../usage/project-names.ts'
import { sumView } from '../usage/table-view.ts'
import type { SumView } from '../usage/table-view.ts'
import { ENTRY_PAGE, REQUEST_PAGE } from './page-sizes.ts'
import { requestView, sortedRequests } from './request-view.ts'
import type { RequestView } from './request-view.ts'
import type { RequestSort } from './sorts.ts'
import { subagentsView } from './subagents-view.ts'
import type { SubagentsView } from './subagents-view.ts'

/** What stands at the top of a session's page. */
export interface SessionHead {
  readonly session: SessionRow & { readonly externalId: string; readonly entries: number; readonly redactions: number }
  readonly total: SumView
  readonly models: readonly { readonly name: string; readonly cost: SumView['cost'] }[]
  /** Branches that its requests were made on, the most expensive first; none where there is at most one. */
  readonly branches: readonly { readonly name: string; readonly cost: SumView['cost'] }[]
  /** How many more there are. */
  readonly branchesLeft: number
  /** What is missing in its sums. */
  readonly remarks: readonly Remark[]
}

const MOST_MODELS = 8
const MOST_BRANCHES = 12

/** Remarks on lines that are left out, of one session. */
const MOST_LEFT_OUT = 5
/** Shorter ids may be parts of other names. */
const SHORTEST_ID = 8

/**
 * Returns what imports left out of lines of a session's transcripts: those whose path has its agent's id in it, at most
 * `MOST_LEFT_OUT` and how many more. None for an id too short to tell.
 */
const leftOut = (skips: readonly ImportSkip[], externalId: string): readonly Remark[] => {
  if (externalId.length < SHORTEST_ID) return []
  const own = skips.filter(({ file, line }) => line !== undefined && file.includes(externalId))
  const told = own.slice(0, MOST_LEFT_OUT).map(({ file, line = 0, count, reason }) => {
    const lines =
      count === 1
        ? `line ${line.toLocaleString('en-US')}`
        : `${count.toLocaleString('en-US')} lines from line ${line.toLocaleString('en-US')} on`
    return { text: `Left out on import: ${lines} of ${file.split(/[\\/]/).at(-1) ?? file} (${reason}).` }
  })
  const rest = own.length - told.length
  return rest === 0 ? told : [...told, { text: `Left out on import for ${rest.toLocaleString('en-US')} more reasons.` }]
}

/** Returns what imports left out; empty for a role of a team that is not shown it. */
const shownSkips = (imports: Pick<ImportStorage, 'skips'>): Promise<readonly ImportSkip[]> =>
  imports.skips().catch((error: unknown) => {
    if (CairnError.is(error) && error.code === 'disabled') return []
    throw error
  })

/**
 * Returns the facts and sums of a session, with at most `MOST_MODELS` models; undefined for an unknown session. Rejects
 * as the store does. Branches are named if there are several; `branchesLeft` counts those beyond `MOST_BRANCHES`.
 * Models and branches are dearest first.
 * @param now ms
 */
export const sessionHead = async (
  store: {
    readonly sessions: Pick<SessionStorage, 'get'>
    readonly usage: Pick<UsageStorage, 'report'>
    readonly imports: Pick<ImportStorage, 'skips'>
  },
  id: string,
  now: number,
  names?: ProjectNames,
): Promise<SessionHead | undefined> => {
  const summary = await store.sessions.get(id)
  if (summary === undefined) return undefined
  const report = await store.usage.report({ by: 'model', filter: { session: id } })
  const byBranch = await store.usage.report({ by: 'branch', filter: { session: id } })
  const branches = byBranch.rows.length > 1 ? byBranch.rows : []
  return {
    session: {
      ...sessionRow(summary, names),
      externalId: summary.externalId,
      entries: summary.entries,
      redactions: summary.redactions,
    },
    total: sumView(report.total),
    models: report.rows.slice(0, MOST_MODELS).map((row) => ({ name: row.key, cost: sumView(row).cost })),
    branches: branches.slice(0, MOST_BRANCHES).map((row) => ({ name: row.key, cost: sumView(row).cost })),
    branchesLeft: Math.max(0, branches.length - MOST_BRANCHES),
    remarks: [
      ...remarksOn(report.total, await unpricedModels(store.usage, { filter: { session: id } }, now)),
      ...leftOut(await shownSkips(store.imports), summary.externalId),
    ],
  }
}

/** Returns the entries of a page (from 0, `ENTRY_PAGE` each) as the conversation shows them; empty beyond the end. */
export const entryPage = (
  sessions: Pick<SessionStorage, 'read'>,
  id: string,
  page: number,
): Promise<readonly EntryView[]> => readEntryViews(sessions, id, page * ENTRY_PAGE, ENTRY_PAGE, { showsEdits: true })

/** What a session's page shows of its subagents. */
export interface SessionContext {
  /** What subagents cost; null where there is none. */
  readonly subagents: SubagentsView | null
}

/** Returns what the subagents of a session cost; `subagents` is null if there are none. Rejects as the store does. */
export const sessionContext = async (usage: Pick<UsageStorage, 'requests'>, id: string): Promise<SessionContext> => ({
  subagents: subagentsView(await usage.requests(id)) ?? null,
})

/** Which of a session's requests are asked for. */
export interface RequestPageQuery {
  readonly id: string
  /** From 1; past the last one means the last. */
  readonly page: number
  readonly sort: RequestSort
  readonly order: Order
  /** The number of a request: the page with it is meant, whatever `page` says. */
  readonly request?: number | undefined
}

/**
 * Returns a page of a session's requests, sorted, and how many there are in all; a page past the last is the last. With
 * `request` it is the page that has that one, if there is one. Rejects as the store does.
 */
export const requestPage = async (
  usage: Pick<UsageStorage, 'requests'>,
  { id, page, sort, order, request }: RequestPageQuery,
): Promise<{ readonly rows: readonly RequestView[]; readonly count: number; readonly page: number }> => {
  const requests = await usage.requests(id)
  const sorted = sortedRequests(requests, sort, order)
  const position = sorted.findIndex(({ index }) => index + 1 === request)
  const asked = position < 0 ? page : Math.floor(position / REQUEST_PAGE) + 1
  const within = Math.max(1, Math.min(asked, Math.ceil(requests.length / REQUEST_PAGE)))
  const first = (within - 1) * REQUEST_PAGE
  return {
    rows: sorted.slice(first, first + REQUEST_PAGE).map(({ request, index }) => requestView(request, index)),
    count: requests.length,
    page: within,
  }
}
