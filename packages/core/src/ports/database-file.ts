/** Another program's SQLite database, read and never written. */

/** A column's value; a blob is not read, so it is null. Whole numbers beyond 2^53 are rounded. */
export type DatabaseValue = string | number | null

export type DatabaseRow = Readonly<Record<string, DatabaseValue>>

/** A database as it is at one moment: what its program writes meanwhile is not seen. */
export interface DatabaseSnapshot {
  /** The rows that a SELECT gives, all at once. Throws what the database says of a statement that it can't run. */
  rows(sql: string, parameters?: readonly (string | number)[]): readonly DatabaseRow[]
}
