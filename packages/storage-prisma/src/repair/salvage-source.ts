/**
 * A damaged store, opened so that as much of it can be read as SQLite can reach: on a copy, as the file itself stays as it
 * is. Rows are read in ranges of their ids; a range that can't be read is halved until only what is damaged is left out.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import Sqlite from 'better-sqlite3'
import { quoted } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import { restoreTableList } from './table-list.ts'

/** A row by its columns, with the number that SQLite itself gives it; undefined in a table whose rows have none. */
export type SalvagedRow = Readonly<Record<string, unknown>> & { readonly rowNumber?: number }

const PAGE_BYTES = 8_192
const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
/** Where a header has the number of pages, the two counters that make it valid, and the list of free pages (8 bytes). */
const PAGE_COUNT_OFFSET = 28
const CHANGE_COUNTER_OFFSET = 24
const VALID_FOR_OFFSET = 92
const FREE_PAGES_OFFSET = 32

/** Row numbers that are read at once. */
const STEP = 1_000
/** Queries of one table that fail, at most: a table without its root fails for every row. */
const MOST_FAILURES = 100_000

/** A copy of a damaged store. To be closed, which removes the copy. */
export class SalvageSource {
  readonly #path: string
  readonly #database: Sqlite.Database

  private constructor(path: string, database: Sqlite.Database) {
    this.#path = path
    this.#database = database
  }

  /**
   * Copies the store with its write-ahead log; undefined where not even its tables can be found.
   * @param copy where the copy is made
   * @param template a whole store of this version, whose header replaces one that is no longer there
   */
  static open(storePath: string, copy: string, template: string): SalvageSource | undefined {
    removeFiles(copy)
    copyFileSync(storePath, copy, constants.COPYFILE_FICLONE)
    if (existsSync(`${storePath}-wal`)) copyFileSync(`${storePath}-wal`, `${copy}-wal`)
    const database = opened(copy)
    if (database !== undefined) return new SalvageSource(copy, database)
    replaceHeader(copy, template)
    const patched = opened(copy) ?? (hasTableList(copy, template) ? opened(copy) : undefined)
    if (patched === undefined) removeFiles(copy)
    return patched === undefined ? undefined : new SalvageSource(copy, patched)
  }

  /**
   * What can be read of a table; a table that is not listed has no rows. In batches; what can't be read is left out,
   * and after `MOST_FAILURES` failures the rest.
   */
  *rows(table: Table): Generator<readonly SalvagedRow[]> {
    const columns = this.#columnsOf(table)
    if (columns.length === 0) return
    if (!this.#isNumbered(table)) {
      yield this.#rowsOfKeys(table, columns)
      return
    }
    const range = this.#database.prepare(
      `SELECT _rowid_ AS "rowNumber", ${quoted(columns)} FROM "${table.name}" NOT INDEXED WHERE _rowid_ > ? AND _rowid_ <= ?`,
    )
    const last = this.#lastRowNumber(table)
    const failures = { count: 0 }
    for (let after = 0; after < last && failures.count < MOST_FAILURES; after += STEP)
      yield readRange(range, after, after + STEP, failures)
  }

  /** Whether the table has row numbers of its own. */
  #isNumbered({ name }: Table): boolean {
    try {
      this.#database.prepare(`SELECT _rowid_ FROM "${name}"`)
      return true
    } catch {
      return false
    }
  }

  /**
   * Rows without numbers, which are kept in the order of their keys: those before what is damaged, and those behind it.
   * A row may come twice.
   */
  #rowsOfKeys({ name }: Table, columns: readonly string[]): readonly SalvagedRow[] {
    const keys = this.#database
      .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
      .pluck()
      .all(name)
    const rows: SalvagedRow[] = []
    for (const direction of ['ASC', 'DESC']) {
      const order = keys.map((key) => `${quoted([String(key)])} ${direction}`).join(', ')
      try {
        for (const row of this.#database
          .prepare(`SELECT ${quoted(columns)} FROM "${name}" ORDER BY ${order}`)
          .iterate())
          rows.push(row as SalvagedRow)
        return rows
      } catch {
        // From the other end.
      }
    }
    return rows
  }

  /** The names of the table's columns of this version that the file has, too; empty where the table can't be found. */
  #columnsOf(table: Table): readonly string[] {
    try {
      const there = this.#database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table.name)
      return Object.keys(table.columns).filter((column) => there.includes(column))
    } catch {
      return []
    }
  }

  /**
   * The highest row number that the table may have. Without a readable one it is the file's size in bytes, which no
   * number of rows exceeds.
   */
  #lastRowNumber({ name }: Table): number {
    const ask = (sql: string, ...parameters: readonly string[]): number => {
      try {
        return Number(
          this.#database
            .prepare(sql)
            .pluck()
            .get(...parameters) ?? 0,
        )
      } catch {
        return 0
      }
    }
    const last = Math.max(
      ask(`SELECT max(_rowid_) FROM "${name}"`),
      ask('SELECT seq FROM sqlite_sequence WHERE name = ?', name),
    )
    // Neither may be readable, or either be another number by now.
    const possible = statSync(this.#path).size
    return Math.min(last > 0 ? last : possible, possible)
  }

  /** Closes the copy and removes it. */
  close(): void {
    this.#database.close()
    removeFiles(this.#path)
  }
}

/** Removes a database's files, as far as they are there. */
const removeFiles = (path: string): void => {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true })
}

/** Opens a damaged file; undefined where its list of tables can't be read. */
const opened = (path: string): Sqlite.Database | undefined => {
  let database: Sqlite.Database | undefined
  try {
    database = new Sqlite(path, { fileMustExist: true })
    database.unsafeMode(true)
    // Else a file that was cut is refused as a whole.
    database.pragma('writable_schema = ON')
    const tables = database.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck().get()
    if (Number(tables) > 0) return database
  } catch {
    // The caller tries another way.
  }
  database?.close()
  return undefined
}

/** Whether a list of tables could be put into the copy; false if it can't be read. */
const hasTableList = (copy: string, template: string): boolean => {
  try {
    return restoreTableList(copy, template, PAGE_BYTES)
  } catch {
    return false
  }
}

/** Writes a header that says what all stores' do, and as many pages as there are. */
const replaceHeader = (path: string, template: string): void => {
  // SQLite would throw the log of an empty file away.
  const pages = Math.max(1, Math.ceil(statSync(path).size / PAGE_BYTES))
  truncateSync(path, pages * PAGE_BYTES)
  const header = Buffer.alloc(HEADER_BYTES)
  const source = openSync(template, 'r')
  readSync(source, header, 0, HEADER_BYTES, 0)
  closeSync(source)
  header.write(MAGIC, 'latin1')
  header.writeUInt32BE(pages, PAGE_COUNT_OFFSET)
  header.fill(0, FREE_PAGES_OFFSET, FREE_PAGES_OFFSET + 8)
  header.copy(header, VALID_FOR_OFFSET, CHANGE_COUNTER_OFFSET, CHANGE_COUNTER_OFFSET + 4)
  const file = openSync(path, 'r+')
  writeSync(file, header, 0, HEADER_BYTES, 0)
  closeSync(file)
}

/** When no part of a range can be read after so many halvings, none of it can: its root, or what leads to it, is gone. */
const HALVINGS_IN_VAIN = 6

/** The rows between two numbers that can be read; halves what can't, down to single rows. In any order. */
const readRange = (
  range: Sqlite.Statement,
  after: number,
  last: number,
  failures: { count: number },
): readonly SalvagedRow[] => {
  const rows: SalvagedRow[] = []
  let hasRead = false
  let parts: readonly (readonly [after: number, last: number])[] = [[after, last]]
  for (let halvings = 0; parts.length > 0; halvings += 1) {
    const unread: [number, number][] = []
    for (const [from, to] of parts) {
      try {
        rows.push(...(range.all(from, to) as SalvagedRow[]))
        hasRead = true
      } catch {
        failures.count += 1
        const middle = Math.floor((from + to) / 2)
        if (to - from > 1) unread.push([from, middle], [middle, to])
      }
    }
    if ((halvings >= HALVINGS_IN_VAIN && !hasRead) || failures.count >= MOST_FAILURES) break
    parts = unread
  }
  return rows
}
