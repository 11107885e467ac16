/** Usage of the in-memory store: every report is summed from the requests themselves. */
import { CairnError } from '../errors.ts'
import { invalidInput } from '../input.ts'
import type {
  FailureQuery,
  ProviderSum,
  ProviderSumsQuery,
  SubagentSum,
  SubagentSumsQuery,
  StoredRequest,
  UsageDimension,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageStorage,
  UsageTotals,
} from '../ports/usage-storage.ts'
import { isPartial, isUsagePeriod, missingOutputCostNano, storedCostSplit } from '../ports/usage-storage.ts'
import { pickTokens } from '../ports/price-book.ts'
import { UNKNOWN_KEY, localDayOf, offsetAt, periodKey } from '../usage/calendar.ts'
import { sumFailures } from '../usage/failures.ts'
import { moversOf } from '../usage/movers.ts'
import { orderedRows } from '../usage/report-rows.ts'
import { addTotals, emptyTotals, totalsOfRequest } from '../usage/totals.ts'
import { projectsOf } from '../projects/group-projects.ts'
import { foldersOf, workspacesOf } from './projects.ts'
import { isWorkspace, type StoreData, type StoredFailure, type StoredReport } from './data.ts'

type ProjectOf = ReadonlyMap<string, string>

/** A request's value of a dimension; `UNKNOWN_KEY` if it has none. */
const dimensionOf = (report: StoredReport, dimension: UsageDimension, projects: ProjectOf): string => {
  switch (dimension) {
    case 'session':
      return report.sessionId
    case 'agent':
      return report.agent
    case 'project':
      return projects.get(report.fact.workspace ?? '') ?? UNKNOWN_KEY
    // Nothing is sent to a store in memory by other machines.
    case 'person':
    case 'machine':
      return UNKNOWN_KEY
    default:
      return report.fact[dimension] ?? UNKNOWN_KEY
  }
}

/** The key of a request's row: its value, or its period in the query's time zone; `UNKNOWN_KEY` without a time. */
const keyOf = (report: StoredReport, query: UsageQuery, projects: ProjectOf): string => {
  if (!isUsagePeriod(query.by)) return dimensionOf(report, query.by, projects)
  const { at } = report.fact
  return at === null ? UNKNOWN_KEY : periodKey(query.by, localDayOf(at, offsetAt(query.timeZone ?? 'UTC', at)))
}

/**
 * Whether a request is in the query's range and has all values of its filter. One whose time is unknown is in no range.
 * `folders`: of the project that is asked for.
 */
const matches = (
  report: StoredReport,
  query: UsageQuery,
  projects: ProjectOf,
  folders: ReadonlySet<string>,
): boolean => {
  const { at } = report.fact
  if (query.since !== undefined && (at === null || at < query.since)) return false
  if (query.until !== undefined && (at === null || at >= query.until)) return false
  if (query.workspaces?.includes(report.fact.workspace ?? '') === false) return false
  return Object.entries(query.filter ?? {}).every(([dimension, wanted]) => {
    if (wanted !== UNKNOWN_KEY && dimension === 'workspace') return isWorkspace(report.fact.workspace, wanted)
    if (wanted !== UNKNOWN_KEY && dimension === 'project') return folders.has(report.fact.workspace ?? '')
    return dimensionOf(report, dimension as UsageDimension, projects) === wanted
  })
}

/** A request as it is stored: what it does not tell is null or left out. */
const toStoredRequest = ({ fact, visibleCharacters }: StoredReport): StoredRequest => ({
  at: fact.at,
  model: fact.model,
  provider: fact.provider ?? null,
  mode: fact.mode ?? null,
  subagent: fact.subagent ?? null,
  workspace: fact.workspace ?? null,
  ...pickTokens(fact),
  costNano: fact.costNano,
  costState: fact.costState,
  ...(fact.costSplit === undefined ? {} : storedCostSplit(fact.costState, fact.costSplit)),
  partial: isPartial(fact.outputTokens, visibleCharacters),
  missingOutputCostNano: missingOutputCostNano(fact, visibleCharacters),
  ...(fact.attempt === undefined ? {} : { attempt: fact.attempt }),
  ...(fact.latency === undefined ? {} : { latency: fact.latency }),
})

/**
 * Sums by the query's key: periods in the order of time, else by cost, the highest first. `limit` keeps the newest
 * periods, or the dearest rows; the total is of all.
 */
const reportOf = (data: StoreData, query: UsageQuery): UsageReport => {
  const sums = new Map<string, UsageTotals>()
  let total = emptyTotals
  const projects = projectsOf(workspacesOf(data))
  const folders = foldersOf(data, query.filter?.project)
  for (const report of data.requests.values()) {
    if (!matches(report, query, projects, folders)) continue
    const added = totalsOfRequest({ ...report.fact, visibleCharacters: report.visibleCharacters })
    const key = keyOf(report, query, projects)
    sums.set(key, addTotals(sums.get(key) ?? emptyTotals, added))
    total = addTotals(total, added)
  }
  const rows = [...sums].map(([key, totals]): UsageRow => ({ key, ...totals }))
  return { rows: orderedRows(rows, query), total }
}

/**
 * Sums by span, provider, agent, model and workspace; span 0 is before the first boundary, null has no time.
 * @throws CairnError `invalid-input` for boundaries that are no whole numbers
 */
const providerSumsOf = (data: StoreData, { boundaries, ...query }: ProviderSumsQuery): readonly ProviderSum[] => {
  if (!boundaries.every(Number.isSafeInteger))
    throw invalidInput('The boundaries of spans', 'whole numbers of milliseconds since 1970', boundaries)
  const sums = new Map<string, ProviderSum>()
  const projects = projectsOf(workspacesOf(data))
  const folders = foldersOf(data, query.filter?.project)
  for (const report of data.requests.values()) {
    if (!matches(report, { by: 'model', ...query }, projects, folders)) continue
    const { at, provider = null, model, workspace = null, costNano } = report.fact
    const span = at === null ? null : boundaries.filter((boundary) => boundary <= at).length
    const group = { span, provider, agent: report.agent, model, workspace, person: null, machine: null }
    const key = JSON.stringify(group)
    const { requests = 0, costNano: sum = 0n, unpricedRequests = 0 } = sums.get(key) ?? {}
    sums.set(key, {
      ...group,
      requests: requests + 1,
      costNano: sum + (costNano ?? 0n),
      unpricedRequests: unpricedRequests + (costNano === null ? 1 : 0),
    })
  }
  return [...sums.values()]
}

/**
 * The subagents of each session that has any, with their requests and cost; in no particular order. Requests without a
 * price count as 0.
 */
const subagentSumsOf = (data: StoreData, query: SubagentSumsQuery): readonly SubagentSum[] => {
  const projects = projectsOf(workspacesOf(data))
  const folders = foldersOf(data, query.filter?.project)
  const reports = [...data.requests.values()].filter(
    (report) => (report.fact.subagent ?? '') !== '' && matches(report, { by: 'session', ...query }, projects, folders),
  )
  return [...Map.groupBy(reports, ({ sessionId }) => sessionId)].map(([sessionId, made]) => ({
    sessionId,
    subagents: new Set(made.map(({ fact }) => fact.subagent)).size,
    requests: made.length,
    costNano: made.reduce((sum, { fact }) => sum + (fact.costNano ?? 0n), 0n),
    unpricedRequests: made.filter(({ fact }) => fact.costNano === null).length,
  }))
}

/**
 * Usage storage over the in-memory store's data. Rows of periods come in order of time, all others with the highest
 * cost first. A failure of a session that is not there rejects with `not-found`; one that is known already is kept as
 * it was.
 */
export const createInMemoryUsage = (data: StoreData): UsageStorage => ({
  report: async (query) => reportOf(data, query),
  sessionMovers: async ({ now, before, filter = {}, limit, ...folders }) =>
    moversOf(
      reportOf(data, { by: 'session', filter, ...folders, ...before }).rows,
      reportOf(data, { by: 'session', filter, ...folders, ...now }).rows,
      limit,
    ),
  providerSums: async (query) => providerSumsOf(data, query),
  subagentSums: async (query) => subagentSumsOf(data, query),
  requests: async (sessionId, { last = Number.MAX_SAFE_INTEGER } = {}) =>
    [...data.requests.values()]
      .filter((report) => report.sessionId === sessionId)
      .map(toStoredRequest)
      .sort((left, right) => (left.at ?? Number.MAX_VALUE) - (right.at ?? Number.MAX_VALUE))
      .slice(-last),
  addFailure: async (sessionId, failure) => {
    if (!data.sessions.has(sessionId)) throw new CairnError('not-found', `There is no session ${sessionId}.`)
    const key = JSON.stringify([sessionId, failure.id])
    if (!data.failures.has(key)) data.failures.set(key, { ...failure, sessionId })
  },
  failures: async (query = {}) =>
    sumFailures([...data.failures.values()].filter((failure) => isWanted(failure, query))),
})

const isWanted = ({ at, sessionId }: StoredFailure, query: FailureQuery): boolean =>
  at >= (query.since ?? Number.NEGATIVE_INFINITY) &&
  at < (query.until ?? Number.POSITIVE_INFINITY) &&
  sessionId === (query.sessionId ?? sessionId)
