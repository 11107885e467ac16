/** The stored ids of the values that a filter names. */
import type { UsageDimension } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { labelKind, storableText } from './labels.ts'
import { machineRows, namesOfMachines } from './machines.ts'
import { workspaceIdsOf } from './projects.ts'

/** What reports call rows that have no value. */
export const UNKNOWN = 'unknown'

/**
 * Ids of a dimension's value, empty for one that the store does not know; a workspace is matched by its path or name, a
 * session by either of its ids. Of a project they are those of its workspaces, of a person those of their machines.
 * `unknown` also matches rows without a value: 0.
 */
export const dimensionIds = async (
  database: SqlReader,
  dimension: UsageDimension,
  value: string,
): Promise<readonly number[]> => {
  const ids = await idsOf(database, dimension, value)
  return value === UNKNOWN ? [...ids, 0] : ids
}

/**
 * The ids that a value of a dimension stands for: several for a project or a name, none if it is unknown. Sessions are
 * found by either of their ids, workspaces by path or name.
 */
const idsOf = async (database: SqlReader, dimension: UsageDimension, value: string): Promise<readonly number[]> => {
  const text = storableText(value)
  if (dimension === 'project') return workspaceIdsOf(database, text)
  if (dimension === 'person' || dimension === 'machine') {
    const names = namesOfMachines(dimension, await machineRows(database))
    return [...names].flatMap(([id, name]) => (name === text ? [id] : []))
  }
  const find = (sql: string, parameters: readonly (string | number)[]): Promise<{ id: number }[]> =>
    database.all(sql, parameters)
  const rows =
    dimension === 'session'
      ? await find('SELECT id FROM session WHERE "key" = ? OR external_id = ?', [text, text])
      : dimension === 'workspace'
        ? await find('SELECT id FROM workspace WHERE "path" = ? OR name = ?', [text, text])
        : await find('SELECT id FROM label WHERE kind = ? AND value = ?', [labelKind[dimension], text])
  return rows.map(({ id }) => id)
}

/** Ids of the folders with exactly these paths; those that the store does not know have none. */
export const workspaceIdsAt = async (database: SqlReader, paths: readonly string[]): Promise<readonly number[]> => {
  const keys = [...new Set(paths.map(storableText))]
  if (keys.length === 0) return []
  return (await database.lookup<{ id: number }>(tables.workspace, { columns: ['id'], key: 'path' }, keys)).map(
    ({ id }) => id,
  )
}

/** The list inside `IN (…)` for this many ids; for none it matches nothing. */
export const markersFor = (ids: readonly number[]): string => (ids.length === 0 ? '-1' : ids.map(() => '?').join(', '))
