/** Indexes of a SQLite store rebuilt from its rows, those too that it lacks. */
import Sqlite from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import type { Migration } from '../migrations/migration.ts'

/**
 * Makes the indexes that are missing, and all others again, inside of a transaction of the caller. Throws SQLite's error
 * where two rows have the key of a unique index.
 */
export const rebuildIndexes = (database: Database, migrations: readonly Migration[]): void => {
  const there = new Set(database.prepare("SELECT name FROM sqlite_master WHERE type = 'index'").pluck().all())
  for (const { name, sql } of indexesOf(migrations)) if (!there.has(name)) database.exec(sql)
  database.exec('REINDEX')
}

/** The indexes that migrations make. In no particular order; those that belong to keys are left out. */
const indexesOf = (migrations: readonly Migration[]): readonly { readonly name: string; readonly sql: string }[] => {
  const empty = new Sqlite(':memory:')
  try {
    for (const { sql } of migrations) empty.exec(sql)
    // Indexes of keys have no statement: they are part of their table.
    return empty.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all() as {
      name: string
      sql: string
    }[]
  } finally {
    empty.close()
  }
}
