/** Usage, summed: by day, week and month in any time zone, and by dimension. */
import { emptyTotals, addTotals, periodKey, zoneOffsets } from '@cairn/core'
import type { CostState, StoredRequest, UsageDimension, UsagePeriod, UsageQuery, UsageReport, UsageRow, UsageStorage, UsageTotals } from '@cairn/core'
import type { SqlValue } from '../sql/database.ts'
import type { StoreContext } from './context.ts'
import { labelKind, storableText } from './labels.ts'
import { tables } from '../sql/schema.ts'
import { costStates } from './request-merge.ts'
import { sumColumns } from './rollups.ts'
import { sourceOf } from './usage-source.ts'
import type { Condition } from './usage-source.ts'

const BUCKET_MS = 900_000
const DAY_MS = 86_400_000

const dimensionColumn: Readonly<Record<UsageDimension, string>> = {
  session: 'session_id',
  model: 'model_id',
  mode: 'mode_id',
  workspace: 'workspace_id',
  branch: 'branch_id',
  agent: 'agent_id',
}

interface SumRow {
  readonly group_key: number
  /** Null in the sum of nothing. */
  readonly requests: number | null
  readonly input_tokens: number
  readonly cache_read: number
  readonly cache_write_5m: number
  readonly cache_write_1h: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  readonly cost_nano: string
  readonly recorded_nano: string
  readonly cost_cache_read_nano: string
  readonly cost_cache_write_nano: string
  readonly cost_output_nano: string
  readonly saved_nano: string
  readonly unpriced: number
  readonly partial: number
  readonly missing_output: number
}

/** `bigint` in either dialect: PostgreSQL's sum of bigints is a numeric. */
const sums = sumColumns.map((column) => `sum(${column}) AS ${column}`).join(', ')
const outerSums = sumColumns
  .map((column) => (column.endsWith('_nano') ? `CAST(sum(${column}) AS TEXT) AS ${column}` : `sum(${column}) AS ${column}`))
  .join(', ')

/** The same of rows that are summed already. */
const textSums = sumColumns.map((column) => (column.endsWith('_nano') ? `CAST(${column} AS TEXT) AS ${column}` : column)).join(', ')

/** Stands for all groups together; ids are never negative. */
const TOTAL_KEY = -1
const NO_LIMIT = 2_147_483_647
/** From here on reading all names is faster than looking each up. */
const MANY_IDS = 20_000

interface NameRow {
  readonly id: number
  readonly name: string
}

const dearestFirst = (left: UsageRow, right: UsageRow): number =>
  left.costNano === right.costNano ? right.requests - left.requests || (left.key < right.key ? -1 : 1) : left.costNano < right.costNano ? 1 : -1

export class PrismaUsageStorage implements UsageStorage {
  readonly #context: StoreContext

  constructor(context: StoreContext) {
    this.#context = context
  }

  async report(query: UsageQuery): Promise<UsageReport> {
    const filter = await this.#filter(query)
    if (query.by !== 'day' && query.by !== 'week' && query.by !== 'month') return this.#byDimension(query, query.by, filter)
    const rows = await this.#byPeriod(query, query.by, filter)
    const total = rows.reduce<UsageTotals>(addTotals, emptyTotals)
    return { rows: query.limit === undefined ? rows : rows.slice(Math.max(0, rows.length - query.limit)), total }
  }

  async requests(sessionId: string): Promise<readonly StoredRequest[]> {
    interface Row {
      readonly at: number | null
      readonly model: string | null
      readonly mode: string | null
      readonly subagent: string | null
      readonly input_tokens: number
      readonly cache_read: number
      readonly cache_write_5m: number
      readonly cache_write_1h: number
      readonly output_tokens: number
      readonly reasoning_tokens: number
      readonly cost_text: string | null
      readonly cost_state: number
      readonly visible_chars: number
    }
    const rows = await this.#context.database.all<Row>(
      `SELECT usage_fact."at", model.value AS model, mode.value AS mode, subagent.value AS subagent, input_tokens, cache_read, cache_write_5m,
         cache_write_1h, output_tokens, reasoning_tokens, CAST(cost_nano AS TEXT) AS cost_text, cost_state, visible_chars
       FROM usage_fact
       LEFT JOIN label AS model ON model.id = model_id LEFT JOIN label AS mode ON mode.id = mode_id LEFT JOIN label AS subagent ON subagent.id = subagent_id
       WHERE session_id = (SELECT id FROM session WHERE "key" = ?) ORDER BY usage_fact."at" IS NULL, usage_fact."at", usage_fact.id`,
      [storableText(sessionId)],
    )
    return rows.map((row) => ({
      at: row.at,
      model: row.model ?? 'unknown',
      mode: row.mode,
      subagent: row.subagent,
      inputTokens: row.input_tokens,
      cacheReadTokens: row.cache_read,
      cacheWrite5mTokens: row.cache_write_5m,
      cacheWrite1hTokens: row.cache_write_1h,
      outputTokens: row.output_tokens,
      reasoningTokens: row.reasoning_tokens,
      costNano: row.cost_text === null ? null : BigInt(row.cost_text),
      costState: costStates[row.cost_state] as CostState,
      partial: row.output_tokens * 54 < row.visible_chars * 10,
    }))
  }

  async #byPeriod(query: UsageQuery, by: UsagePeriod, filter: Condition): Promise<readonly UsageRow[]> {
    const timeZone = query.timeZone ?? 'UTC'
    const range = await this.#extent(query)
    // First by bucket, in the order of the table; only then by day: half the time of doing both at once.
    const source = sourceOf({ key: 'bucket', filtered: filter.sql !== '' }, { since: query.since, until: query.until }, filter)
    const offsets = range === undefined ? [] : zoneOffsets(timeZone, range.first, range.last)
    const offset = offsets.reduce((earlier, { from, offsetMs }, index) => (index === 0 ? `${offsetMs}` : `CASE WHEN CAST(bucket AS BIGINT) * ${BUCKET_MS} >= ${from} THEN ${offsetMs} ELSE ${earlier} END`), '0')
    const rows = await this.#context.database.all<SumRow>(
      `SELECT day AS group_key, ${outerSums} FROM (
         SELECT CASE WHEN bucket < 0 THEN -1 ELSE (CAST(bucket AS BIGINT) * ${BUCKET_MS} + (${offset})) / ${DAY_MS} END AS day, ${sumColumns.join(', ')}
         FROM (SELECT bucket, ${sums} FROM ${source.sql} GROUP BY bucket) AS buckets) AS days
       GROUP BY day ORDER BY day`,
      source.parameters,
    )
    const periods = new Map<string, UsageTotals>()
    for (const row of rows) {
      const key = row.group_key < 0 ? 'unknown' : periodKey(by, row.group_key)
      periods.set(key, addTotals(periods.get(key) ?? emptyTotals, totalsOf(row)))
    }
    // What has no time comes last.
    return [...periods].map(([key, totals]) => ({ key, ...totals })).sort((left, right) => Number(left.key === 'unknown') - Number(right.key === 'unknown'))
  }

  async #byDimension(query: UsageQuery, by: UsageDimension, filter: Condition): Promise<UsageReport> {
    const column = dimensionColumn[by]
    const source = sourceOf({ key: column, filtered: filter.sql !== '' }, { since: query.since, until: query.until }, filter)
    const limit = query.limit ?? NO_LIMIT
    // Sorted and cut in the database: a store may have a hundred thousand sessions.
    const rows = await this.#context.database.all<SumRow>(
      `WITH sums AS (SELECT ${column} AS group_key, ${sums} FROM ${source.sql} GROUP BY ${column})
       SELECT * FROM (SELECT group_key, ${textSums} FROM sums ORDER BY cost_nano DESC, requests DESC LIMIT ${limit}) AS dearest
       UNION ALL SELECT ${TOTAL_KEY} AS group_key, ${outerSums} FROM sums`,
      source.parameters,
    )
    const total = rows.find((row) => row.group_key === TOTAL_KEY)
    const groups = rows.filter((row) => row.group_key !== TOTAL_KEY)
    const names = await this.#names(by, groups.map((row) => row.group_key))
    const named = groups.map((row): UsageRow => ({ key: names.get(row.group_key) ?? 'unknown', ...totalsOf(row) }))
    return { rows: named.sort(dearestFirst), total: total === undefined || total.requests === null ? emptyTotals : totalsOf(total) }
  }

  async #names(by: UsageDimension, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const { database } = this.#context
    const [table, column] = by === 'session' ? ([tables.session, 'key'] as const) : by === 'workspace' ? ([tables.workspace, 'path'] as const) : ([tables.label, 'value'] as const)
    const rows =
      ids.length > MANY_IDS
        ? await database.all<NameRow>(`SELECT id, "${column}" AS name FROM ${table.name}`)
        : (await database.lookup<Readonly<Record<string, string>> & { readonly id: number }>(table, { columns: ['id', column], key: 'id' }, ids)).map((row) => ({ id: row.id, name: row[column] ?? '' }))
    return new Map(rows.map((row) => [row.id, row.name]))
  }

  /** First and last time that the answer can hold, ms: the zone's offsets are needed for these. */
  async #extent(query: UsageQuery): Promise<{ first: number; last: number } | undefined> {
    const rows = await this.#context.database.all<{ first: number | null; last: number | null }>(
      'SELECT (SELECT min(bucket) FROM usage_total WHERE bucket >= 0) AS first, (SELECT max(bucket) FROM usage_total) AS last',
    )
    const { first, last } = rows[0] ?? { first: null, last: null }
    if (first === null || last === null || last < 0) return undefined
    const stored = { first: first * BUCKET_MS, last: (last + 1) * BUCKET_MS }
    const start = Math.max(stored.first, query.since ?? stored.first)
    return { first: start, last: Math.max(start, Math.min(stored.last, query.until ?? stored.last)) }
  }

  async #filter(query: UsageQuery): Promise<Condition> {
    const conditions: string[] = []
    const parameters: SqlValue[] = []
    for (const [dimension, value] of Object.entries(query.filter ?? {}) as [UsageDimension, string | undefined][]) {
      if (value === undefined) continue
      const ids = (await this.#idsOf(dimension, value)).map((row) => row.id)
      if (value === 'unknown') ids.push(0)
      conditions.push(` AND ${dimensionColumn[dimension]} IN (${ids.length === 0 ? '-1' : ids.map(() => '?').join(', ')})`)
      parameters.push(...ids)
    }
    return { sql: conditions.join(''), parameters }
  }

  #idsOf(dimension: UsageDimension, value: string): Promise<{ id: number }[]> {
    const text = storableText(value)
    const { database } = this.#context
    if (dimension === 'session') return database.all('SELECT id FROM session WHERE "key" = ? OR external_id = ?', [text, text])
    if (dimension === 'workspace') return database.all('SELECT id FROM workspace WHERE "path" = ? OR name = ?', [text, text])
    return database.all('SELECT id FROM label WHERE kind = ? AND value = ?', [labelKind[dimension], text])
  }
}

const totalsOf = (row: SumRow): UsageTotals => ({
  requests: row.requests ?? 0,
  inputTokens: row.input_tokens,
  cacheReadTokens: row.cache_read,
  cacheWrite5mTokens: row.cache_write_5m,
  cacheWrite1hTokens: row.cache_write_1h,
  outputTokens: row.output_tokens,
  reasoningTokens: row.reasoning_tokens,
  costNano: BigInt(row.cost_nano),
  recordedCostNano: BigInt(row.recorded_nano),
  cacheReadCostNano: BigInt(row.cost_cache_read_nano),
  cacheWriteCostNano: BigInt(row.cost_cache_write_nano),
  outputCostNano: BigInt(row.cost_output_nano),
  savedNano: BigInt(row.saved_nano),
  unpricedRequests: row.unpriced,
  partialRequests: row.partial,
  missingOutputTokens: row.missing_output,
})
