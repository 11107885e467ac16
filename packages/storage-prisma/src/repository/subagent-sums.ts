/** What the subagents of sessions used, from the requests themselves: no rollup knows them. */
import type { SubagentSum, SubagentSumsQuery } from '@cairn/core'
import type { SqlDatabase } from '../sql/database.ts'
import { assertNamesIntact } from './integrity.ts'
import { rangeCondition } from './provider-sums.ts'
import { groupNames } from './usage-groups.ts'
import type { Condition } from './usage-source.ts'

interface SumRow {
  readonly session_id: number
  readonly subagents: number
  readonly requests: number
  readonly cost_text: string
  readonly unpriced: number
}

/**
 * Sums of what subagents used, by session, in no defined order; sessions without any are left out. Reads the requests
 * themselves; `filter` as reports have it. Rejects as the database does.
 */
export const subagentSums = async (
  database: SqlDatabase,
  query: SubagentSumsQuery,
  filter: Condition,
): Promise<readonly SubagentSum[]> => {
  const range = rangeCondition(query)
  const rows = await database.all<SumRow>(
    `SELECT session_id, count(DISTINCT subagent_id) AS subagents, count(*) AS requests,
       CAST(sum(COALESCE(cost_nano, 0)) AS TEXT) AS cost_text, sum(CASE WHEN cost_state = 2 THEN 1 ELSE 0 END) AS unpriced
     FROM usage_fact WHERE subagent_id <> 0 AND ${range.sql}${filter.sql} GROUP BY session_id`,
    [...range.parameters, ...filter.parameters],
  )
  await assertNamesIntact(database)
  const names = await groupNames(
    database,
    'session',
    rows.map((row) => row.session_id),
  )
  return rows.map((row) => ({
    sessionId: names.get(row.session_id) ?? 'unknown',
    subagents: row.subagents,
    requests: row.requests,
    costNano: BigInt(row.cost_text),
    unpricedRequests: row.unpriced,
  }))
}
