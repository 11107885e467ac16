/** The rows of a new store, from a damaged one and a backup of it: the damaged one's where they are good, else the backup's. */
import Sqlite from 'better-sqlite3'
import { quoted, tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import { RowProof } from './good-rows.ts'
import type { SalvageSource, SalvagedRow } from './salvage-source.ts'

/** Where the rows of a repaired store come from. */
export interface Gathered {
  /** Rows that the damaged store still had. */
  readonly salvaged: number
  /** Rows that came from the backup. */
  readonly fromBackup: number
  /** Rows that the damaged store had, but not as they were written, and the backup has not either. */
  readonly unproven: number
  /** Log entries that were left out, as nobody knows the session that they belong to, or has their content. */
  readonly orphanEntries: number
}

/** The length of the log of each session whose row the damaged store still had as it was written, by its number. */
export type ProvenLengths = ReadonlyMap<number, number>

/** In this order: what vouches for a row comes before it. All other tables are derived. */
const GATHERED: readonly Table[] = [
  tables.deletedSession,
  tables.workspace,
  tables.label,
  tables.session,
  tables.pack,
  tables.block,
  tables.blockUse,
  tables.entry,
  tables.usage,
  tables.requestFailure,
  tables.importedFile,
  tables.sourceRun,
  tables.importSkip,
  tables.state,
  tables.noteVersion,
  tables.memoryVersion,
  tables.checkpoint,
]

/** Tables of which a damaged row is kept: a rebuild sets it aside, visible to nobody and lost to nobody. */
const SET_ASIDE: ReadonlySet<Table> = new Set<Table>([
  tables.state,
  tables.noteVersion,
  tables.memoryVersion,
  tables.checkpoint,
  tables.requestFailure,
])

/** What refers to content that is nowhere, or to sessions that were deleted. */
const DANGLING = [
  'DELETE FROM entry WHERE session_id IN (SELECT id FROM session WHERE "key" IN (SELECT "key" FROM deleted_session))',
  'DELETE FROM session WHERE "key" IN (SELECT "key" FROM deleted_session)',
  'DELETE FROM pack WHERE session_id NOT IN (SELECT id FROM session)',
  'DELETE FROM block WHERE pack_id NOT IN (SELECT id FROM pack)',
  'DELETE FROM block_use WHERE block_id NOT IN (SELECT id FROM block) OR session_id NOT IN (SELECT id FROM session)',
  'DELETE FROM entry WHERE session_id NOT IN (SELECT id FROM session) OR (body IS NULL AND pack_id NOT IN (SELECT id FROM pack))',
  'DELETE FROM usage_fact WHERE session_id NOT IN (SELECT id FROM session)',
  'DELETE FROM request_failure WHERE session_id NOT IN (SELECT id FROM session)',
  'DELETE FROM source_run WHERE session_id NOT IN (SELECT id FROM session) OR pack_id NOT IN (SELECT id FROM pack)',
] as const

/**
 * Fills the empty store at a path from a damaged one and a backup, in one transaction; a row that both have is the
 * damaged store's where it is intact. Either source may be missing. Throws SQLite's errors.
 */
export const gatherRows = (
  path: string,
  damaged: SalvageSource | undefined,
  backup: SalvageSource | undefined,
): Gathered & { readonly provenLengths: ProvenLengths } => {
  const database = new Sqlite(path, { fileMustExist: true })
  try {
    const sums = { salvaged: 0, fromBackup: 0, unproven: 0, provenLengths: new Map<number, number>() }
    database.exec('BEGIN IMMEDIATE')
    for (const table of GATHERED) gatherTable(database, table, damaged, backup, sums)
    let orphanEntries = 0
    for (const sql of DANGLING) {
      const { changes } = database.prepare(sql).run()
      // Those of sessions that were deleted go first, and are not missed.
      if (sql.startsWith('DELETE FROM entry ')) orphanEntries = changes
    }
    database.exec('COMMIT')
    return { ...sums, orphanEntries }
  } finally {
    database.close()
  }
}

/**
 * Takes a table's sound rows: of the damaged store first, then what the backup has beside them. Of the damaged store's
 * other rows only sessions, and those that can be set aside, are kept, where their place is still free; the rest is
 * left out, and counted as `unproven` where the backup has no row in its place. `sums` is added to.
 */
const gatherTable = (
  database: Sqlite.Database,
  table: Table,
  damaged: SalvageSource | undefined,
  backup: SalvageSource | undefined,
  sums: { salvaged: number; fromBackup: number; unproven: number; readonly provenLengths: Map<number, number> },
): void => {
  const packOf = database.prepare('SELECT id, raw_size, refs, data FROM pack WHERE id = ?')
  const proof = new RowProof((id) => packOf.get(id) as SalvagedRow | undefined)
  const insert = (row: SalvagedRow): number => insertRow(database, table, row)
  const doubtful: SalvagedRow[] = []
  const take = (source: SalvageSource | undefined, from: 'salvaged' | 'fromBackup'): void => {
    for (const row of allRows(source, table))
      if (proof.isGood(table, row) && !isBeyondEnd(table, row, sums.provenLengths)) {
        sums[from] += insert(row)
        if (table === tables.session && from === 'salvaged' && row['checksum'] !== null)
          sums.provenLengths.set(Number(row['id']), Number(row['next_seq']))
      } else if (from === 'salvaged') doubtful.push(row)
  }
  take(damaged, 'salvaged')
  take(backup, 'fromBackup')
  for (const row of doubtful) {
    const isKept = SET_ASIDE.has(table) || table === tables.session
    // A session without its title is better than none; nothing vouches for its row from here on.
    const kept = isKept && insert(table === tables.session ? { ...row, checksum: null } : row) === 1
    if (kept || !isThere(database, table, row)) sums.unproven += 1
  }
}

/** Whether an entry's place lies behind the end of its log. In its stead, the backup's row of the same message would be left out. */
const isBeyondEnd = (table: Table, row: SalvagedRow, lengths: ProvenLengths): boolean =>
  table === tables.entry && Number(row['seq']) >= (lengths.get(Number(row['session_id'])) ?? Infinity)

function* allRows(source: SalvageSource | undefined, table: Table): Generator<SalvagedRow> {
  for (const rows of source?.rows(table) ?? []) yield* rows
}

/** Writes a row unless there is one of its key; returns the number of rows written. A row that fits nowhere is none. */
const insertRow = (database: Sqlite.Database, table: Table, { rowNumber, ...row }: SalvagedRow): number => {
  const columns = Object.keys(row)
  const hasNumber = table.columns['id'] !== 'int' && rowNumber !== undefined
  const names = hasNumber ? `_rowid_, ${quoted(columns)}` : quoted(columns)
  const values = hasNumber ? [rowNumber, ...Object.values(row)] : Object.values(row)
  return database
    .prepare(`INSERT OR IGNORE INTO "${table.name}" (${names}) VALUES (${values.map(() => '?').join(', ')})`)
    .run(...values).changes
}

/** Whether a row's number is taken already. */
const isThere = (database: Sqlite.Database, table: Table, { rowNumber }: SalvagedRow): boolean =>
  rowNumber !== undefined &&
  database.prepare(`SELECT 1 FROM "${table.name}" WHERE _rowid_ = ?`).get(rowNumber) !== undefined
