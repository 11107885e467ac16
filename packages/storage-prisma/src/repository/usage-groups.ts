/**
 * What reports group by and filter by, as SQL. Rollups know workspaces and sessions; a project is several workspaces, and
 * machine and person are those of a session.
 */
import { addTotals } from '@cairn/core'
import type { UsageDimension, UsageRow } from '@cairn/core'
import type { SqlDatabase } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { tables } from '../sql/schema.ts'
import { markersFor } from './dimension-ids.ts'
import { machineRows, namesOfMachines } from './machines.ts'
import { projectNames } from './projects.ts'
import type { Condition } from './usage-source.ts'

/** The column of the rollups that a dimension is, or follows from. */
export const dimensionColumn: Readonly<Record<UsageDimension, string>> = {
  session: 'session_id',
  model: 'model_id',
  mode: 'mode_id',
  workspace: 'workspace_id',
  project: 'workspace_id',
  branch: 'branch_id',
  agent: 'agent_id',
  person: 'session_id',
  machine: 'session_id',
}

/** The condition for rows of these ids (of machines, workspaces and so on; see `dimensionIds`), which it takes as parameters. */
export const dimensionCondition = (dimension: UsageDimension, ids: readonly number[]): string => {
  const list =
    dimension === 'person' || dimension === 'machine'
      ? `SELECT id FROM session WHERE machine_id IN (${markersFor(ids)})`
      : markersFor(ids)
  return ` AND ${dimensionColumn[dimension]} IN (${list})`
}

/** Sums by session with the session's machine; 0: none, as in a user's own store. */
export const ofMachines = ({ sql, parameters }: Condition): Condition => ({
  sql: `(SELECT COALESCE(machine_id, 0) AS machine_id, source.* FROM ${sql}
    LEFT JOIN (SELECT id, machine_id FROM session) AS origin ON origin.id = source.session_id) AS of_machines`,
  parameters,
})

/** From this number on, reading all names is faster than looking each up. */
const MANY_IDS = 20_000

interface NameRow {
  readonly id: number
  readonly name: string
}

/**
 * The names of groups, by id; several ids may have the same, and ids without a name are missing. Of projects, people and
 * machines those of all ids are returned, whatever `ids` are.
 */
export const groupNames = async (
  database: SqlDatabase,
  by: UsageDimension,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (by === 'project') return projectNames(database)
  if (by === 'person' || by === 'machine') return namesOfMachines(by, await machineRows(database))
  const [table, column] =
    by === 'session'
      ? ([tables.session, 'key'] as const)
      : by === 'workspace'
        ? ([tables.workspace, 'path'] as const)
        : ([tables.label, 'value'] as const)
  const rows =
    ids.length > MANY_IDS
      ? await database.all<NameRow>(`SELECT id, "${column}" AS name FROM ${table.name}`)
      : (
          await database.lookup<Readonly<Record<string, string>> & { readonly id: number }>(
            table,
            { columns: ['id', column], key: 'id' },
            ids,
          )
        ).map((row) => ({ id: row.id, name: required(row[column], 'a name') }))
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** Rows of the same key as one. In the order of their first occurrence. */
export const foldedRows = (rows: readonly UsageRow[]): readonly UsageRow[] => {
  const byKey = new Map<string, UsageRow>()
  for (const row of rows) {
    const known = byKey.get(row.key)
    byKey.set(row.key, known === undefined ? row : { ...addTotals(known, row), key: row.key })
  }
  return [...byKey.values()]
}
