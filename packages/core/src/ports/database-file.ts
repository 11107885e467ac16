/** Another program's SQLite database, read-only. */

/** A column's value. Blobs are not read and become null. Whole numbers beyond 2^53 are rounded. */
export type DatabaseValue = string | number | null

export type DatabaseRow = Readonly<Record<string, DatabaseValue>>

/** A snapshot of a database: concurrent writes of its program are not visible. */
export interface DatabaseSnapshot {
  /** All rows of a SELECT. Throws the database's error for a statement that it can't run. */
  rows(sql: string, parameters?: readonly (string | number)[]): readonly DatabaseRow[]
}
