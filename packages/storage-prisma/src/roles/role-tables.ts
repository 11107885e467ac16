/** Which tables each role of a team's store sees, and which rows a developer may change. */
import { tables } from '../sql/schema.ts'

/** A condition on a row of the table: that it belongs to whoever is logged in. */
const OF_OWN_SESSION = 'cairn_owns_session(session_id)'

interface OwnRows {
  readonly table: string
  readonly own: string
  readonly commands: readonly ('INSERT' | 'UPDATE' | 'DELETE')[]
}

/** Rows that a developer writes and deletes: their machine's sessions with what belongs to these. */
export const OWN_ROWS: readonly OwnRows[] = [
  { table: tables.machine.name, own: 'owner = session_user', commands: ['INSERT', 'UPDATE'] },
  { table: tables.session.name, own: 'cairn_owns_machine(machine_id)', commands: ['INSERT', 'UPDATE', 'DELETE'] },
  ...[tables.usage, tables.usageQuarter, tables.usageDay, tables.requestFailure].map(({ name }): OwnRows => ({
    table: name,
    own: OF_OWN_SESSION,
    commands: ['INSERT', 'UPDATE', 'DELETE'],
  })),
  // Of a session's text only its removal: the search index, which would have to be written with it, is everybody's.
  ...[tables.entry, tables.sourceRun, tables.searchTail, tables.searchPending, tables.blockUse].map(
    ({ name }): OwnRows => ({ table: name, own: OF_OWN_SESSION, commands: ['DELETE'] }),
  ),
  { table: tables.pack.name, own: OF_OWN_SESSION, commands: ['DELETE'] },
  {
    table: tables.block.name,
    own: 'EXISTS (SELECT 1 FROM pack WHERE pack.id = pack_id AND cairn_owns_session(pack.session_id))',
    commands: ['DELETE'],
  },
  ...[tables.state, tables.stateScope].map(({ name }): OwnRows => ({
    table: name,
    own: 'cairn_owns_scope(scope)',
    commands: ['DELETE'],
  })),
]

/** Rows that a developer may lock, but not change: as if nothing of them could be written. */
export const LOCKED_ROWS: readonly { readonly table: string; readonly column: string; readonly rows: string }[] = [
  { table: tables.cleanUp.name, column: 'id', rows: 'TRUE' },
  { table: tables.pack.name, column: 'id', rows: OF_OWN_SESSION },
]

/** Sums over everybody's requests: a trigger keeps them, and nobody else writes them. */
export const SUM_TABLES: readonly string[] = [tables.usageMargin.name, tables.usageTotal.name]

/** Names that everybody uses: a developer adds to them. */
export const NAME_COLUMNS: readonly { readonly table: string; readonly columns: readonly string[] }[] = [
  { table: tables.label.name, columns: ['kind', 'value'] },
  { table: tables.workspace.name, columns: ['path', 'name'] },
]

/** What is shared: every row of these is read by every developer. Of all other tables they see their own rows, or none. */
export const READ_BY_DEVELOPERS: readonly string[] = [
  ...[tables.machine, tables.session, tables.label, tables.workspace, tables.deletedSession, tables.cleanUp],
  ...[tables.usage, tables.usageQuarter, tables.usageDay, tables.usageMargin, tables.usageTotal, tables.requestFailure],
  ...[tables.entry, tables.pack, tables.block, tables.blockUse, tables.sourceRun],
  ...[tables.searchTail, tables.searchSegment, tables.searchPage, tables.searchPending, tables.healthSample],
].map(({ name }) => name)

/** Tables with figures, which leads read; of all others they see no row. */
const FIGURES: readonly string[] = [
  ...[tables.machine, tables.label, tables.workspace, tables.deletedSession, tables.cleanUp, tables.healthSample],
  ...[tables.usage, tables.usageQuarter, tables.usageDay, tables.usageMargin, tables.usageTotal, tables.requestFailure],
].map(({ name }) => name)

/** Columns of sessions that hold text, or say how much of it there is; the checksum is of all of the row. */
const WITHHELD: Readonly<Record<string, string>> = {
  title: 'NULL::text',
  next_seq: '0',
  checksum: 'NULL::integer',
}

/**
 * What a lead sees of a table, as a query: every row of the tables with figures and of sessions, but nothing in the columns
 * of sessions that tell of their text; of all other tables the columns without a row.
 * @param schema where the tables are, quoted
 */
export const figuresOf = (
  { name, columns }: { readonly name: string; readonly columns: object },
  schema: string,
): string => {
  const shown = Object.keys(columns).map((column) =>
    name === tables.session.name && WITHHELD[column] !== undefined
      ? `${WITHHELD[column]} AS "${column}"`
      : `"${column}"`,
  )
  const rows = FIGURES.includes(name) || name === tables.session.name ? '' : ' WHERE FALSE'
  return `SELECT ${shown.join(', ')} FROM ${schema}."${name}"${rows}`
}
