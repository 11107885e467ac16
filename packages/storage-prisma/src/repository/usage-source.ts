/**
 * Where the sums of a range come from. A range is covered by the coarsest rollups that fit into it: whole
 * days, then whole quarters of an hour, and at its ends the facts themselves. Of a day that it has most of, the
 * rest is taken away from the whole. All of them sum the same facts, so however a range is cut the total is the same.
 */
import { partialReply } from '@cairn/core'
import type { SqlValue } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { tokenColumns } from '../sql/token-columns.ts'
import { marginNumber, sumColumns } from './rollups.ts'

const BUCKET_MS = 900_000
const DAY_MS = 86_400_000

export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** From `since` on and before `until`, ms; open where undefined. */
export interface Range {
  readonly since: number | undefined
  readonly until: number | undefined
}

/** A rollup: the start (ms) of the unit of its number, and the number of the unit that a time falls into. */
interface Level {
  readonly table: string
  /** The part of the table that is meant, where it holds several; its group's column has another name then. */
  readonly part?: { readonly condition: string; readonly group: string }
  readonly time: string
  readonly numberOf: (ms: number) => number
  readonly startOf: (number: number) => number
}

const quarters: Level = {
  table: 'usage_quarter',
  time: 'bucket',
  numberOf: (ms) => Math.floor(ms / BUCKET_MS),
  startOf: (number) => number * BUCKET_MS,
}
const days: Level = {
  table: 'usage_day',
  time: 'day',
  numberOf: (ms) => Math.floor(ms / DAY_MS),
  startOf: (number) => number * DAY_MS,
}
const totals: Level = { ...quarters, table: 'usage_total' }
/** The level of sums over a single dimension. A dimension is a column's name. */
const margin = (column: string): Level => ({
  ...days,
  table: 'usage_margin',
  part: { condition: `dimension = ${marginNumber[column]}`, group: `value_id AS ${column}` },
})

const { tenthsPerToken, timesOutput } = partialReply
const TENTHS_OF_CHARACTERS = 'CAST(visible_chars AS BIGINT) * 10'
/** `isPartial` and `tokensOfCharacters` as SQL: dividing whole numbers rounds down in both dialects. */
const IS_PARTIAL = `CAST(output_tokens AS BIGINT) * ${timesOutput * tenthsPerToken} < ${TENTHS_OF_CHARACTERS}`
const TOKENS_OF_CHARACTERS = `(${TENTHS_OF_CHARACTERS} + ${tenthsPerToken - 1}) / ${tenthsPerToken}`

/** The facts in the form of a rollup. Mirrors `toRollupRow`. */
export const FACTS = `(SELECT "at", session_id, workspace_id, model_id, mode_id, agent_id, branch_id, 1 AS requests,
  ${tokenColumns.join(', ')}, COALESCE(cost_nano, 0) AS cost_nano,
  CASE WHEN cost_state = 0 THEN COALESCE(cost_nano, 0) ELSE 0 END AS recorded_nano, cost_cache_read AS cost_cache_read_nano, cost_cache_write AS cost_cache_write_nano, cost_output AS cost_output_nano, saved_nano,
  CASE WHEN cost_state = 2 THEN 1 ELSE 0 END AS unpriced,
  CASE WHEN ${IS_PARTIAL} THEN 1 ELSE 0 END AS partial,
  CASE WHEN ${IS_PARTIAL} THEN ${TOKENS_OF_CHARACTERS} - output_tokens ELSE 0 END AS missing_output,
  CASE WHEN ${IS_PARTIAL} THEN ((${TOKENS_OF_CHARACTERS} - output_tokens) * output_rate + 500000) / 1000000 ELSE 0 END AS missing_output_nano,
  CASE WHEN total_ms IS NULL THEN 0 ELSE 1 END AS timed, COALESCE(first_token_ms, 0) AS first_token_ms, COALESCE(total_ms, 0) AS total_ms
  FROM usage_fact) AS facts`

/** The conditions of a filter, written so that SQLite does not choose an index by them. */
export const unindexed = (filterSql: string): string => filterSql.replaceAll(/ AND (\w+) IN/g, ' AND +$1 IN')

/** What a report groups by, and which rollups have it. */
export interface Grouping {
  /** `bucket`, or a dimension's column. */
  readonly key: string
  /** Whether it groups or filters by anything but time. */
  readonly filtered: boolean
}

/**
 * Rows of the range with the group's column and all sums (or those wanted), as a table expression named `source`; for a
 * group more than one row may come, also such as take sums away again: a group may have no request in all. An empty
 * range gives no rows. `range` in ms, `until` not included; open at both ends it also counts requests without a time.
 */
export const usageSource = (
  grouping: Grouping,
  range: Range,
  filter: Condition,
  wanted: readonly string[] = sumColumns,
): Condition => {
  const columns = { add: wanted.join(', '), takeAway: wanted.map((column) => `-${column} AS ${column}`).join(', ') }
  const sumExpressions = wanted.map((column) => `sum(${column}) AS ${column}`).join(', ')
  return rowsOf(levelsFor(grouping), range, grouping.key, (table, key, sql, parameters, isTakenAway) => {
    // With a filter a quarter has many rows, which come in the order of their table: no sort is needed to sum them.
    const isSummed = grouping.key === 'bucket' && grouping.filtered
    const [what, group] = isSummed ? [sumExpressions, ' GROUP BY 1'] : [columns[isTakenAway ? 'takeAway' : 'add'], '']
    // Facts are read for less than a quarter of an hour: by time, and not by another index.
    const condition = table === FACTS ? unindexed(filter.sql) : filter.sql
    return {
      sql: `SELECT ${key}, ${what} FROM ${table} WHERE ${sql}${condition}${group}`,
      parameters: [...parameters, ...filter.parameters],
    }
  })
}

const MARGIN_KEY = 'dimension, value_id'

/**
 * As {@link usageSource} without a filter, for several dimensions at once: a row has the dimension's number
 * (`marginNumber`) and the value's id in place of the group's column, and each request counts once a dimension.
 * PostgreSQL only. @param columns of dimensions that have a margin, at least one
 */
export const marginsSource = (columns: readonly string[], range: Range): Condition => {
  const numbered = columns.map((column) => [required(marginNumber[column], 'the number of a margin'), column] as const)
  const condition = `dimension IN (${numbered.map(([number]) => number).join(', ')})`
  const margins: Level = { ...days, table: 'usage_margin', part: { condition, group: MARGIN_KEY } }
  const values = numbered.map((pair) => `(${pair.join(', ')})`).join(', ')
  const ofEach = ` CROSS JOIN LATERAL (VALUES ${values}) AS of_each (${MARGIN_KEY})`
  return rowsOf([margins, quarters], range, MARGIN_KEY, (table, key, sql, parameters, isTakenAway) => {
    const sums = sumColumns.map((column) => (isTakenAway ? `-${column} AS ${column}` : column)).join(', ')
    const from = table === margins.table ? table : `${table}${ofEach}`
    return { sql: `SELECT ${key}, ${sums} FROM ${from} WHERE ${sql}`, parameters }
  })
}

/** What is read of a table: its condition, and whether its sums are taken away. `key` begins the columns. */
type Part<T> = (table: string, key: string, sql: string, parameters: readonly SqlValue[], isTakenAway?: boolean) => T

/** The rows that cover a range, as a table expression named `source`. */
const rowsOf = (levels: readonly Level[], range: Range, key: string, select: Part<Condition>): Condition => {
  const parts: Condition[] = []
  const add: Add = (...part) => void parts.push(select(...part))
  const [coarsest] = levels
  if (range.since === undefined && range.until === undefined && coarsest !== undefined) {
    // Everything, including requests without a time.
    add(coarsest.table, coarsest.part?.group ?? key, coarsest.part?.condition ?? 'TRUE', [])
  } else {
    coverRange(levels, { since: range.since ?? 0, until: range.until }, key, add)
  }
  // An empty range has no parts.
  if (parts.length === 0) add('usage_quarter', key, 'FALSE', [])
  return {
    sql: `(${parts.map((part) => part.sql).join(' UNION ALL ')}) AS source`,
    parameters: parts.flatMap((part) => part.parameters),
  }
}

/** The levels that a grouping is summed from, the coarsest first. */
const levelsFor = ({ key, filtered }: Grouping): readonly Level[] => {
  if (key === 'bucket') return [filtered ? quarters : totals]
  return filtered || marginNumber[key] === undefined ? [days, quarters] : [margin(key), quarters]
}

type Add = Part<void>

/** A range that has a beginning. */
type BoundedRange = Range & { readonly since: number }

/** The ends of a range, which no rollup covers. Without `until` it is open at the end. */
const coverByFacts = ({ since, until }: BoundedRange, key: string, add: Add): void => {
  const column = key === 'bucket' ? `"at" / ${BUCKET_MS} AS bucket` : key
  if (until === undefined) add(FACTS, column, '"at" >= ?', [since])
  else add(FACTS, column, '"at" >= ? AND "at" < ?', [since, until])
}

/** Units from `first` on and before `end`; undefined: no end. */
interface Units {
  readonly first: number
  readonly end: number | undefined
}

/** The units of a level that lie in a range as a whole. */
const wholeUnits = (level: Level, { since, until }: BoundedRange): Units => {
  const containing = level.numberOf(since)
  return {
    first: level.startOf(containing) === since ? containing : containing + 1,
    end: until === undefined ? undefined : level.numberOf(until),
  }
}

/** With them the units at the ends that the range has most of. */
const mostlyInside = (level: Level, { since, until }: BoundedRange, { first, end }: Units): Units => {
  const half = (level.startOf(1) - level.startOf(0)) / 2
  return {
    first: level.startOf(first) - since > half ? first - 1 : first,
    end: end === undefined || until === undefined || until - level.startOf(end) <= half ? end : end + 1,
  }
}

/** Covers the range with the coarsest level that fits, and its ends with finer ones. An empty range adds nothing. */
const coverRange = (levels: readonly Level[], range: BoundedRange, key: string, add: Add): void => {
  const { since, until } = range
  if (until !== undefined && until <= since) return
  const [level, ...finer] = levels
  if (level === undefined) {
    coverByFacts(range, key, add)
    return
  }
  const whole = wholeUnits(level, range)
  if (whole.end !== undefined && whole.end <= whole.first) {
    coverRange(finer, range, key, add)
    return
  }
  // The last level before the facts has parts of minutes, of which there is nothing to save.
  const units = finer.length === 0 ? whole : mostlyInside(level, range, whole)
  const inside = units.end === undefined ? `${level.time} >= ?` : `${level.time} >= ? AND ${level.time} < ?`
  const condition = level.part === undefined ? inside : `${level.part.condition} AND ${inside}`
  const numbers = units.end === undefined ? [units.first] : [units.first, units.end]
  add(level.table, level.part?.group ?? key, condition, numbers)
  coverEnds({ level, finer, range, whole, units }, key, add)
}

/** What of the ends of a range is not in the units, added; and what is in them beyond it, taken away. */
const coverEnds = (
  {
    level,
    finer,
    range: { since, until },
    whole,
    units,
  }: {
    readonly level: Level
    readonly finer: readonly Level[]
    readonly range: BoundedRange
    readonly whole: Units
    readonly units: Units
  },
  key: string,
  add: Add,
): void => {
  const takeAway: Add = (table, of, sql, parameters) => add(table, of, sql, parameters, true)
  const start = level.startOf(units.first)
  if (units.first < whole.first) coverRange(finer, { since: start, until: since }, key, takeAway)
  else coverRange(finer, { since, until: start }, key, add)
  if (units.end === undefined || until === undefined) return
  const end = level.startOf(units.end)
  if (units.end === whole.end) coverRange(finer, { since: end, until }, key, add)
  else coverRange(finer, { since: until, until: end }, key, takeAway)
}
