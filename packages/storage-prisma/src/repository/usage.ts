/** Usage, summed: by day, week and month in any time zone, and by dimension. */
import {
  addTotals,
  assertTimeZone,
  emptyTotals,
  isPartial,
  isUsagePeriod,
  missingOutputCostNano,
  periodKey,
  storedCostSplit,
} from '@cairn/core'
import type {
  FailureQuery,
  FailureSum,
  Movers,
  MoversQuery,
  ProviderSum,
  ProviderSumsQuery,
  RequestFailure,
  RequestRange,
  StoredRequest,
  SubagentSum,
  SubagentSumsQuery,
  UsageDimension,
  UsagePeriod,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageStorage,
  UsageTotals,
} from '@cairn/core'
import { unequalSums } from '../sql/damaged.ts'
import type { SqlValue } from '../sql/database.ts'
import type { StoreContext } from './store-context.ts'
import { dimensionIds, workspaceIdsAt } from './dimension-ids.ts'
import { MarginReports } from './margin-reports.ts'
import { providerSums } from './provider-sums.ts'
import { sessionMovers } from './session-movers.ts'
import { subagentSums } from './subagent-sums.ts'
import { dimensionColumn, dimensionCondition, foldedRows, groupNames, ofMachines } from './usage-groups.ts'
import { storableText } from './labels.ts'
import { required } from '../sql/required.ts'
import { tokensOfRow } from '../sql/token-columns.ts'
import { assertRowsIntact, checkedColumns } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { addFailure, failureSums } from './request-failures.ts'
import { costStates, timingOf } from './request-merge.ts'
import type { UsageFactRow } from './request-merge.ts'
import { assertNamesIntact, assertReportsIntact, assertRequestsIntact, assertSessionsIntact } from './integrity.ts'
import { sumsByDay } from './usage-days.ts'
import type { Extent } from './usage-days.ts'
import {
  CROSS_CHECK_KEY,
  sumsAgree,
  crossCheckSum,
  dearestFirst,
  textSumExpressions,
  textColumns,
  sumExpressions,
  totalsOf,
} from './usage-rows.ts'
import type { SumRow } from './usage-rows.ts'
import { usageSource } from './usage-source.ts'
import type { Condition } from './usage-source.ts'

const BUCKET_MS = 900_000
const FACT_COLUMNS = checkedColumns(tables.usage)
  .map((column) => `usage_fact."${column}"`)
  .join(', ')

/** Requests of a session in order of time, those without one at the end; and the other way round. */
const OLDEST_FIRST = 'ORDER BY usage_fact."at" IS NULL, usage_fact."at", usage_fact.id'
const NEWEST_FIRST = 'ORDER BY usage_fact."at" IS NULL DESC, usage_fact."at" DESC, usage_fact.id DESC'

const NO_FILTER: Condition = { sql: '', parameters: [] }

/** The key of the row of totals; ids are never negative. */
const TOTAL_KEY = -1
/** Up to this many sessions are listed in a statement. */
const FEW_SESSIONS = 1_000

/**
 * A `WHERE` clause that keeps the most expensive rows of the table `sumExpressions`. Ties with the last one stay, too:
 * their names decide which of them are in the report, and are looked up for these few only.
 */
const dearestClause = (limit: number | undefined): string =>
  limit === undefined
    ? ''
    : `WHERE COALESCE((cost_nano, requests) >= (SELECT cost_nano, requests FROM sums
         ORDER BY cost_nano DESC, requests DESC LIMIT 1 OFFSET ${Math.max(0, limit - 1)}), TRUE)`

/** Which requests a query is about. */
interface FolderFilter {
  readonly filter?: UsageQuery['filter'] | undefined
  readonly workspaces?: readonly string[]
}

/** Usage reports from rollups and single requests on SQLite or PostgreSQL. For its methods see {@link UsageStorage}. */
export class PrismaUsageStorage implements UsageStorage {
  readonly #context: StoreContext
  readonly #margins: MarginReports

  constructor(context: StoreContext) {
    this.#context = context
    this.#margins = new MarginReports(context.database)
  }

  /**
   * Sums by the query's key: periods in order of time, unknown times last, with a limit the last so many; other keys by
   * cost, the highest first, with a limit the first so many. `total` is of all. Rejects if stored sums do not agree.
   */
  async report(query: UsageQuery): Promise<UsageReport> {
    await assertReportsIntact(this.#context.database)
    const filter = await this.#filter(query)
    const { by } = query
    if (!isUsagePeriod(by)) return this.#byDimension(query, by, filter)
    const rows = await this.#byPeriod(query, by, filter)
    const total = rows.reduce<UsageTotals>(addTotals, emptyTotals)
    return { rows: query.limit === undefined ? rows : rows.slice(Math.max(0, rows.length - query.limit)), total }
  }

  /** The sessions whose cost changed most, as {@link sessionMovers}. Rejects if stored sums are damaged. */
  async sessionMovers(query: MoversQuery): Promise<Movers> {
    await assertReportsIntact(this.#context.database)
    return sessionMovers(this.#context.database, query, await this.#filter(query))
  }

  /** Sums by provider, as {@link providerSums}. Rejects if stored sums are damaged. */
  async providerSums(query: ProviderSumsQuery): Promise<readonly ProviderSum[]> {
    await assertReportsIntact(this.#context.database)
    return providerSums(this.#context.database, query, await this.#filter(query))
  }

  /** What subagents used, by session, as {@link subagentSums}. Rejects if stored sums are damaged. */
  async subagentSums(query: SubagentSumsQuery): Promise<readonly SubagentSum[]> {
    await assertReportsIntact(this.#context.database)
    return subagentSums(this.#context.database, query, await this.#filter(query))
  }

  /**
   * The requests of a session, the oldest first; only the newest `last` if given. Rejects if a row is damaged. Empty
   * for an unknown session. A model that was not named is `unknown`.
   */
  async requests(sessionId: string, { last }: RequestRange = {}): Promise<readonly StoredRequest[]> {
    interface Row extends UsageFactRow {
      readonly model: string | null
      readonly provider: string | null
      readonly mode: string | null
      readonly subagent: string | null
      readonly workspace: string | null
      readonly cost_text: string | null
    }
    const isLast = last !== undefined
    const found = await this.#context.database.all<Row>(
      `SELECT ${FACT_COLUMNS}, model.value AS model, provider.value AS provider, mode.value AS mode,
         subagent.value AS subagent, workspace.path AS workspace, CAST(cost_nano AS TEXT) AS cost_text
       FROM usage_fact
       LEFT JOIN label AS model ON model.id = model_id LEFT JOIN label AS provider ON provider.id = provider_id
       LEFT JOIN label AS mode ON mode.id = mode_id LEFT JOIN label AS subagent ON subagent.id = subagent_id
       LEFT JOIN workspace ON workspace.id = workspace_id
       WHERE session_id = (SELECT id FROM session WHERE "key" = ?) ${isLast ? `${NEWEST_FIRST} LIMIT ?` : OLDEST_FIRST}`,
      [storableText(sessionId), ...(isLast ? [last] : [])],
    )
    const rows = isLast ? found.reverse() : found
    assertRowsIntact(this.#context.database.location, tables.usage, rows)
    await assertNamesIntact(this.#context.database)
    await assertRequestsIntact(this.#context.database, storableText(sessionId))
    return rows.map((row) => {
      const costState = required(costStates[row.cost_state], 'the cost state of a request')
      const reply = { outputTokens: row.output_tokens, costState, outputRate: BigInt(row.output_rate) }
      return {
        at: row.at,
        model: row.model ?? 'unknown',
        provider: row.provider,
        mode: row.mode,
        subagent: row.subagent,
        workspace: row.workspace,
        ...tokensOfRow(row),
        costNano: row.cost_text === null ? null : BigInt(row.cost_text),
        costState,
        ...storedCostSplit(costState, {
          cacheReadNano: BigInt(row.cost_cache_read),
          cacheWriteNano: BigInt(row.cost_cache_write),
          outputNano: BigInt(row.cost_output),
        }),
        partial: isPartial(row.output_tokens, row.visible_chars),
        missingOutputCostNano: missingOutputCostNano(reply, row.visible_chars),
        ...timingOf(row),
      }
    })
  }

  addFailure(sessionId: string, failure: RequestFailure): Promise<void> {
    return addFailure(this.#context, sessionId, failure)
  }

  failures(query?: FailureQuery): Promise<readonly FailureSum[]> {
    return failureSums(this.#context, query)
  }

  /**
   * Sums by period in the query's time zone, those without requests left out. Rejects for a wrong time zone, or if
   * stored sums do not agree. In order of time; requests without a time are `unknown`, last.
   */
  async #byPeriod(query: UsageQuery, by: UsagePeriod, filter: Condition): Promise<readonly UsageRow[]> {
    assertTimeZone(query.timeZone ?? 'UTC')
    const range = { since: query.since, until: query.until }
    const rows = await sumsByDay(this.#context.database, range, await this.#extent(), query.timeZone ?? 'UTC', filter)
    if (!sumsAgree(rows)) throw unequalSums(this.#context.database.location)
    const periods = new Map<string, UsageTotals>()
    for (const row of rows.toSorted((left, right) => left.group_key - right.group_key)) {
      if (row.group_key === CROSS_CHECK_KEY) continue
      // A day whose requests all belong to its neighbours.
      if (row.requests === 0) continue
      const key = row.group_key < 0 ? 'unknown' : periodKey(by, row.group_key)
      periods.set(key, addTotals(periods.get(key) ?? emptyTotals, totalsOf(row)))
    }
    // Unknown times come last.
    return [...periods]
      .map(([key, totals]) => ({ key, ...totals }))
      .sort((left, right) => Number(left.key === 'unknown') - Number(right.key === 'unknown'))
  }

  /** Sums by a dimension; few sessions are found by a shorter way. The most expensive first. */
  async #byDimension(query: UsageQuery, by: UsageDimension, filter: Condition): Promise<UsageReport> {
    if (by === 'session' && query.limit !== undefined && query.limit <= FEW_SESSIONS)
      return this.#dearestSessions(query, query.limit, filter)
    // SQLite compares the sums that it reads with those of another dimension each time.
    if (MarginReports.has(by) && filter.sql === '' && this.#context.database.dialect === 'postgresql')
      return this.#margins.report(query, by)
    return this.#allOf(query, by, filter)
  }

  /**
   * The report by session for the few most expensive sessions: these are found by their cost alone, then summed; the total,
   * of all sessions, comes from the small rollups. If too many cost the same, it is made like any other report.
   */
  async #dearestSessions(query: UsageQuery, limit: number, filter: Condition): Promise<UsageReport> {
    const range = { since: query.since, until: query.until }
    const source = usageSource({ key: 'session_id', filtered: filter.sql !== '' }, range, filter, [
      'requests',
      'cost_nano',
    ])
    const ids = await this.#idsOfDearest(source, limit)
    // Too many sessions with the same cost to list them in a statement.
    if (ids.length > 2 * FEW_SESSIONS) return this.#allOf(query, 'session', filter)
    const { total } = await this.#byDimension({ ...query, limit: 1 }, 'agent', filter)
    if (ids.length === 0) return { rows: [], total }
    const only = {
      sql: `${filter.sql} AND session_id IN (${ids.map(() => '?').join(', ')})`,
      parameters: [...filter.parameters, ...ids],
    }
    return { rows: (await this.#allOf({ ...query, limit }, 'session', only)).rows, total }
  }

  /**
   * Row ids of the `limit` most expensive sessions of a source (by cost, then requests) and the next one, or all that
   * tie with the last of them. Without an order.
   */
  async #idsOfDearest(source: Condition, limit: number): Promise<readonly number[]> {
    const { database } = this.#context
    const sums = `SELECT session_id, sum(cost_nano) AS cost_nano, sum(requests) AS requests FROM ${source.sql} GROUP BY session_id HAVING sum(requests) <> 0`
    const rows = await database.all<{ session_id: number; cost_text: string; requests: number }>(
      `SELECT session_id, CAST(cost_nano AS TEXT) AS cost_text, requests FROM (${sums}) AS sums
       ORDER BY cost_nano DESC, requests DESC LIMIT ${limit + 1}`,
      source.parameters,
    )
    const [last, next] = [rows[limit - 1], rows[limit]]
    const isTie =
      next !== undefined &&
      (last === undefined || (last.cost_text === next.cost_text && last.requests === next.requests))
    // Ties are rare, and listing all of them takes twice as long.
    const found = isTie
      ? await database.all<{ session_id: number }>(
          `WITH sums AS (${sums}) SELECT session_id FROM sums ${dearestClause(limit)}`,
          source.parameters,
        )
      : rows
    return found.map((row) => row.session_id)
  }

  /**
   * Sums by a dimension, all of them. For projects, people and machines several groups may become one row, so that the
   * limit is applied afterwards. The most expensive first; names that are not known are one row, `unknown`. `total` is
   * of all, beyond the limit too.
   */
  async #allOf(query: UsageQuery, by: UsageDimension, filter: Condition): Promise<UsageReport> {
    const column = dimensionColumn[by]
    const range = { since: query.since, until: query.until }
    const ofColumn = usageSource({ key: column, filtered: filter.sql !== '' }, range, filter)
    const isOfMachines = by === 'person' || by === 'machine'
    const [key, source] = isOfMachines ? (['machine_id', ofMachines(ofColumn)] as const) : ([column, ofColumn] as const)
    // Several groups of the database may be one row: which rows are the dearest is known afterwards.
    const limit = by === 'project' || isOfMachines ? undefined : query.limit
    // The sums of one rollup must equal those of another; with a filter only one has them.
    const other: Condition = filter.sql === '' ? crossCheckSum(column, range) : NO_FILTER
    // Paged in the database: a store may have a hundred thousand sessions.
    const rows = await this.#context.database.all<SumRow>(
      `WITH sums AS (SELECT ${key} AS group_key, ${sumExpressions} FROM ${source.sql} GROUP BY ${key} HAVING sum(requests) <> 0)
       SELECT group_key, ${textColumns} FROM sums ${dearestClause(limit)}
       UNION ALL SELECT ${TOTAL_KEY} AS group_key, ${textSumExpressions} FROM sums${other.sql}`,
      [...source.parameters, ...other.parameters],
    )
    const total = rows.find((row) => row.group_key === TOTAL_KEY)
    if (!sumsAgree(rows.filter((row) => row.group_key < 0))) throw unequalSums(this.#context.database.location)
    const groups = rows.filter((row) => row.group_key >= 0)
    const ids = groups.map((row) => row.group_key)
    const { database } = this.#context
    if (by === 'session' && ids.length <= FEW_SESSIONS) await assertSessionsIntact(database, ids)
    const names = await groupNames(database, by, ids)
    const named = foldedRows(
      groups.map((row): UsageRow => ({ key: names.get(row.group_key) ?? 'unknown', ...totalsOf(row) })),
    )
    return {
      rows: named.toSorted(dearestFirst).slice(0, query.limit),
      total: total === undefined || total.requests === null ? emptyTotals : totalsOf(total),
    }
  }

  /**
   * First and last time in the store, ms; undefined when no request has a time. Rounded to quarters of an hour, the end
   * not included.
   */
  async #extent(): Promise<Extent | undefined> {
    const rows = await this.#context.database.all<{ first: number | null; last: number | null }>(
      'SELECT (SELECT min(bucket) FROM usage_total WHERE bucket >= 0) AS first, (SELECT max(bucket) FROM usage_total) AS last',
    )
    const { first, last } = rows[0] ?? { first: null, last: null }
    return first === null || last === null || last < 0
      ? undefined
      : { first: first * BUCKET_MS, last: (last + 1) * BUCKET_MS }
  }

  /** The SQL condition of a filter and of folders, '' for none; an unknown value fits nothing. Conditions begin with AND. */
  async #filter({ filter, workspaces }: FolderFilter): Promise<Condition> {
    const conditions: string[] = []
    const parameters: SqlValue[] = []
    if (workspaces !== undefined) {
      const ids = await workspaceIdsAt(this.#context.database, workspaces)
      conditions.push(dimensionCondition('workspace', ids))
      parameters.push(...ids)
    }
    for (const [dimension, value] of Object.entries(filter ?? {}) as [UsageDimension, string | undefined][]) {
      if (value === undefined) continue
      const ids = await dimensionIds(this.#context.database, dimension, value)
      conditions.push(dimensionCondition(dimension, ids))
      parameters.push(...ids)
    }
    return { sql: conditions.join(''), parameters }
  }
}
