/** The tables that can be taken along, each with the filters of its page. Money in USD with all of its digits. */
import { allInputTokens, cacheHitRatio, usdFromNano } from '@cairn/core'
import type { SessionStorage, Store, UsageRow, UsageTotals } from '@cairn/core'
import { dimensionReport } from '../dimension/dimension-query.ts'
import { DIMENSION_SORTS } from '../dimension/sorts.ts'
import { createOutlines } from '../session/outline.ts'
import { sessionQuery } from '../sessions/list-query.ts'
import { SESSION_SORTS } from '../sessions/sorts.ts'
import { costSplit } from '../usage/cost-split.ts'
import { DIMENSIONS } from '../usage/dimension.ts'
import { readSelection } from '../usage/selection.ts'
import { selectedUsage } from '../usage/selection-input.ts'
import type { SelectionInput } from '../usage/selection-input.ts'
import type { ExportRow, ExportRows } from './format.ts'

export interface ExportTable {
  readonly columns: readonly string[]
  readonly rows: ExportRows
}

export const EXPORT_TABLES = ['day', ...DIMENSIONS, 'sessions', 'requests', 'files'] as const
export type ExportName = (typeof EXPORT_TABLES)[number]

const USAGE_COLUMNS = [
  'requests', 'inputTokens', 'cacheReadTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens', 'outputTokens', 'reasoningTokens', 'cacheHitRatio',
  'costUsd', 'inputCostUsd', 'cacheReadCostUsd', 'cacheWriteCostUsd', 'outputCostUsd', 'recordedCostUsd', 'savedUsd', 'unpricedRequests', 'partialRequests',
] as const

const usageCells = (totals: UsageTotals): ExportRow => {
  const split = costSplit(totals)
  return {
    requests: totals.requests,
    inputTokens: totals.inputTokens,
    cacheReadTokens: totals.cacheReadTokens,
    cacheWrite5mTokens: totals.cacheWrite5mTokens,
    cacheWrite1hTokens: totals.cacheWrite1hTokens,
    outputTokens: totals.outputTokens,
    reasoningTokens: totals.reasoningTokens,
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
  }
}

async function* once(rows: readonly ExportRow[]): AsyncGenerator<readonly ExportRow[]> {
  yield rows
}

const usageTable = (name: string, rows: readonly UsageRow[]): ExportTable => ({ columns: [name, ...USAGE_COLUMNS], rows: once(rows.map((row) => ({ [name]: row.key, ...usageCells(row) }))) })

const isoTime = (at: number | null): string | null => (at === null || Math.abs(at) > 8.64e15 ? null : new Date(at).toISOString())

/** Sessions that are held at once. */
const AT_ONCE = 2_000

async function* sessionRows(sessions: Pick<SessionStorage, 'list'>, query: ReturnType<typeof sessionQuery>): AsyncGenerator<readonly ExportRow[]> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const { sessions: some } = await sessions.list({ ...query, offset, limit: AT_ONCE })
    yield some.map((session) => ({
      id: session.id,
      title: session.title,
      agent: session.agent,
      project: session.workspace,
      branch: session.branch,
      startedAt: isoTime(session.startedAt),
      updatedAt: isoTime(session.updatedAt),
      messages: session.messages,
      requests: session.requests,
      costUsd: usdFromNano(session.costNano),
      unpricedRequests: session.unpricedRequests,
    }))
    if (some.length < AT_ONCE) return
  }
}

const selectionOf = (parameters: URLSearchParams): SelectionInput => {
  const { period, from, to, zone, filter } = readSelection(parameters)
  return { period, timeZone: zone ?? 'UTC', filter, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

const outlineOf = createOutlines(4)

const sessionTable = async (name: 'requests' | 'files', store: Store, id: string): Promise<ExportTable | undefined> => {
  const session = await store.sessions.get(id)
  if (session === undefined) return undefined
  if (name === 'files') {
    const { files } = (await outlineOf(store.sessions, session)).files
    const columns = ['path', 'reads', 'rereads', 'edits', 'failures', 'readTokens', 'rereadTokens']
    return { columns, rows: once(files.map(({ path, reads, rereads, edits, failures, readTokens, rereadTokens }) => ({ path, reads, rereads, edits, failures, readTokens, rereadTokens }))) }
  }
  const columns = ['at', 'model', 'mode', 'subagent', 'inputTokens', 'cacheReadTokens', 'cacheWrite5mTokens', 'cacheWrite1hTokens', 'contextTokens', 'outputTokens', 'costUsd', 'costState', 'partial']
  const rows = (await store.usage.requests(id)).map((request) => ({
    at: isoTime(request.at),
    model: request.model,
    mode: request.mode,
    subagent: request.subagent,
    inputTokens: request.inputTokens,
    cacheReadTokens: request.cacheReadTokens,
    cacheWrite5mTokens: request.cacheWrite5mTokens,
    cacheWrite1hTokens: request.cacheWrite1hTokens,
    contextTokens: allInputTokens(request),
    outputTokens: request.outputTokens,
    costUsd: request.costNano === null ? null : usdFromNano(request.costNano),
    costState: request.costState,
    partial: request.partial,
  }))
  return { columns, rows: once(rows) }
}

/**
 * A table as it stands on its page, whole.
 * @param now ms
 * @returns undefined for the table of a session that nobody knows
 */
export const exportTable = async (name: ExportName, parameters: URLSearchParams, store: Store, now: number): Promise<ExportTable | undefined> => {
  if (name === 'requests' || name === 'files') return sessionTable(name, store, parameters.get('session') ?? '')
  const selection = selectionOf(parameters)
  const text = (parameters.get('q') ?? '').slice(0, 200)
  const wanted = parameters.get('sort')
  if (name === 'sessions') {
    const query = sessionQuery({ selection, text, sort: SESSION_SORTS.find((known) => known === wanted) ?? 'updated' }, now)
    const columns = ['id', 'title', 'agent', 'project', 'branch', 'startedAt', 'updatedAt', 'messages', 'requests', 'costUsd', 'unpricedRequests']
    return { columns, rows: sessionRows(store.sessions, query) }
  }
  if (name === 'day') return usageTable('day', (await store.usage.report({ ...selectedUsage(selection, now).query, by: 'day' })).rows)
  const { rows } = await dimensionReport(store.usage, { selection, dimension: name, text, sort: DIMENSION_SORTS.find((known) => known === wanted) ?? 'cost' }, now)
  return usageTable(name, rows)
}
