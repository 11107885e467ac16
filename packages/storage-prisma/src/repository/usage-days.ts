/**
 * Sums by local day. Usually they add up quarters of an hour, each of which is in one local day of any zone. Over a
 * long range with a filter that would read millions of rows, so there whole UTC days are read instead, and only the
 * part of a UTC day that is in another local day is moved.
 */
import { zoneOffsets } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'
import { sumColumns } from './rollups.ts'
import type { SumRow } from './usage-rows.ts'
import { crossCheckSum, textSumExpressions, sumExpressions } from './usage-rows.ts'
import { unindexed, usageSource } from './usage-source.ts'
import type { Condition, Range } from './usage-source.ts'

const BUCKET_MS = 900_000
const BUCKETS_PER_DAY = 96
const DAY_MS = 86_400_000
/** Shorter ranges are read faster by quarters of an hour. */
const LONG_RANGE_DAYS = 60

/** First and last time in the store, ms. */
export interface Extent {
  readonly first: number
  readonly last: number
}

/**
 * Sums by local day (as days since the epoch; −1 for requests without a time), unordered; a day may occur more than
 * once. `extent` bounds the time of the store's requests, undefined if none has one.
 */
export const sumsByDay = async (
  database: SqlReader,
  range: Range,
  extent: Extent | undefined,
  timeZone: string,
  filter: Condition,
): Promise<readonly SumRow[]> => {
  if (extent === undefined || filter.sql === '') return byQuarters(database, range, extent, timeZone, filter)
  const first = Math.ceil(Math.max(extent.first, range.since ?? extent.first) / DAY_MS)
  const end = Math.floor(Math.min(extent.last, range.until ?? extent.last) / DAY_MS)
  const offsets = zoneOffsets(timeZone, first * DAY_MS, Math.max(first, end) * DAY_MS)
  const isWhole = offsets.every(
    ({ from, offsetMs }, index) => offsetMs % BUCKET_MS === 0 && (index === 0 || from % BUCKET_MS === 0),
  )
  if (end - first < LONG_RANGE_DAYS || !isWhole) return byQuarters(database, range, extent, timeZone, filter)
  const inside = await byMovedDays(database, first, end, offsets, filter)
  const before = await byQuarters(database, { since: range.since, until: first * DAY_MS }, extent, timeZone, filter)
  const after = await byQuarters(database, { since: end * DAY_MS, until: range.until }, extent, timeZone, filter)
  // Open at both ends: requests without a time count, too.
  const unknown = range.since === undefined && range.until === undefined ? await withoutTime(database, filter) : []
  return [...before, ...inside, ...after, ...unknown]
}

/** The sums by quarters of an hour, counted to the days of a zone. */
const byQuarters = (
  database: SqlReader,
  range: Range,
  extent: Extent | undefined,
  timeZone: string,
  filter: Condition,
): Promise<SumRow[]> => {
  const isFiltered = filter.sql !== ''
  const source = usageSource({ key: 'bucket', filtered: isFiltered }, range, filter)
  const other: Condition = isFiltered ? { sql: '', parameters: [] } : crossCheckSum('bucket', range)
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
    `SELECT day AS group_key, ${textSumExpressions} FROM usage_day WHERE day = -1${filter.sql} GROUP BY day`,
    filter.parameters,
  )

/**
 * UTC days from `first` to before `end`, corrected by the parts that are in another local day. An offset must be whole
 * quarters of an hour.
 */
const byMovedDays = (
  database: SqlReader,
  first: number,
  end: number,
  offsets: ReturnType<typeof zoneOffsets>,
  filter: Condition,
): Promise<SumRow[]> => {
  // Each day is a short range of the table: not to be scanned by another index.
  const condition = unindexed(filter.sql)
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
        sql: `SELECT each.day AS day, ${step} AS step, ${sumExpressions} FROM each CROSS JOIN usage_quarter
          WHERE bucket >= each.day * ${BUCKETS_PER_DAY} + ${low} AND bucket < each.day * ${BUCKETS_PER_DAY} + ${high}
            AND +bucket >= ${start} AND +bucket < ${stop}${condition} GROUP BY each.day`,
        parameters: filter.parameters,
      },
    ]
  })
  const plus = sumColumns.join(', ')
  const minus = sumColumns.map((column) => `-${column}`).join(', ')
  const whole = `SELECT day, ${sumExpressions} FROM usage_day WHERE day >= ? AND day < ?${filter.sql} GROUP BY day`
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
