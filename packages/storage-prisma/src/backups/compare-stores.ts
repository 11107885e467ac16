/** What a store holds that a backup of it lacks, so that it can be told before the backup takes its place. */
import type Sqlite from 'better-sqlite3'
import { openReader } from '../sqlite/connection.ts'
import type { Connection } from '../sqlite/connection.ts'

/** What came after a backup, in numbers. */
export interface Newer {
  /** Sessions that the backup lacks. */
  readonly sessions: number
  /** Log entries that it lacks, those of these sessions included. */
  readonly entries: number
  readonly requests: number
  /** Versions of memory entries and notes. */
  readonly memory: number
  readonly notes: number
  /** Sessions that were deleted since, and would come back. */
  readonly deleted: number
}

/**
 * What the store has and its backup has not: sessions, entries, requests, memory and notes (versions), and `deleted`
 * sessions that the backup still has. Throws SQLite's error where one can't be read.
 */
export const newerThan = (storePath: string, backupPath: string): Newer => {
  const backup = openReader(backupPath)
  let present: Connection | undefined
  try {
    present = openReader(storePath)
    const { database } = present
    const [now, then] = [lengthsOf(database), lengthsOf(backup.database)]
    let [sessions, entries] = [0, 0]
    for (const [key, length] of now) {
      if (!then.has(key)) sessions += 1
      entries += Math.max(0, length - (then.get(key) ?? 0))
    }
    const rowsAfter = (table: string): number => countAfter(database, table, highestId(backup.database, table))
    const isDeleted = database.prepare('SELECT 1 FROM deleted_session WHERE "key" = ?').pluck()
    return {
      sessions,
      entries,
      requests: rowsAfter('usage_fact'),
      memory: rowsAfter('memory_version'),
      notes: rowsAfter('note_version'),
      deleted: [...then.keys()].filter((key) => !now.has(key) && isDeleted.get(key) !== undefined).length,
    }
  } finally {
    present?.close()
    backup.close()
  }
}

/** The length of each session's log by its key. */
const lengthsOf = (database: Sqlite.Database): ReadonlyMap<string, number> =>
  new Map(
    (database.prepare('SELECT "key", next_seq FROM session').all() as { key: string; next_seq: number }[]).map(
      ({ key, next_seq: length }) => [key, length],
    ),
  )

/**
 * The highest id of a table; 0 for an empty one, and for one that an older backup lacks. Ids are never used again, so rows
 * with higher ones came later.
 */
const highestId = (database: Sqlite.Database, table: string): number => {
  const isThere =
    database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined
  return isThere ? Number(database.prepare(`SELECT COALESCE(max(id), 0) FROM "${table}"`).pluck().get()) : 0
}

/** How many rows of a table came after one with this id. */
const countAfter = (database: Sqlite.Database, table: string, id: number): number =>
  Number(database.prepare(`SELECT count(*) FROM "${table}" WHERE id > ?`).pluck().get(id))
