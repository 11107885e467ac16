/** The sessions whose cost changed most between two spans: found by cost alone, named afterwards. */
import { moversOf } from '@cairn/core'
import type { Mover, Movers, MoversQuery } from '@cairn/core'
import type { SqlDatabase, SqlValue } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { assertSessionsIntact } from './integrity.ts'
import { groupNames } from './usage-groups.ts'
import { usageSource } from './usage-source.ts'
import type { Condition, Range } from './usage-source.ts'

/** The key of the row that sums up all that moved; ids are never negative. */
const ALL_KEY = -1
const CHANGE = 'abs(now_nano - before_nano)'

interface MoverRow {
  readonly id: number
  readonly now_text: string | null
  readonly before_text: string | null
  /** Of the row of all. */
  readonly sessions: number
}

const size = (nano: bigint): bigint => (nano < 0n ? -nano : nano)

/**
 * The `limit` sessions whose cost changed most between two time spans, in either direction, with the number and total
 * change of the others; those that cost the same in both count as neither. Reads the rollups of both spans, and the names
 * of few sessions; `filter` as reports have it. Rejects as the database does.
 */
export const sessionMovers = async (
  database: SqlDatabase,
  { now, before, limit }: MoversQuery,
  filter: Condition,
): Promise<Movers> => {
  const moved = movedSessions(now, before, filter)
  const rows = await database.all<MoverRow>(
    `WITH moved AS (${moved.sql})
     SELECT * FROM (SELECT session_id AS id, CAST(now_nano AS TEXT) AS now_text, CAST(before_nano AS TEXT) AS before_text,
       1 AS sessions FROM moved ORDER BY ${CHANGE} DESC LIMIT ${limit + 1}) AS largest
     UNION ALL SELECT ${ALL_KEY}, CAST(sum(now_nano) AS TEXT), CAST(sum(before_nano) AS TEXT), count(*) FROM moved`,
    moved.parameters,
  )
  const all = required(
    rows.find(({ id }) => id === ALL_KEY),
    'the sum of all changes',
  )
  const largest = rows.filter(({ id }) => id !== ALL_KEY)
  const [last, next] = [largest[limit - 1], largest[limit]]
  // Keys decide between equal changes, and are known of those only that are named.
  const isTie = last !== undefined && next !== undefined && size(changeOf(last)) === size(changeOf(next))
  const found = isTie ? await withTies(database, moved, size(changeOf(last))) : largest
  const ids = found.map(({ id }) => id)
  await assertSessionsIntact(database, ids)
  const names = await groupNames(database, 'session', ids)
  const costs = found.map((row) => ({ key: names.get(row.id) ?? 'unknown', ...costsOf(row) }))
  const { movers } = moversOf(
    costs.map(({ key, beforeNano }) => ({ key, costNano: beforeNano })),
    costs.map(({ key, nowNano }) => ({ key, costNano: nowNano })),
    limit,
  )
  return {
    movers,
    others: {
      count: all.sessions - movers.length,
      changeNano: movers.reduce((left, { changeNano }) => left - changeNano, changeOf(all)),
    },
  }
}

/** The costs of each session in both spans, as a query; those that cost the same in both are left out. */
const movedSessions = (now: MoversQuery['now'], before: Range, filter: Condition): Condition => {
  const ofSpan = ({ since, until }: { readonly since?: number | undefined; readonly until?: number | undefined }) =>
    usageSource({ key: 'session_id', filtered: filter.sql !== '' }, { since, until }, filter, ['cost_nano'])
  const [current, earlier] = [ofSpan(now), ofSpan(before)]
  const parameters: readonly SqlValue[] = [...current.parameters, ...earlier.parameters]
  return {
    sql: `SELECT session_id, sum(now_nano) AS now_nano, sum(before_nano) AS before_nano FROM (
        SELECT session_id, cost_nano AS now_nano, 0 AS before_nano FROM ${current.sql}
        UNION ALL SELECT session_id, 0, cost_nano FROM ${earlier.sql}) AS spans
      GROUP BY session_id HAVING sum(now_nano) <> sum(before_nano)`,
    parameters,
  }
}

/** The sessions whose cost changed by at least `least` nano-USD, in either direction. */
const withTies = (database: SqlDatabase, moved: Condition, least: bigint): Promise<readonly MoverRow[]> =>
  database.all<MoverRow>(
    `SELECT session_id AS id, CAST(now_nano AS TEXT) AS now_text, CAST(before_nano AS TEXT) AS before_text, 1 AS sessions
     FROM (${moved.sql}) AS moved WHERE ${CHANGE} >= CAST(? AS BIGINT)`,
    [...moved.parameters, String(least)],
  )

/** The costs of a row in both spans, in nano-USD; 0 where there was none. */
const costsOf = ({ now_text: now, before_text: before }: MoverRow): Pick<Mover, 'beforeNano' | 'nowNano'> => ({
  beforeNano: BigInt(before ?? 0),
  nowNano: BigInt(now ?? 0),
})

/** By how much a row's cost rose, in nano-USD; negative where it fell. */
const changeOf = (row: MoverRow): bigint => {
  const { beforeNano, nowNano } = costsOf(row)
  return nowNano - beforeNano
}
