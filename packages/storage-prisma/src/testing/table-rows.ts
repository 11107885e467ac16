/** Every row of a SQLite store, for comparing two. */
import { createHash } from 'node:crypto'
import Sqlite from 'better-sqlite3'

/** Rows that tell when something ran. */
const OF_THE_RUN = new Set(['health_sample', '_cairn_migration', '_prisma_migrations'])

const shortened = (value: unknown): unknown =>
  value instanceof Uint8Array && value.byteLength > 64
    ? `${value.byteLength} bytes ${createHash('sha256').update(value).digest('hex')}`
    : value

/** The rows by table, in the order of their ids; long values as their hashes. */
export const tableRows = (path: string): Readonly<Record<string, readonly unknown[]>> => {
  const database = new Sqlite(path, { readonly: true })
  try {
    const tables = database
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all()
    return Object.fromEntries(
      tables
        .filter(({ name }) => !OF_THE_RUN.has(name))
        .map(({ name }) => [
          name,
          database
            .prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}" ORDER BY 1, 2`)
            .all()
            .map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, shortened(value)]))),
        ]),
    )
  } finally {
    database.close()
  }
}
