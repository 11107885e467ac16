/**
 * Usage, summed. Whole quarters of an hour come from a rollup, what a range cuts off at its ends from
 * the facts; long ranges by anything but time use the day rollup for the whole UTC days inside. All of
 * them sum the same rows, so every view gives the same total.
 */
import { emptyTotals, addTotals, periodKey, zoneOffsets } from '@cairn/core'
import type { CostState, StoredRequest, UsageDimension, UsagePeriod, UsageQuery, UsageReport, UsageRow, UsageStorage, UsageTotals } from '@cairn/core'
import type { SqlValue } from '../sql/database.ts'
import type { StoreContext } from './context.ts'
import { labelKind, storableText } from './labels.ts'
import { tables } from '../sql/schema.ts'
import { costStates } from './request-merge.ts'
import { sumColumns } from './rollups.ts'

const BUCKET_MS = 900_000
const BUCKETS_PER_DAY = 96
const DAY_MS = 86_400_000
/** Ranges shorter than this gain nothing from the day rollup. */
const LONG_RANGE_DAYS = 3

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
  readonly unpriced: number
  readonly partial: number
  readonly missing_output: number
}

interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
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

/** The facts in the form of a rollup. Mirrors `rollupRowOf`. */
const FACTS = `(SELECT "at", session_id, workspace_id, model_id, mode_id, agent_id, branch_id, 1 AS requests, input_tokens, cache_read,
  cache_write_5m, cache_write_1h, output_tokens, reasoning_tokens, COALESCE(cost_nano, 0) AS cost_nano,
  CASE WHEN cost_state = 0 THEN COALESCE(cost_nano, 0) ELSE 0 END AS recorded_nano, CASE WHEN cost_state = 2 THEN 1 ELSE 0 END AS unpriced,
  CASE WHEN output_tokens * 54 < visible_chars * 10 THEN 1 ELSE 0 END AS partial,
  CASE WHEN output_tokens * 54 < visible_chars * 10 THEN (visible_chars * 10 + 26) / 27 - output_tokens ELSE 0 END AS missing_output
  FROM usage_fact) AS facts`

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
    const source = rangeSource('bucket', query, filter)
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
    const source = rangeSource(column, query, filter)
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
      'SELECT (SELECT min(bucket) FROM usage_quarter WHERE bucket >= 0) AS first, (SELECT max(bucket) FROM usage_quarter) AS last',
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

/** A row source over the query's range with the group's column and all sums; `group` is `bucket` or a dimension. */
const rangeSource = (group: string, query: UsageQuery, filter: Condition): Condition => {
  const parts: Condition[] = []
  const add = (table: string, key: string, condition: string, parameters: readonly SqlValue[]): void => {
    parts.push({ sql: `SELECT ${key}, ${sumColumns.join(', ')} FROM ${table} WHERE ${condition}${filter.sql}`, parameters: [...parameters, ...filter.parameters] })
  }
  const { since, until } = query
  if (since === undefined && until === undefined) {
    // Everything, requests without a time included.
    if (group === 'bucket') add('usage_quarter', 'bucket', 'TRUE', [])
    else add('usage_day', group, 'TRUE', [])
    return union(parts)
  }
  const firstBucket = since === undefined ? 0 : Math.ceil(since / BUCKET_MS)
  const endBucket = until === undefined ? undefined : Math.floor(until / BUCKET_MS)
  if (endBucket !== undefined && endBucket < firstBucket) {
    addFacts(add, group, since ?? 0, until)
    return union(parts)
  }
  if (since !== undefined && since < firstBucket * BUCKET_MS) addFacts(add, group, since, firstBucket * BUCKET_MS)
  if (until !== undefined && endBucket !== undefined && until > endBucket * BUCKET_MS) addFacts(add, group, endBucket * BUCKET_MS, until)

  const firstDay = Math.ceil(firstBucket / BUCKETS_PER_DAY)
  const endDay = endBucket === undefined ? undefined : Math.floor(endBucket / BUCKETS_PER_DAY)
  if (group !== 'bucket' && (endDay === undefined || endDay - firstDay >= LONG_RANGE_DAYS)) {
    add('usage_day', group, endDay === undefined ? 'day >= ?' : 'day >= ? AND day < ?', endDay === undefined ? [firstDay] : [firstDay, endDay])
    addBuckets(add, group, firstBucket, firstDay * BUCKETS_PER_DAY)
    if (endDay !== undefined && endBucket !== undefined) addBuckets(add, group, endDay * BUCKETS_PER_DAY, endBucket)
  } else {
    addBuckets(add, group, firstBucket, endBucket)
  }
  // A range of no length has no part.
  if (parts.length === 0) add('usage_quarter', group, 'FALSE', [])
  return union(parts)
}

type Add = (table: string, key: string, condition: string, parameters: readonly SqlValue[]) => void

const addBuckets = (add: Add, group: string, from: number, to: number | undefined): void => {
  if (to === undefined) add('usage_quarter', group, 'bucket >= ?', [from])
  else if (to > from) add('usage_quarter', group, 'bucket >= ? AND bucket < ?', [from, to])
}

const addFacts = (add: Add, group: string, from: number, to: number | undefined): void => {
  const key = group === 'bucket' ? `"at" / ${BUCKET_MS} AS bucket` : group
  add(FACTS, key, to === undefined ? '"at" >= ?' : '"at" >= ? AND "at" < ?', to === undefined ? [from] : [from, to])
}

const union = (parts: readonly Condition[]): Condition => ({
  sql: `(${parts.map((part) => part.sql).join(' UNION ALL ')}) AS source`,
  parameters: parts.flatMap((part) => part.parameters),
})

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
  unpricedRequests: row.unpriced,
  partialRequests: row.partial,
  missingOutputTokens: row.missing_output,
})
