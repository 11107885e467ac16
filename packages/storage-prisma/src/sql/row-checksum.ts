/**
 * A CRC-32 in the row itself, for rows whose values are stored only once. SQLite detects an invalid page, not a changed
 * byte. Rows of older versions have none, and are not checked until they are written again.
 */
import { crc32 } from 'node:zlib'
import { damagedRecord, damagedStore } from './damaged.ts'
import { tables } from './schema.ts'
import type { Table } from './schema.ts'

/**
 * Columns of a session that separate statements change: sums of usage, which are compared with the rollups instead, and
 * what a team's store was told, which is sent again where it is lost.
 */
const UNCHECKED: ReadonlySet<string> = new Set([
  ...['requests', 'cost_nano', 'unpriced', 'missing_output_nano'],
  ...['unsynced', 'unsynced_from', 'synced_entries', 'shared', 'machine_id'],
])

/**
 * Columns that a table got after its rows had checksums. While such a column holds its default, the checksum is what it
 * was before: what is stored stays good.
 */
const LATER_COLUMNS: ReadonlyMap<Table, ReadonlySet<string>> = new Map<Table, ReadonlySet<string>>([
  [tables.usage, new Set(['cache_write_30m', 'cache_write_12h', 'attempt', 'first_token_ms', 'total_ms'])],
  [tables.state, new Set(['revision'])],
  [tables.checkpoint, new Set(['kind', 'label', 'left_out'])],
])

/** How a row is hidden from every list and left in the store. */
interface SettingAside {
  /** SQL; `:at` is the time, ms as text. */
  readonly assignment: string
  readonly column: string
  /** What the column contains afterwards. */
  readonly done: RegExp
}

/** A table whose rows have a checksum. */
export interface CheckedTable {
  readonly table: Table
  /** What a row of it is called in a sentence, and the column that tells it from others. */
  readonly what: string
  readonly name: string | undefined
  /** For rows that are in no transcript. */
  readonly aside?: SettingAside
}

/** Before all times. */
const ended: SettingAside = { assignment: 'valid_to = 0', column: 'valid_to', done: /^0$/ }
/** How a damaged row's key is moved aside, so that its place is free again; `done` recognises one that was. */
const movedFrom = (column: string): SettingAside => ({
  assignment: `${column} = 'damaged ' || CAST(:at AS TEXT) || ' ' || ${column}`,
  column,
  done: /^damaged \d+ /,
})

export const checkedTables: readonly CheckedTable[] = [
  { table: tables.session, what: 'session', name: 'key' },
  { table: tables.entry, what: 'log entry', name: undefined },
  { table: tables.usage, what: 'request', name: undefined },
  {
    table: tables.requestFailure,
    what: 'failed request',
    name: undefined,
    aside: { assignment: 'attempt = -1', column: 'attempt', done: /^-1$/ },
  },
  { table: tables.importedFile, what: 'record of the file', name: 'path' },
  { table: tables.importSkip, what: 'record of left-out input of', name: 'path' },
  { table: tables.memoryVersion, what: 'memory entry', name: 'entry_id', aside: ended },
  { table: tables.noteVersion, what: 'note', name: 'key', aside: ended },
  { table: tables.state, what: 'setting', name: 'key', aside: movedFrom('scope') },
  { table: tables.checkpoint, what: 'checkpoint', name: 'id', aside: movedFrom('workspace') },
]

interface Known extends CheckedTable {
  readonly columns: readonly string[]
  readonly laterColumns: readonly string[]
}

/** The columns that a row's checksum covers: not itself, ids, and columns that separate statements change. */
const coveredColumns = (table: Table): readonly string[] =>
  Object.entries(table.columns).flatMap(([column, type]) =>
    column === 'checksum' || (column === 'id' && type === 'int') || (table === tables.session && UNCHECKED.has(column))
      ? []
      : [column],
  )

const byTable: ReadonlyMap<Table, Known> = new Map(
  checkedTables.map((checked) => {
    const covered = coveredColumns(checked.table)
    const isLater = (column: string): boolean => LATER_COLUMNS.get(checked.table)?.has(column) === true
    const columns = covered.filter((column) => !isLater(column))
    return [checked.table, { ...checked, columns, laterColumns: covered.filter(isLater) }]
  }),
)

/** What is known of a table's checksum; throws for one that has none. */
const known = (table: Table): Known => {
  const found = byTable.get(table)
  if (found === undefined) throw new TypeError(`the rows of ${table.name} have no checksum`)
  return found
}

/** A row by its columns; a column that is not there counts as null. */
type Row = object
type ReadRow = Row & { readonly checksum: number | null }

const valueOf = (row: Row, column: string): unknown => (row as Readonly<Record<string, unknown>>)[column]

/**
 * A value as a checksum takes it: bigints as numbers (large ones may be written as bigints and read as numbers), bytes
 * by length and CRC, undefined as null.
 */
const comparable = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? Number(value)
    : value instanceof Uint8Array
      ? [value.byteLength, crc32(value)]
      : (value ?? null)

/** The columns that are needed to check a row, `checksum` last. Throws for a table without checksums. */
export const checkedColumns = (table: Table): readonly string[] => [
  ...known(table).columns,
  ...known(table).laterColumns,
  'checksum',
]

/** The checksum (32 bits, signed) of a row of this table with these values; of `row` only checked columns count. */
export const rowChecksum = (table: Table, row: Row): number =>
  crc32(JSON.stringify(checkedValues(known(table), row))) | 0

/**
 * The values that a checksum is made of, in order and fit for JSON (bytes as length and CRC); then later columns, each
 * with its name, only where they are set. A later column counts as not set with 0 or null.
 */
const checkedValues = ({ columns, laterColumns }: Known, row: Row): readonly unknown[] => {
  const values = columns.map((column) => comparable(valueOf(row, column)))
  for (const column of laterColumns) {
    const value = comparable(valueOf(row, column))
    // Zero and null are the defaults.
    if (value !== 0 && value !== null) values.push([column, value])
  }
  return values
}

/**
 * Whether a row, read with all {@link checkedColumns}, has its checksum. True for one of an older version, which has
 * none. Throws a TypeError for a table whose rows have no checksums.
 */
export const isIntact = (table: Table, row: ReadRow): boolean =>
  row.checksum === null || row.checksum === rowChecksum(table, row)

/**
 * The checksum of a row that is updated, given its former content: a damaged row keeps the one that it has, and so
 * remains detectable.
 * @param before with all {@link checkedColumns}
 */
export const nextChecksum = (table: Table, before: ReadRow, changes: Row): number | null =>
  isIntact(table, before) ? rowChecksum(table, { ...before, ...changes }) : before.checksum

/** A damaged name may hold anything. */
const PRINTABLE = /^[\x20-\x7e]{1,120}$/

/** Words for a row in a sentence: "the memory entry 01J…", or "a note" where it has no name that can be shown. */
export const rowName = (table: Table, row: Row): string => {
  const { what, name } = known(table)
  const text = name === undefined ? undefined : valueOf(row, name)
  return typeof text === 'string' && PRINTABLE.test(text) ? `the ${what} ${text}` : `a ${what}`
}

/** Whether a row was set aside as damaged, by {@link setAsideDamagedRows}. */
export const isSetAside = (table: Table, row: Row): boolean => {
  const { aside } = known(table)
  return aside?.done.test(String(valueOf(row, aside.column))) === true
}

/**
 * Checks rows that were read with all {@link checkedColumns}.
 * @throws StorageError `storage-corrupt` that names the first damaged row
 */
export const assertRowsIntact = (location: string, table: Table, rows: readonly ReadRow[]): void => {
  const damaged = rows.find((row) => !isIntact(table, row))
  if (damaged === undefined) return
  const what = rowName(table, damaged)
  throw known(table).aside === undefined
    ? damagedStore(location, `${what} is not what was written`)
    : damagedRecord(location, what)
}
