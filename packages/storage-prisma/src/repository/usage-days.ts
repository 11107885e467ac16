/**
 * Sums by local day. Usually they add up quarters of an hour, each of which is in one local day of any zone. Over a
 * long range with a filter that would read millions of rows, and on a server without one still a hundred thousand, so there
 * whole UTC days are read instead, and only the part of a UTC day that is in another local day is moved.
 */
import { zoneOffsets } from '@cairn/core'
import type { DialectName, SqlReader } from '../sql/database.ts'
import { marginNumber, sumColumns } from './rollups.ts'
import type { SumRow } from './usage-rows.ts'
import { crossCheckSum, textSumExpressions, sumExpressions } from './usage-rows.ts'
import { unindexed, usageSource } from './usage-source.ts'
import type { Condition, Range } from './usage-source.ts'

const BUCKET_MS = 900_000
const BUCKETS_PER_DAY = 96
const DAY_MS = 86_400_000
/** Shorter ranges are read faster by quarters of an hour. */
const LONG_RANGE_DAYS = 60

type DaysReader = SqlReader & { readonly dialect: DialectName }

/** First and last time in the store, ms. */
export interface Extent {
  readonly first: number
  readonly last: number
}

/**
 * Sums by local day (as days since the epoch; −1 for requests without a time), unordered; a day may occur more than
 * once. On SQLite without a filter there is also the row `CROSS_CHECK_KEY`, for `sumsAgree`. `extent` bounds the time
 * of the store's requests, undefined if none has one.
 */
export const sumsByDay = async (
  database: DaysReader,
  range: Range,
  extent: Extent | undefined,
  timeZone: string,
  filter: Condition,
): Promise<readonly SumRow[]> => {
  if (extent === undefined || isCompared(database, filter)) return byQuarters(database, range, extent, timeZone, filter)
  const first = Math.ceil(Math.max(extent.first, range.since ?? extent.first) / DAY_MS)
  const end = Math.floor(Math.min(extent.last, range.until ?? extent.last) / DAY_MS)
  const offsets = zoneOffsets(timeZone, first * DAY_MS, Math.max(first, end) * DAY_MS)
  const isWhole = offsets.every(
    ({ from, offsetMs }, index) => offsetMs % BUCKET_MS === 0 && (index === 0 || from % BUCKET_MS === 0),
  )
  if (end - first < LONG_RANGE_DAYS || !isWhole) return byQuarters(database, range, extent, timeZone, filter)
  const parts = await Promise.all([
    byQuarters(database, { since: range.since, until: first * DAY_MS }, extent, timeZone, filter),
    byMovedDays(database, first, end, offsets, filter),
    byQuarters(database, { since: end * DAY_MS, until: range.until }, extent, timeZone, filter),
    // Open at both ends: requests without a time count, too.
    range.since === undefined && range.until === undefined ? withoutTime(database, filter) : [],
  ])
  return parts.flat()
}

/** Whether the quarters are compared with other sums, as their pages are not checked and without a filter others have them. */
const isCompared = ({ dialect }: DaysReader, filter: Condition): boolean => dialect === 'sqlite' && filter.sql === ''

/** Where whole UTC days, and quarters of an hour, are summed from. */
const sourcesFor = (filter: Condition): { readonly days: string; readonly quarters: string } =>
  filter.sql === ''
    ? { days: `usage_margin WHERE dimension = ${marginNumber['mode_id']} AND`, quarters: 'usage_total' }
    : { days: 'usage_day WHERE', quarters: 'usage_quarter' }

/**
 * The sums of quarters of an hour, by the zone's day that each is in; −1: without a time. On SQLite without a filter
 * also the row `CROSS_CHECK_KEY`.
 */
const byQuarters = (
  database: DaysReader,
  range: Range,
  extent: Extent | undefined,
  timeZone: string,
  filter: Condition,
): Promise<SumRow[]> => {
  const isFiltered = filter.sql !== ''
  const source = usageSource({ key: 'bucket', filtered: isFiltered }, range, filter)
  const other = isCompared(database, filter) ? crossCheckSum('bucket', range) : { sql: '', parameters: [] }
  const offsets =
    extent === undefined
      ? []
      : zoneOffsets(
          timeZone,
          Math.max(extent.first, range.since ?? 0),
          Math.max(extent.first, Math.min(extent.last, range.until ?? extent.last)),
        )
  const offset = offsets.reduce(
    (earlier, { from, offsetMs }, index) =>
      index === 0
        ? `${offsetMs}`
        : `CASE WHEN CAST(bucket AS BIGINT) * ${BUCKET_MS} >= ${from} THEN ${offsetMs} ELSE ${earlier} END`,
    '0',
  )
  // Many rows a bucket are summed first by bucket, in the order of the table, then by day: half the time of doing both at once.
  const buckets = isFiltered
    ? `(SELECT bucket, ${sumExpressions} FROM ${source.sql} GROUP BY bucket) AS buckets`
    : source.sql
  return database.all<SumRow>(
    `SELECT day AS group_key, ${textSumExpressions} FROM (
       SELECT CASE WHEN bucket < 0 THEN -1 ELSE (CAST(bucket AS BIGINT) * ${BUCKET_MS} + (${offset})) / ${DAY_MS} END AS day, ${sumColumns.join(', ')}
       FROM ${buckets}) AS days
     GROUP BY day${other.sql}`,
    [...source.parameters, ...other.parameters],
  )
}

/** The sums of requests without a time; no row where there are none. */
const withoutTime = (database: SqlReader, filter: Condition): Promise<SumRow[]> =>
  database.all<SumRow>(
    `SELECT day AS group_key, ${textSumExpressions} FROM ${sourcesFor(filter).days} day = -1${filter.sql} GROUP BY day`,
    filter.parameters,
  )

type Quarters = readonly [from: number, until: number]

/**
 * The sums of a part of each day in `each`, `step` days from where it belongs: of its quarters of an hour from one to before
 * another, and of these only those between two in time. Each part is a short range of the table's key, which either planner
 * has to be told: SQLite by the order of a CROSS JOIN, PostgreSQL by a subquery for each day, without which it reads the
 * table once a day.
 */
const partsOfDays: Readonly<
  Record<DialectName, (table: string, step: number, part: Quarters, between: Quarters, filterSql: string) => string>
> = {
  sqlite: (table, step, [low, high], [start, stop], filterSql) =>
    `SELECT each.day AS day, ${step} AS step, ${sumExpressions} FROM each CROSS JOIN ${table}
      WHERE bucket >= each.day * ${BUCKETS_PER_DAY} + ${low} AND bucket < each.day * ${BUCKETS_PER_DAY} + ${high}
        AND +bucket >= ${start} AND +bucket < ${stop}${filterSql} GROUP BY each.day`,
  postgresql: (table, step, [low, high], [start, stop], filterSql) =>
    // The sums of everything are few: reading all of them is less than a subquery a day.
    table === 'usage_total'
      ? `SELECT bucket / ${BUCKETS_PER_DAY} AS day, ${step} AS step, ${sumExpressions} FROM usage_total
          WHERE bucket >= ${start} AND bucket < ${stop} AND bucket % ${BUCKETS_PER_DAY} >= ${low} AND bucket % ${BUCKETS_PER_DAY} < ${high} GROUP BY 1`
      : `SELECT each.day AS day, ${step} AS step, ${sumColumns.map((column) => `part.${column}`).join(', ')} FROM each CROSS JOIN LATERAL (
          SELECT ${sumExpressions} FROM ${table}
          WHERE bucket >= greatest(each.day * ${BUCKETS_PER_DAY} + ${low}, ${start}) AND bucket < least(each.day * ${BUCKETS_PER_DAY} + ${high}, ${stop})${filterSql}
        ) AS part WHERE part.requests IS NOT NULL AND each.day >= ${start} / ${BUCKETS_PER_DAY} AND each.day <= ${stop} / ${BUCKETS_PER_DAY}`,
}

/**
 * UTC days from `first` to before `end`, corrected by the parts that are in another local day. An offset must be whole
 * quarters of an hour.
 */
const byMovedDays = (
  database: DaysReader,
  first: number,
  end: number,
  offsets: ReturnType<typeof zoneOffsets>,
  filter: Condition,
): Promise<SumRow[]> => {
  // Each day is a short range of the table: not to be scanned by another index.
  const condition = unindexed(filter.sql)
  const source = sourcesFor(filter)
  const moved = offsets.flatMap(({ from, offsetMs }, index) => {
    const quarters = offsetMs / BUCKET_MS
    if (quarters === 0) return []
    const to = offsets[index + 1]?.from
    const start = Math.max(first * BUCKETS_PER_DAY, index === 0 ? 0 : from / BUCKET_MS)
    const stop = Math.min(end * BUCKETS_PER_DAY, to === undefined ? Number.MAX_SAFE_INTEGER : to / BUCKET_MS)
    // East of Greenwich the end of a UTC day is in the next local day, west of it its beginning in the one before.
    const [low, high, step] = quarters > 0 ? [BUCKETS_PER_DAY - quarters, BUCKETS_PER_DAY, 1] : [0, -quarters, -1]
    return [
      {
        sql: partsOfDays[database.dialect](source.quarters, step, [low, high], [start, stop], condition),
        parameters: filter.parameters,
      },
    ]
  })
  const plus = sumColumns.join(', ')
  const minus = sumColumns.map((column) => `-${column}`).join(', ')
  const whole = `SELECT day, ${sumExpressions} FROM ${source.days} day >= ? AND day < ?${filter.sql} GROUP BY day`
  const parts =
    moved.length === 0
      ? whole
      : `${whole} UNION ALL SELECT day + step, ${plus} FROM moved UNION ALL SELECT day, ${minus} FROM moved`
  const definitions =
    moved.length === 0
      ? ''
      : `WITH RECURSIVE each (day) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT day + 1 FROM each WHERE day + 1 < ?), moved AS (${moved.map(({ sql }) => sql).join(' UNION ALL ')})`
  return database.all<SumRow>(
    `${definitions} SELECT day AS group_key, ${textSumExpressions} FROM (${parts}) AS parts GROUP BY day`,
    [
      ...(moved.length === 0 ? [] : [first, end, ...moved.flatMap(({ parameters }) => parameters)]),
      first,
      end,
      ...filter.parameters,
    ],
  )
}
