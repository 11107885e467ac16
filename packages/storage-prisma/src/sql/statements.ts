/** Statements whose values are given by name: by parameter (`:name`), or by column. */
import type { SqlTransaction, SqlValue } from './database.ts'
import { quoted, type Table } from './schema.ts'

/** Not the second colon of a cast (`::int`). Our SQL has no other colon before a word. */
const NAME = /(?<!:):([a-z]\w*)/gi

/**
 * A statement with `:name` parameters, as the arguments of `all` and `run`; a name may occur more than once.
 * @throws TypeError for a name without a value, and for a value without a name
 */
export const named = (sql: string, values: Readonly<Record<string, SqlValue>>): [string, readonly SqlValue[]] => {
  const parameters: SqlValue[] = []
  const used = new Set<string>()
  const positional = sql.replace(NAME, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new TypeError(`the statement has no value for :${name}`)
    parameters.push(value)
    used.add(name)
    return '?'
  })
  const unused = Object.keys(values).find((name) => !used.has(name))
  if (unused !== undefined) throw new TypeError(`the statement does not use :${unused}`)
  return [positional, parameters]
}

/** The columns of a row, with their values. */
export type RowValues<Column extends string> = Readonly<Record<Column, SqlValue>>

/**
 * Inserts rows given by column.
 * @param columns those that are written; the others take their defaults
 * @param onConflict an `ON CONFLICT …` clause
 * @returns the number of rows written
 */
export const insertRows = <Column extends string>(
  transaction: SqlTransaction,
  table: Table,
  columns: readonly Column[],
  rows: readonly RowValues<Column>[],
  onConflict?: string,
): Promise<number> =>
  transaction.insert(
    table,
    columns,
    rows.map((row) => columns.map((column) => row[column])),
    onConflict,
  )

/**
 * Sets the given columns of the row with this id; returns the number of rows changed, 0 for an unknown id. Without
 * columns it does nothing.
 */
export const updateRow = async (
  transaction: SqlTransaction,
  table: Table,
  id: number,
  values: Readonly<Record<string, SqlValue>>,
): Promise<number> => {
  const columns = Object.keys(values)
  if (columns.length === 0) return 0
  const assignments = columns.map((column) => `${quoted([column])} = ?`).join(', ')
  return transaction.run(`UPDATE ${table.name} SET ${assignments} WHERE id = ?`, [...Object.values(values), id])
}
