/**
 * A SQLite store opened for one short read, through Node's own SQLite, which loads at once. It creates no file,
 * migrates nothing and waits for no lock; for anything else use `openStore`.
 */
import { existsSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { StorageError } from '@cairn/core'
import { migrations } from '../generated/sqlite/migrations.ts'
import { isUpToDate } from '../migrations/apply.ts'
import type { AppliedMigrations } from '../migrations/apply.ts'
import type { Lookup, SqlDatabase, SqlValue } from '../sql/database.ts'
import { quoted } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'

const CACHE_KIB = 8_192

/** Imports Node's own SQLite without the warning about it that Node prints, which the user of an agent should not see. */
const loadSqlite = async () => {
  const emit = process.emitWarning.bind(process)
  // Others pass, so that it does no harm where two loads overlap and one puts back what the other had set.
  process.emitWarning = ((...warning: Parameters<typeof emit>) => {
    if (!String(warning[0]).includes('SQLite')) emit(...warning)
  }) as typeof process.emitWarning
  try {
    return await import('node:sqlite')
  } finally {
    process.emitWarning = emit
  }
}

/**
 * Finished migrations, with their checksums; undefined for a database with nothing in it.
 * @throws StorageError `storage-unavailable` for another program's database
 */
const finishedMigrations = (path: string, database: DatabaseSync): AppliedMigrations | undefined => {
  const { objects, records } =
    database
      .prepare("SELECT count(*) AS objects, total(name = '_prisma_migrations') AS records FROM sqlite_master")
      .get() ?? {}
  if (objects === 0) return undefined
  if (records === 0) throw new StorageError('storage-unavailable', `The database ${path} is no store of Cairn's.`)
  const rows = database
    .prepare(
      'SELECT migration_name AS name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    )
    .all()
  return new Map(rows.map(({ name, checksum }) => [String(name), String(checksum)]))
}

/**
 * A SQLite store that is open for reading only; every write, and what only a check needs, rejects. For its methods see
 * {@link SqlDatabase}.
 */
export class ReadingDatabase implements SqlDatabase {
  readonly dialect = 'sqlite'
  readonly location: string
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  private constructor(path: string, database: DatabaseSync) {
    this.location = path
    this.#database = database
  }

  /**
   * Opens a store for reading. Undefined where another process is only making it: it does so in one transaction, and
   * nothing is there before. Rejects with a `StorageError` for a store that is missing, newer, older than this version,
   * or another program's, and with what SQLite says for one that is locked or damaged.
   */
  static async open(path: string): Promise<ReadingDatabase | undefined> {
    if (!existsSync(path)) throw new StorageError('storage-unavailable', `There is no store at ${path}.`)
    const { DatabaseSync: Database } = await loadSqlite()
    const database = new Database(path, { readOnly: true })
    try {
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
      const names = finishedMigrations(path, database)
      if (names === undefined) {
        database.close()
        return undefined
      }
      if (!isUpToDate(path, names, migrations))
        throw new StorageError(
          'storage-unavailable',
          `The store ${path} is of an older version; the next import brings it up to date.`,
        )
      return new ReadingDatabase(path, database)
    } catch (error) {
      database.close()
      throw error
    }
  }

  all<R>(sql: string, parameters: readonly SqlValue[] = []): Promise<R[]> {
    return Promise.resolve(this.#rows<R>(sql, parameters))
  }

  /** The rows with these keys, in the order of the keys; unknown keys have none. */
  lookup<R>(table: Table, lookup: Lookup, keys: readonly SqlValue[]): Promise<R[]> {
    const scope = lookup.scope === undefined ? '' : ` AND "${lookup.scope.column}" = ?`
    const sql = `SELECT ${quoted(lookup.columns)} FROM "${table.name}" WHERE "${lookup.key}" = ?${scope}`
    const rest = lookup.scope === undefined ? [] : [lookup.scope.value]
    return Promise.resolve(keys.flatMap((key) => this.#rows<R>(sql, [key, ...rest])))
  }

  transaction<T>(): Promise<T> {
    return Promise.reject(this.refusal())
  }

  onChange(): () => void {
    return () => undefined
  }

  check(): Promise<void> {
    return Promise.resolve()
  }

  totalBytes(): Promise<number> {
    return Promise.reject(this.refusal())
  }

  integrityFaults(): Promise<readonly string[]> {
    return Promise.reject(this.refusal())
  }

  rebuildIndexes(): Promise<void> {
    return Promise.reject(this.refusal())
  }

  scrub(): Promise<void> {
    return Promise.reject(this.refusal())
  }

  compact(): Promise<void> {
    return Promise.reject(this.refusal())
  }

  /** Closes the file. */
  close(): Promise<void> {
    this.#statements.clear()
    this.#database.close()
    return Promise.resolve()
  }

  /** Runs a statement, which is prepared once. */
  #rows<R>(sql: string, parameters: readonly SqlValue[]): R[] {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement.all(...parameters) as R[]
  }

  /** The error that every write rejects with. */
  refusal(): StorageError {
    return new StorageError('storage-unavailable', `The store ${this.location} is open for reading only.`)
  }
}
