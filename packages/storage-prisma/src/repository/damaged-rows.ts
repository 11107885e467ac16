/** Rows that differ from what was written, in all tables whose rows have a checksum: found, named, and set aside. */
import { UNDATED_KINDS } from '@cairn/core'
import type { SqlDatabase, SqlReader, SqlTransaction, SqlValue } from '../sql/database.ts'
import { checkedColumns, checkedTables, isIntact, isSetAside, nextChecksum, rowName } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import { named, updateRow } from '../sql/statements.ts'
import { kindCode } from './entry-codec.ts'

const ROWS_PER_STEP = 5_000
/** This many rows of each table are named; the others are counted. */
const NAMED_ROWS = 10

interface Row {
  readonly id: number
  readonly checksum: number | null
}

/**
 * All rows of a table, in batches. Tables without a numeric id are small: their rows come in one batch, without ids. In
 * the order of their ids otherwise. Nothing for an empty table with ids.
 */
async function* stepsOf(database: SqlReader, table: Table): AsyncGenerator<readonly Row[]> {
  const columns = quoted(checkedColumns(table))
  if (!isNumbered(table)) {
    yield await database.all<Row>(`SELECT ${columns} FROM ${table.name}`)
    return
  }
  for (let after = -1; ;) {
    const rows = await database.all<Row>(
      `SELECT id, ${columns} FROM ${table.name} WHERE id > ? ORDER BY id LIMIT ${ROWS_PER_STEP}`,
      [after],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.id
  }
}

/** Whether a table's rows have ids of their own. */
const isNumbered = (table: Table): boolean => table.columns['id'] === 'int'

/** The damaged rows of a table, those set aside too, in the order of their ids if they have some; reads all of it. */
const damagedIn = async (database: SqlReader, table: Table): Promise<readonly Row[]> => {
  const damaged: Row[] = []
  for await (const rows of stepsOf(database, table))
    for (const row of rows) if (!isIntact(table, row)) damaged.push(row)
  return damaged
}

/**
 * Looks at the rows that have checksums, and names at most `NAMED_ROWS` damaged ones of each table, and as many that
 * are set aside; the others are one further count. Rejects as the database does.
 * @param add receives what was found: the check, a sentence, how many (1 unless said), and whether it is set aside;
 * called with 0 or less where no more are damaged
 */
export const addDamagedRows = async (
  database: SqlReader,
  add: (check: string, detail: string, count?: number, isSetAside?: boolean) => void,
): Promise<void> => {
  for (const { table, what, aside } of checkedTables) {
    const damaged = await damagedIn(database, table)
    const addRows = (rows: readonly Row[], remedy: string, areAside: boolean): void => {
      for (const row of rows.slice(0, NAMED_ROWS))
        add('rows', `${rowName(table, row)} is not what was written${remedy}`, 1, areAside)
      const further = `further rows that are not what was written, each a ${what}${areAside ? ', set aside' : ''}`
      add('rows', further, rows.length - NAMED_ROWS, areAside)
    }
    const isHidden = (row: Row): boolean => aside !== undefined && isSetAside(table, row)
    const remedy = aside === undefined ? '' : '; cairn doctor --rebuild sets it aside, so that the others can be read'
    addRows(
      damaged.filter((row) => !isHidden(row)),
      remedy,
      false,
    )
    addRows(damaged.filter(isHidden), '; it is set aside', true)
  }
}

/**
 * Hides damaged rows of settings, notes, memory, checkpoints and failed requests from lists, so that the others can be
 * read; damaged rows of other tables stay as they are. Hidden ones stay in the store, for a repair by hand: only the
 * column that hides them changes. On disk when it resolves.
 */
export const setAsideDamagedRows = (database: SqlDatabase): Promise<void> =>
  database.transaction({ durability: 'synced' }, async (transaction) => {
    const at = String(Date.now())
    for (const { table, aside } of checkedTables) {
      if (aside === undefined) continue
      const damaged = (await damagedIn(transaction, table)).filter((row) => !isSetAside(table, row))
      // The index may hold the former value of a damaged row, and then the row is not found by it.
      if (damaged.length > 0 && database.dialect === 'sqlite') await transaction.run(`REINDEX ${table.name}`)
      for (const row of damaged) await setRowAside(transaction, table, aside.assignment, at, row)
    }
  })

/** What tells the rows of a table from each other, where that is not their id. */
const KEYS: ReadonlyMap<Table, string> = new Map<Table, string>([
  [tables.state, 'key'],
  [tables.requestFailure, 'failure_hash'],
])

/** Marks a row as damaged, in place; its other columns stay. One without an id is found by its key and checksum. */
const setRowAside = async (
  transaction: SqlTransaction,
  table: Table,
  assignment: string,
  at: string,
  row: Row,
): Promise<void> => {
  const values: Readonly<Record<string, SqlValue>> = { ...row }
  const keys = isNumbered(table) ? ['id'] : ['checksum', KEYS.get(table) ?? 'id']
  const condition = keys.map((column) => `${quoted([column])} = :${column}`).join(' AND ')
  await transaction.run(
    ...named(`UPDATE ${table.name} SET ${assignment} WHERE ${condition}`, {
      ...(assignment.includes(':at') ? { at } : {}),
      ...Object.fromEntries(keys.map((column): [string, SqlValue] => [column, values[column] ?? null])),
    }),
  )
}

/**
 * Dates sessions by the first and last entry of their logs. In stores of older versions, renaming, starring and pinning
 * changed the dates. Sessions without a dated entry (figures alone) and those that other machines sent keep theirs: the
 * log does not tell them.
 */
export const dateSessions = async (transaction: SqlTransaction): Promise<void> => {
  const own = `FROM entry WHERE entry.session_id = session.id AND entry.kind NOT IN (${UNDATED_KINDS.map(kindCode).join(', ')})`
  const columns = quoted(checkedColumns(tables.session))
  for (let after = -1; ;) {
    const rows = await transaction.all<Row & { machine_id: number; first: number | null; last: number | null }>(
      `SELECT id, machine_id, ${columns}, (SELECT min(at) ${own}) AS first, (SELECT max(at) ${own}) AS last
       FROM session WHERE id > ? ORDER BY id LIMIT ${ROWS_PER_STEP}`,
      [after],
    )
    const end = rows.at(-1)
    if (end === undefined) return
    for (const { machine_id: machineId, first, last, ...row } of rows) {
      if (first === null || machineId !== 0) continue
      const changes = { started_at: first, updated_at: last }
      await updateRow(transaction, tables.session, row.id, {
        ...changes,
        checksum: nextChecksum(tables.session, row, changes),
      })
    }
    after = end.id
  }
}
