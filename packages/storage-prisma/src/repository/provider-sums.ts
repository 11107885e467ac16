/** Sums by provider, from the requests themselves: no rollup knows who served them. */
import { CairnError } from '@cairn/core'
import type { ProviderSum, ProviderSumsQuery } from '@cairn/core'
import type { SqlDatabase, SqlValue } from '../sql/database.ts'
import { assertNamesIntact } from './integrity.ts'
import { machineRows, namesOfMachines } from './machines.ts'
import { groupNames } from './usage-groups.ts'
import type { Condition } from './usage-source.ts'

interface SumRow {
  /** −1: without a time. */
  readonly span: number
  readonly provider_id: number
  readonly agent_id: number
  readonly model_id: number
  readonly workspace_id: number
  /** 0: none. */
  readonly machine: number
  readonly requests: number
  readonly cost_text: string
  readonly unpriced: number
}

const NO_TIME = -1

/** Which span a request is in, as SQL. Throws `invalid-input` for what can't be a boundary. */
const spanExpression = (boundaries: readonly number[]): string => {
  if (!boundaries.every((boundary) => Number.isSafeInteger(boundary)))
    throw new CairnError('invalid-input', 'The boundaries of spans must be whole numbers of milliseconds since 1970.')
  const cases = boundaries.map((boundary, span) => `WHEN "at" < ${boundary} THEN ${span}`)
  return `CASE WHEN "at" IS NULL THEN ${NO_TIME} ${cases.join(' ')} ELSE ${boundaries.length} END`
}

/** The condition for a range, as reports cover it: one without a beginning has an end only after 1970. */
export const rangeCondition = ({ since, until }: Pick<ProviderSumsQuery, 'since' | 'until'>): Condition => {
  if (since === undefined && until === undefined) return { sql: 'TRUE', parameters: [] }
  const from = since ?? 0
  return until === undefined
    ? { sql: '"at" >= ?', parameters: [from] }
    : { sql: '"at" >= ? AND "at" < ?', parameters: [from, until] }
}

/**
 * Sums of the requests that match, one for each span, provider, agent, model, folder and machine, in no defined order.
 * `span` counts the boundaries up to the request's time, null without a time; an agent or model without a name is
 * `unknown`, other names are null. Unpriced requests cost 0. Reads the requests themselves, as no rollup knows their
 * provider; `filter` as reports have it. Rejects as the database does.
 */
export const providerSums = async (
  database: SqlDatabase,
  query: ProviderSumsQuery,
  filter: Condition,
): Promise<readonly ProviderSum[]> => {
  const machines = await machineRows(database)
  // In a user's own store there are none, and each request would be looked up for nothing.
  const [machine, origin] =
    machines.length === 0
      ? ['0', '']
      : [
          'COALESCE(machine_id, 0)',
          'LEFT JOIN (SELECT id AS origin_id, machine_id FROM session) AS origin ON origin_id = session_id',
        ]
  const range = rangeCondition(query)
  const parameters: readonly SqlValue[] = [...range.parameters, ...filter.parameters]
  const rows = await database.all<SumRow>(
    `SELECT ${spanExpression(query.boundaries)} AS span, provider_id, agent_id, model_id, workspace_id, ${machine} AS machine,
       count(*) AS requests, CAST(sum(COALESCE(cost_nano, 0)) AS TEXT) AS cost_text,
       sum(CASE WHEN cost_state = 2 THEN 1 ELSE 0 END) AS unpriced
     FROM usage_fact ${origin} WHERE ${range.sql}${filter.sql} GROUP BY 1, 2, 3, 4, 5, 6`,
    parameters,
  )
  await assertNamesIntact(database)
  const idsOf = (pick: (row: SumRow) => number): readonly number[] => [...new Set(rows.map(pick))]
  const labels = await groupNames(database, 'model', [
    ...new Set(rows.flatMap((row) => [row.provider_id, row.agent_id, row.model_id])),
  ])
  const folders = await groupNames(
    database,
    'workspace',
    idsOf((row) => row.workspace_id),
  )
  const [people, names] = [namesOfMachines('person', machines), namesOfMachines('machine', machines)]
  return rows.map((row) => ({
    span: row.span === NO_TIME ? null : row.span,
    provider: labels.get(row.provider_id) ?? null,
    agent: labels.get(row.agent_id) ?? 'unknown',
    model: labels.get(row.model_id) ?? 'unknown',
    workspace: folders.get(row.workspace_id) ?? null,
    person: people.get(row.machine) ?? null,
    machine: names.get(row.machine) ?? null,
    requests: row.requests,
    costNano: BigInt(row.cost_text),
    unpricedRequests: row.unpriced,
  }))
}
